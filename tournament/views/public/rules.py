"""Pages of the rules, without database. Facts come from the ruleset's data; sections are templates, by wording, else by
data. If sheets differ by language, the address names one."""

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
from tournament.words.penalties import PARAGRAPHS, penalty_texts

Section = tuple[str, str | Promise, str]  # anchor, title, template in templates/public/rules/

DECK: Section = ("cards", _("Cards and points"), "_deck.html")
PENALTIES: Section = ("penalties", _("Penalties"), "_penalties.html")
SESSION: Section = ("points", _("Points in a game and a session"), "kpgut/_points.html")
EARLY: Section = ("early", _("Ending early: special situation 6"), "kpgut/_early.html")
MATCH: Section = ("points", _("Points in a match"), "mattel/_points.html")
GOAL: Section = ("goal", _("Goal of the game"), "mattel/_goal.html")
LEAVING: Section = ("leaving", _("Leaving and removal"), "mattel/_leaving.html")

# From data alone, by kind of contest.
POINTS: ByKind[tuple[Section, ...]] = ByKind(
    "views/public/rules.py", {"session": (EARLY, SESSION), "match": (MATCH,), "heats": ()}
)
# by wording of the ruleset
SECTIONS: dict[str, tuple[Section, ...]] = {
    "kpgut": (
        ("before", _("Requirements"), "kpgut/_before.html"),
        ("start", _("Starting the game"), "kpgut/_start.html"),
        ("turn", _("Basic gameplay"), "kpgut/_turn.html"),
        ("what-cards-do", _("Special cards"), "kpgut/_cards.html"),
        ("situations", _("Special situations"), "kpgut/_situations.html"),
        ("end", _("Ending the game"), "kpgut/_end.html"),
        ("etiquette", _("Player etiquette"), "kpgut/_etiquette.html"),
        ("points", pgettext_lazy("KPGUT", "Scoring"), "kpgut/_scoring.html"),
        ("about", _("About these rules"), "kpgut/_about.html"),
        ("printing-sheet", _("Printing"), "kpgut/_printing.html"),
        ("roles", _("Oldest and youngest at a glance"), "kpgut/_roles.html"),
        ("penalties", _("Penalties at a glance"), "_penalties.html"),
        ("cards", _("Our additions"), "kpgut/_ours.html"),
    ),
    "mattel": (
        ("cards", _("Contents: 112 cards"), "mattel/_contents.html"),
        GOAL,
        ("start", _("Preparations"), "mattel/_start.html"),
        ("turn", _("How to play"), "mattel/_turn.html"),
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
        ("made-by", _("Authors of the rules"), "tite/_makers.html"),
        ("what-cards-do", _("What the cards do in the official rules"), "tite/_actions.html"),
        ("cards", _("Cards"), "_deck.html"),
        LEAVING,
        PENALTIES,
    ),
}

# By section template; a card's title is its id.
PARTS: dict[str, tuple[Section, ...]] = {
    "kpgut/_cards.html": (
        ("sheet-draw2", "draw2", "kpgut/cards/_draw2.html"),
        ("sheet-reverse", "reverse", "kpgut/cards/_reverse.html"),
        ("sheet-skip", "skip", "kpgut/cards/_skip.html"),
        ("sheet-wild", "wild", "kpgut/cards/_wild.html"),
        ("sheet-wild4", "wild4", "kpgut/cards/_wild4.html"),
    ),
    "kpgut/_situations.html": (
        ("s1", _("§1: Say “Uno” when one card remains"), "kpgut/situations/_1.html"),
        ("s2", _("§2: Can’t end with Special Card"), "kpgut/situations/_2.html"),
        ("s3-1", _("§3.1: No helping"), "kpgut/situations/_3_1.html"),
        ("s3-2", _("§3.2: Spectators are not allowed to help, either"), "kpgut/situations/_3_2.html"),
        ("s4", _("§4: Draw pile exhausted"), "kpgut/situations/_4.html"),
        ("s5", _("§5: Both draw pile and discard pile exhausted"), "kpgut/situations/_5.html"),
        ("s6", _("§6: Ending the game prematurely"), "kpgut/_early.html"),
        ("s7", _("§7: Side slide"), "kpgut/situations/_7.html"),
        ("s8", _("§8: Player away"), "kpgut/situations/_8.html"),
        ("s9", _("§9: Giving up"), "kpgut/situations/_9.html"),
        ("s10", _("§10: Cheating"), "kpgut/situations/_10.html"),
        ("s11", _("§11: Conflicts"), "kpgut/situations/_11.html"),
        ("s12", _("§12: Marked cards"), "kpgut/situations/_12.html"),
        ("s13", _("§13: Joining mid-game"), "kpgut/situations/_13.html"),
        ("s14", _("§14: Tactical draw"), "kpgut/situations/_14.html"),
        ("s15", _("§15: Unsportsmanlike conduct"), "kpgut/situations/_15.html"),
    ),
}

# Per wording, with anchors of the answers.
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
        (pgettext_lazy("KPGUT", "Suspicion"), ("wild4-challenge", "tactical-draw")),
        (_("Wrong turn"), ("side-slide", "cheating")),
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
    """Cards `kind` to `to`; `points` None: face value."""

    kind: str
    to: str
    count: int
    points: int | None


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All rulesets."""
    return lasting_page(request, "public/rules/index.html", {"rulesets": _named()})


@require_safe
def rules(request: HttpRequest, ruleset: str, sheet: str = "") -> HttpResponse:
    """A ruleset, by the sheet in the language `sheet` (default: the reader's)."""
    played = RULESETS.get(ruleset)
    if played is None or (sheet and sheet not in played.sheets):
        raise Http404
    language = get_language() or ""
    sheet = sheet or played.sheet_for(language)
    notes = next(((each, played.notes[each]) for each in (language, "en") if each in played.notes), None)
    points = (section for kind in played.kinds for section in POINTS[kind])
    sections = SECTIONS.get(played.wording) or [DECK, *points, *([PENALTIES] if played.penalties else [])]
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
        "penalties": [
            (each.code, *penalty_texts(ruleset, each.code), PARAGRAPHS.get((played.wording, each.code), ""))
            for each in played.penalties
        ],
        "finnish_sheet": sheet == "fi",
        **examples_of(played),
    }
    return lasting_page(request, "public/rules/rules.html", context)


def _named() -> list[tuple[str, str]]:
    return [(ruleset, ruleset_name(ruleset)) for ruleset in RULESETS]


def _cards(ruleset: Ruleset) -> Iterator[CardRow]:
    """1 to 9 share a row if equally many and worth face value."""
    alike = {ruleset.deck.get(kind) for kind in NUMBERS[1:]}
    plain = len(alike) == 1 and all(ruleset.points[kind] == int(kind) for kind in NUMBERS[1:])
    for kind, count in ruleset.deck.items():
        if plain and kind == NUMBERS[1]:
            yield CardRow(kind, NUMBERS[-1], count, None)
        elif not (plain and kind in NUMBERS[1:]):
            yield CardRow(kind, kind, count, ruleset.points[kind])
