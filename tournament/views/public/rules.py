"""The pages of the rules, and the list of them: no facts of any event, so they need no database.

Facts that a ruleset's data holds (deck, points, penalties) are read from there. The sections are templates in the order
in which a table needs them: those of its wording, or without one those that the data alone can fill. Where sheets in
several languages differ, the address names the one to follow: an event's pages lead to that of the event's language.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import get_language, get_language_info, gettext_lazy as _, pgettext_lazy
from django.views.decorators.http import require_safe

from rulesets import NUMBERS, RULESETS, ByKind, Ruleset
from tournament.live.pages import lasting_page
from tournament.pages.public.rules_examples import examples_of
from tournament.words.faults import ruleset_name
from tournament.words.penalties import penalty_texts

Section = tuple[str, str | Promise, str]  # anchor, title, template in templates/public/rules/

DECK: Section = ("cards", _("Cards and points"), "_deck.html")
PENALTIES: Section = ("penalties", _("Penalties"), "_penalties.html")
SESSION: Section = ("points", _("Points of a game and of the session"), "kpgut/_points.html")
EARLY: Section = ("early", _("Ending early: special situation 6"), "kpgut/_early.html")
MATCH: Section = ("points", _("Points of a match"), "mattel/_points.html")
GOAL: Section = ("goal", _("Goal of the game"), "mattel/_goal.html")
LEAVING: Section = ("leaving", _("Leaving and removal"), "mattel/_leaving.html")

# The sections about points that the data alone can fill, by the kind of contest.
POINTS: ByKind[tuple[Section, ...]] = ByKind(
    "views/public/rules.py", {"session": (EARLY, SESSION), "match": (MATCH,), "heats": ()}
)
# By the wording of the ruleset.
SECTIONS: dict[str, tuple[Section, ...]] = {
    "kpgut": (
        ("cards", _("Cards"), "_deck.html"),
        ("before", _("Before the game"), "kpgut/_before.html"),
        ("roles", _("Oldest and youngest"), "kpgut/_roles.html"),
        ("start", _("Start and deal"), "kpgut/_start.html"),
        ("turn", _("A turn"), "kpgut/_turn.html"),
        ("what-cards-do", _("What the cards do"), "kpgut/_actions.html"),
        ("uno", _("Saying “Uno”"), "kpgut/_uno.html"),
        ("end", _("Going out and the last card"), "kpgut/_end.html"),
        ("clock", _("The clock"), "kpgut/_clock.html"),
        EARLY,
        SESSION,
        ("latecomers", _("Latecomers"), "kpgut/_latecomers.html"),
        ("conduct", _("Conduct, warnings, leaving"), "kpgut/_conduct.html"),
        ("disputes", _("Disputes"), "kpgut/_disputes.html"),
        PENALTIES,
    ),
    "mattel": (
        ("cards", _("Contents"), "mattel/_contents.html"),
        GOAL,
        ("start", _("Preparations"), "mattel/_start.html"),
        ("turn", _("How the game goes"), "mattel/_turn.html"),
        ("what-cards-do", _("Special cards"), "mattel/_actions.html"),
        ("own-rules", _("Using the Customizable cards"), "mattel/_ideas.html"),
        ("end", _("Running out of cards"), "mattel/_end.html"),
        ("points", _("Scoring"), "mattel/_scoring.html"),
        ("win", _("Winning the game"), "mattel/_winning.html"),
        ("alternative", _("Another way to score and win"), "mattel/_alternative.html"),
        LEAVING,
        PENALTIES,
    ),
    "mattel-108": (
        GOAL,
        ("start", _("Preparation"), "mattel108/_start.html"),
        ("turn", _("Start the game"), "mattel108/_turn.html"),
        ("what-cards-do", _("What the action cards do"), "mattel108/_actions.html"),
        ("end", _("End of the game"), "mattel108/_end.html"),
        ("points", pgettext_lazy("mattel-108", "Scoring"), "mattel/_scoring.html"),
        ("win", _("End of the game: the winner"), "mattel/_winning.html"),
        ("alternative", _("Alternative scoring and end of the game"), "mattel/_alternative.html"),
        ("cards", _("Cards"), "_deck.html"),
        LEAVING,
        PENALTIES,
    ),
    "tite": (
        ("about", _("Rules for TiTe’s official UNO tournament"), "tite/_about.html"),
        ("goal", _("Goal of the game"), "tite/_goal.html"),
        ("start", _("Cards, start and deal"), "tite/_start.html"),
        ("turn", _("Game play"), "tite/_turn.html"),
        ("end", _("Running out of cards"), "tite/_end.html"),
        ("disputes", _("Problem situations"), "tite/_referees.html"),
        ("points", _("Points"), "tite/_points.html"),
        ("made-by", _("Makers of the rules"), "tite/_makers.html"),
        ("what-cards-do", _("What the cards do, by the official rules"), "tite/_actions.html"),
        ("cards", _("Cards"), "_deck.html"),
        LEAVING,
        PENALTIES,
    ),
}

# The parts that a section has under headings of their own, by its template.
PARTS: dict[str, tuple[Section, ...]] = {}

# The ready questions of each wording that has an answer to them, and the anchors of the rules that answer.
UNO = (_("“Uno” not said"), ("penalty-uno_not_said", "say-uno"))
CHALLENGE = (
    _("Challenge"),
    ("wild4-challenge", "penalty-wild4_challenged_rightly", "penalty-wild4_challenged_wrongly"),
)
READY: dict[str, tuple[tuple[Promise, tuple[str, ...]], ...]] = {
    "kpgut": (
        UNO,
        (_("Last card"), ("last-card", "penalty-last_card")),
        (_("+2 on +2"), ("draw2",)),
        CHALLENGE,
        (_("Wrong turn"), ("side-slide", "penalty-cheated")),
    ),
    "mattel": (
        UNO,
        (_("Last card"), ("last-card-draws", "last-card-else", "penalty-last_card")),
        (_("+2 on +2"), ("draw2", "what-fits")),
        CHALLENGE,
    ),
    "tite": (
        UNO,
        (_("Last card"), ("last-card", "last-card-draws", "penalty-last_card")),
        (_("+2 on +2"), ("draw2", "several-cards")),
        (CHALLENGE[0], ("wild4-no-condition", *CHALLENGE[1][1:])),
        (_("Wrong turn"), ("referees-word", "penalty-dispute")),
    ),
}
READY["mattel-108"] = READY["mattel"]


@dataclass(frozen=True, slots=True)
class CardRow:
    """Cards of equal number in a deck: from `kind` to `to`, which is the same but for 1 to 9. No `points`: their
    face value."""

    kind: str
    to: str
    count: int
    points: int | None


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The rulesets, each with its page."""
    return lasting_page(request, "public/rules/index.html", {"rulesets": _named()})


@require_safe
def rules(request: HttpRequest, ruleset: str, sheet: str = "") -> HttpResponse:
    """The rules in the reader's language, by the sheet in the language `sheet`, or else in the reader's own."""
    played = RULESETS.get(ruleset)
    if played is None or (sheet and sheet not in played.sheets):
        raise Http404
    language = get_language() or ""
    sheet = sheet or played.sheet_for(language)
    notes = next(((each, played.notes[each]) for each in (language, "en") if each in played.notes), None)
    sections = SECTIONS.get(played.wording) or _sections(played)
    context = {
        "ruleset": played,
        "name": ruleset_name(ruleset),
        "others": [each for each in _named() if each[0] != ruleset],
        "source": getattr(played.source, "said", {}).get(language, played.source),
        "sheet": sheet,
        "sheets": [(each, get_language_info(each)["name_local"].capitalize()) for each in played.sheets],
        "notes": notes,
        "sections": [(*section, PARTS.get(section[2], ())) for section in sections],
        "cards": list(_cards(played)),
        "deck_size": sum(played.deck.values()),
        "hour": played.hour_s // 60,
        "ready": READY.get(played.wording, ()),
        "asked": f"lastcard/js/watch/asked/{language}.js",
        "penalties": [(each.code, *penalty_texts(ruleset, each.code)) for each in played.penalties],
        "finnish_sheet": sheet == "fi",
        **examples_of(played),
    }
    return lasting_page(request, "public/rules/rules.html", context)


def _named() -> list[tuple[str, str]]:
    return [(ruleset, ruleset_name(ruleset)) for ruleset in RULESETS]


def _sections(ruleset: Ruleset) -> Iterator[Section]:
    """The sections of a ruleset without a wording of its own, from its data."""
    yield DECK
    for kind in ruleset.kinds:
        yield from POINTS[kind]
    if ruleset.penalties:
        yield PENALTIES


def _cards(ruleset: Ruleset) -> Iterator[CardRow]:
    """The deck in rows; the numbers 1 to 9 share one if they are equally many and count their face value."""
    alike = {ruleset.deck.get(kind) for kind in NUMBERS[1:]}
    plain = len(alike) == 1 and all(ruleset.points[kind] == int(kind) for kind in NUMBERS[1:])
    for kind, count in ruleset.deck.items():
        if plain and kind == NUMBERS[1]:
            yield CardRow(kind, NUMBERS[-1], count, None)
        elif not (plain and kind in NUMBERS[1:]):
            yield CardRow(kind, kind, count, ruleset.points[kind])
