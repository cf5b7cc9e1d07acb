"""The pages of the rules, and the list of them: no facts of any event, so they need no database.

Facts that a ruleset's data holds (deck, points, penalties) are read from there. The sections are templates in the order
in which a table needs them: those of its wording, or without one those that the data alone can fill. Where sheets in
several languages differ, the address names the one to follow: an event's pages lead to that of the event's language.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import get_language, get_language_info, gettext_lazy as _
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

MATTEL: tuple[Section, ...] = (
    DECK,
    ("start", _("Start and deal"), "mattel/_start.html"),
    ("turn", _("A turn"), "mattel/_turn.html"),
    ("what-cards-do", _("What the cards do"), "mattel/_actions.html"),
    ("first-card", _("The first card is a special card"), "mattel/_first_card.html"),
    ("uno", _("Saying “Uno”"), "mattel/_uno.html"),
    ("end", _("Going out and the last card"), "mattel/_end.html"),
    MATCH,
    ("leaving", _("Leaving and removal"), "mattel/_leaving.html"),
    PENALTIES,
)

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
    "mattel": MATTEL,
    "tite": (
        DECK,
        ("heats", _("Heats and final"), "tite/_heats.html"),
        ("start", _("Start and deal"), "tite/_start.html"),
        ("turn", _("A turn"), "tite/_turn.html"),
        ("what-cards-do", _("What the cards do"), "mattel/_actions.html"),
        ("first-card", _("The first card is a special card"), "mattel/_first_card.html"),
        ("uno", _("Saying “Uno”"), "tite/_uno.html"),
        ("end", _("Going out and the last card"), "tite/_end.html"),
        ("points", _("Points of the final"), "tite/_points.html"),
        ("disputes", _("Disputes and the referees"), "tite/_referees.html"),
        ("leaving", _("Leaving and removal"), "mattel/_leaving.html"),
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
        CHALLENGE,
        (_("Wrong turn"), ("referees-word", "penalty-dispute")),
    ),
}


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
