"""Samples: the mark, cards, places, states, and words of a line or two."""

from datetime import UTC, datetime
from uuid import UUID

from rulesets.ruleset import DECK_112
from tests.styleguide.samples import (
    LONG,
    NAMES,
    ONE_WORD,
    Part,
    Sample,
    focused,
    opened,
    taken_out,
)
from tournament.pages.components import PageLink, Pages
from tournament.pages.public.standings import Leader
from tournament.queries.stage_rules import RulesSet, Setting
from tournament.server.venue import qr_svg
from tournament.templatetags.lastcard import STATES

AT = datetime(2026, 5, 9, 12, 41, 7, tzinfo=UTC)
PLAY = UUID(int=7)
ADDRESS = "https://lastcard.example/j/open/"
ICONS = ("tables", "standings", "events", "plus", "download", "print", "undo", "person")

_LINKS = [
    PageLink(number=n, url=f"#{n}", first=100 * n - 99, last=min(100 * n, 480)) for n in (1, 2, 3, 4, 5)
]


def _pages(here: int) -> Pages:
    return Pages(
        of="places",
        here=_LINKS[here],
        links=_LINKS,
        previous=_LINKS[here - 1] if here else None,
        next=_LINKS[here + 1] if here < len(_LINKS) - 1 else None,
    )


class _Message(str):
    """A message of Django's, as a template sees it."""

    level_tag = "success"


class _Wrong(_Message):
    level_tag = "error"


_LANGUAGES = [
    {"code": code, "name": name, "href": "#", "current": code == "en"}
    for code, name in (("en", "English"), ("fi", "Suomi"), ("sv", "Svenska"))
]
_RULES = RulesSet(
    settings=[Setting("Target", "500"), Setting("Decks", "2")],
    card_texts=["Sing, or draw three", ONE_WORD],
    by=NAMES[0],
    at=AT,
    locked_at=AT,
)

MARK = Part(
    "mark",
    "One card left, and a trace of the one before it. It takes the colour of what it stands in.",
    [
        Sample(state="small", inside="guide__marks"),
        Sample(state="large", inside="guide__marks guide__marks--large"),
        Sample(state="on the felt", inside="felt guide__marks"),
    ],
)

CARDS = [
    Part(
        "hand",
        "Cards left in a hand, and what they count.",
        [
            Sample(state="empty", context={"hand": {}, "points": 0}),
            Sample(state="every kind", context={"hand": dict.fromkeys(DECK_112, 1), "points": None}),
            Sample(state="several of one", context={"hand": {"7": 2, "skip": 1, "wild4": 3}, "points": 184}),
        ],
    ),
    Part(
        "card_texts",
        "What the event's own cards say.",
        [Sample(state="one, and a long one", context={"texts": ["Sing, or draw three", ONE_WORD]})],
    ),
    Part(
        "card_ideas",
        "Ideas for what the event's own cards may say, in a list or offered where they are typed.",
        [Sample(state="in a list", context={"tag": "li"})],
    ),
    Part(
        "rules_set",
        "What was set for a stage, by whom and when.",
        [
            Sample(state="locked", context={"rules": _RULES, "who": True}),
            Sample(state="on a public page", context={"rules": _RULES}),
        ],
    ),
    Part(
        "place",
        "A place is a card.",
        [
            Sample(state="first", context={"place": 1}),
            Sample(state="second", context={"place": 2}),
            Sample(state="further down", context={"place": 128}),
            Sample(state="none", context={"place": None}),
            Sample(state="large", context={"place": 1, "large": True}),
        ],
    ),
    Part(
        "movement",
        "Places gained or lost since the play before.",
        [
            Sample(state="up", context={"moved": 3, "moved_down": -3}),
            Sample(state="down", context={"moved": -1, "moved_down": 1}),
            Sample(state="as before: nothing", context={"moved": 0, "moved_down": 0}),
        ],
    ),
    Part(
        "winner",
        "Who leads or has won.",
        [
            Sample(
                state="leads",
                context={"leader": Leader(label="Leads", names=[NAMES[1]], value="412", unit="points")},
            ),
            Sample(
                state="two, long names",
                context={
                    "leader": Leader(label="Lead", names=[LONG, ONE_WORD], value="1,204", unit="points")
                },
            ),
            Sample(
                state="has won, with the picture to share",
                context={"leader": Leader(label="Winner", names=[NAMES[2]], value="305"), "podium": "#"},
            ),
        ],
    ),
]

STATUS = Part(
    "status",
    "A word with its own sign; never colour alone.",
    [
        Sample(state=state, context={"state": state, "word": known.word, "sign": known.sign})
        for state, known in STATES.items()
    ],
)

WORDS = [
    Part(
        "live",
        "What is true of this page's connection.",
        [
            Sample(state="as it was sent"),
            Sample(state="live", done=lambda html: _says(html, "live")),
            Sample(state="connecting", done=lambda html: _says(html, "connecting")),
            Sample(state="offline", done=lambda html: _says(html, "offline")),
            Sample(state="finished", context={"over": True}),
        ],
    ),
    Part(
        "receipt",
        "Where what was entered is.",
        [
            Sample(state="on this phone", context={"waiting": 3}),
            Sample(state="on the server", context={"at": AT}),
            Sample(
                state="to be undone or corrected",
                context={"at": AT, "undo_url": "#", "correct": PLAY, "saved_label": "Round 12"},
            ),
            Sample(
                state="focus",
                context={"at": AT, "undo_url": "#"},
                done=focused,
            ),
        ],
    ),
    Part(
        "messages",
        "What came of the form that was sent.",
        [
            Sample(state="done", context={"messages": [_Message("The round is saved.")]}),
            Sample(state="error", context={"messages": [_Wrong("Somebody else saved this round first.")]}),
            Sample(state="none", context={"messages": []}),
        ],
    ),
    Part(
        "not_sent",
        "A form that found no network keeps what was typed.",
        [Sample(state="offline", done=taken_out)],
    ),
    Part(
        "waiting",
        "An answer is on its way and takes longer than a blink (js/app.js).",
        [
            Sample(state="nothing is under way"),
            Sample(state="loading", done=lambda html: html.replace("></p>", ">One moment…</p>")),
        ],
    ),
    Part(
        "empty",
        "Nothing is here yet: what will be, and the way to it.",
        [
            Sample(
                state="with a way on",
                context={
                    "title": "No tournaments yet",
                    "text": "The first one starts here.",
                    "url": "#",
                    "action": "New event",
                },
            ),
            Sample(
                state="one card",
                context={
                    "kind": "skip",
                    "title": "Nothing waits",
                    "text": "What players propose shows here.",
                },
            ),
            Sample(state="a long word", context={"kind": "0", "title": ONE_WORD, "text": LONG}),
        ],
    ),
    Part(
        "pages",
        "The parts of a long list.",
        [
            Sample(state="first", context={"pages": _pages(0)}),
            Sample(state="between", context={"pages": _pages(2)}),
            Sample(state="last", context={"pages": _pages(4)}),
            Sample(state="focus", context={"pages": _pages(1)}, done=focused),
            Sample(state="all on one page: nothing", context={"pages": None}),
        ],
    ),
    Part(
        "code",
        "An address for a phone's camera.",
        [Sample(state="normal", context={"qr": qr_svg(ADDRESS), "address": ADDRESS})],
    ),
    Part("icon", "A sign beside a word.", [Sample(state=name, context={"icon": name}) for name in ICONS]),
    Part(
        "languages",
        "This page in another language.",
        [
            Sample(state=state, context={"current": "en", "links": _LANGUAGES}, done=done)
            for state, done in (("closed", str), ("open", opened), ("focus", focused))
        ],
    ),
]


def _says(html: str, state: str) -> str:
    """Fill in the state as js/watch/live.js does."""
    word = html.partition(f'data-word-{state}="')[2].partition('"')[0]
    before, _sign, after = html.replace('"connecting"', f'"{state}"', 1).rpartition("</p>")
    return f"{before.rpartition('>')[0]}>{word.replace('{time}', '12:41:07')}</p>{after}"
