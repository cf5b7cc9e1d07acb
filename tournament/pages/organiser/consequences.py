"""Consequences (tournament/queries/consequences.py) in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext, ngettext_lazy

from tournament.models import Stage
from tournament.pages.public.leaving import rounds_text
from tournament.pages.public.standings import isolated
from tournament.queries.consequences import AtTable, Consequences, Effect, What
from tournament.results import kind_of
from tournament.words.faults import fault_text, table_text

# Plurals go by the players' `count`.
TEXTS: dict[tuple[Effect, str], str | Promise] = {
    (Effect.KEEPS_SEAT, "planned"): _("The seat is kept for %(names)s."),
    (Effect.KEEPS_SEAT, "session"): _("The seat is kept. %(names)s can play from the next game."),
    (Effect.KEEPS_SEAT, "heats"): _("The seat is kept. The heat can begin without %(names)s."),
    (Effect.KEEPS_SEAT, "match"): _(
        "The match is being played. Each round asks for the cards of %(names)s. If the others "
        "play without them, use “No-show”."
    ),
    (Effect.LOSES_SEAT, ""): ngettext_lazy(
        "No longer a seat for %(names)s.", "No longer seats for %(names)s.", "count"
    ),
    (Effect.STOPS, "leave"): _("No more games for %(names)s. The games so far count, and the place stays."),
    (Effect.STOPS, "no-show"): ngettext_lazy(
        "%(names)s plays no games.", "%(names)s play no games.", "count"
    ),
    (Effect.STOPS, "remove"): _("No more games for %(names)s. Listed as disqualified, without a place."),
    (Effect.OUT_OF_MATCH, "leave"): _(
        "%(names)s is out from round %(following)d and listed last as left, without a place."
    ),
    (Effect.OUT_OF_MATCH, "no-show"): ngettext_lazy(
        "%(names)s is out from round %(following)d and listed last as “no-show”, without a place.",
        "%(names)s are out from round %(following)d and listed last as “no-show”, without a place.",
        "count",
    ),
    (Effect.OUT_OF_MATCH, "remove"): _(
        "%(names)s is out from round %(following)d and listed last as disqualified, without a place."
    ),
    (Effect.NOT_THROUGH, ""): ngettext_lazy(
        "%(names)s cannot go through.", "%(names)s cannot go through.", "count"
    ),
    (Effect.RESULT_STAYS, ""): _("Results so far stay as they are."),
    (Effect.IN_GAME, ""): ngettext_lazy(
        "A game with %(names)s is running. Enter how it ended for them there first.",
        "A game with %(names)s is running. Enter how it ended for them there first.",
        "count",
    ),
    (Effect.IN_AGAIN, "session"): _("%(names)s is back in from game %(following)d."),
    (Effect.IN_AGAIN, "heats"): _("%(names)s is back in the heat."),
    (Effect.IN_AGAIN, "match"): _("%(names)s is back in from round %(following)d."),
    (Effect.NO_SEAT, ""): _("No seat for %(names)s yet."),
}

# Effects that leave fewer players at a table that goes on.
FEWER = {Effect.LOSES_SEAT, Effect.STOPS, Effect.NOT_THROUGH}


@dataclass(frozen=True, slots=True)
class Line:
    """Consequences at a `place` ("": elsewhere); `url`: where to act."""

    text: str
    place: str = ""
    url: str = ""
    link: str = ""


def lines_of(found: Consequences, what: What, *, seats: bool) -> list[Line]:
    """All consequences, table by table; `seats`: link to seat changes."""
    lines = [_at_table(at, what, seats=seats) for at in found.tables]
    if not found.tables and what != What.BACK:
        lines.append(Line(gettext("No table is affected.")))
    if found.moves_up:
        text = ngettext(
            "The place goes to the first on the waiting list: %(names)s.",
            "The places go to the first on the waiting list: %(names)s.",
            len(found.moves_up),
        )
        lines.append(Line(text % {"names": isolated(found.moves_up)}))
    shown = {
        What.LATE: gettext("“Not late” undoes it. “Check in” ends it."),
        What.NO_SHOW: gettext("Shown as “no-show”, never as disqualified. “Let back in” undoes it."),
        What.LEAVE: gettext(
            "Shown as “left”, never as disqualified. Nothing played is lost. “Let back in” undoes it."
        ),
        What.REMOVE: gettext("Shown as disqualified everywhere. “Let back in” undoes it."),
        What.BACK: gettext("Counts as being here."),
    }
    return [*lines, Line(shown[what])]


def _at_table(at: AtTable, what: What, *, seats: bool) -> Line:
    sentences = [*_sentences(at, what)] or [fault_text(fault) for fault in at.faults]
    url = link = ""
    if at.effect == Effect.IN_GAME:
        url, link = reverse("table", args=[at.table]), gettext("Go to the table")
    elif at.effect == Effect.NO_SEAT or at.too_small:
        url = reverse("organise-seats", args=[at.stage.uid]) if seats else ""
        link = gettext("Change the seats")
    return Line(" ".join(sentences), _place(at), url, link)


def _sentences(at: AtTable, what: What) -> Iterator[str]:
    if at.effect == Effect.REFUSED:
        return
    yield str(_text(at, what) % {"names": isolated(at.who), "count": len(at.who), "following": at.following})
    if at.effect == Effect.OUT_OF_MATCH and what != What.NO_SHOW and at.played:
        yield rounds_text(at.played)
    if at.winners:
        yield gettext("Then only %(winner)s is left and wins the match.") % {"winner": isolated(at.winners)}
    elif at.effect in FEWER or (at.effect, what) == (Effect.OUT_OF_MATCH, What.NO_SHOW):
        yield ngettext("%(n)d player is left.", "%(n)d players are left.", at.left) % {"n": at.left}
    if at.through:
        text = ngettext(
            "%(through)s went through from there. That place becomes free, and the organiser decides "
            "who takes it.",
            "%(through)s went through from there. Those places become free, and the organiser decides "
            "who takes them.",
            len(at.through),
        )
        yield text % {"through": isolated(at.through)}
    if at.too_small:
        yield gettext("That is too few to play. Give them seats elsewhere, or seat others here.")


def _text(at: AtTable, what: What) -> str | Promise:
    state = "planned" if at.stage.state == Stage.State.PLANNED else ""
    variants = (state, kind_of(at.stage.kind).sheet, str(what), "")
    return next(TEXTS[at.effect, variant] for variant in variants if (at.effect, variant) in TEXTS)


def _place(at: AtTable) -> str:
    stage = isolated([str(at.stage)])
    return table_text(stage, at.number) if at.number else stage
