"""The consequences of an entry about a player (tournament/queries/consequences.py), in words."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from tournament.models import Stage
from tournament.pages.public.standings import isolated
from tournament.queries.consequences import AtTable, Consequences, Effect, What
from tournament.results import kind_of
from tournament.words.faults import fault_text, table_text

TEXTS: dict[tuple[Effect, str], str | Promise] = {
    (Effect.KEEPS_SEAT, "planned"): _("%(place)s: the seat is kept for %(names)s."),
    (Effect.KEEPS_SEAT, "session"): _(
        "%(place)s: the seat is kept. %(names)s can play from the next game on."
    ),
    (Effect.KEEPS_SEAT, "heats"): _("%(place)s: the seat is kept. The heat can begin without %(names)s."),
    (Effect.KEEPS_SEAT, "match"): _(
        "%(place)s is being played: each round asks for the cards of %(names)s. If the others play without, enter "
        "“Did not come”."
    ),
    (Effect.LOSES_SEAT, ""): _("%(place)s: no seat any more for %(names)s. Players there then: %(left)d."),
    (Effect.STOPS, "leave"): _(
        "%(place)s: no more games for %(names)s. The games so far count, and so does the place. Players there then: "
        "%(left)d."
    ),
    (Effect.STOPS, "no-show"): _("%(place)s: no games for %(names)s. Players there then: %(left)d."),
    (Effect.STOPS, "remove"): _(
        "%(place)s: no more games for %(names)s; listed as disqualified, without a place."
    ),
    (Effect.OUT_OF_MATCH, "leave"): _(
        "%(place)s: %(names)s: out from round %(following)d on; listed last as having left, without a place. Rounds so "
        "far stay: %(played)d."
    ),
    (Effect.OUT_OF_MATCH, "no-show"): _(
        "%(place)s: %(names)s: out from round %(following)d on; listed last as not having come, without a place. "
        "Players there then: %(left)d."
    ),
    (Effect.OUT_OF_MATCH, "remove"): _(
        "%(place)s: %(names)s: out from round %(following)d on; listed last as disqualified, without a place. Rounds "
        "so far stay: %(played)d."
    ),
    (Effect.NOT_THROUGH, ""): _("%(place)s: %(names)s cannot go through. Players there then: %(left)d."),
    (Effect.RESULT_STAYS, ""): _("%(place)s: what was played stays as it is."),
    (Effect.IN_AGAIN, "session"): _("%(place)s: %(names)s: in again from game %(following)d on."),
    (Effect.IN_AGAIN, "heats"): _("%(place)s: %(names)s: in the heat again."),
    (Effect.IN_AGAIN, "match"): _("%(place)s: %(names)s: in again from round %(following)d on."),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One consequence, with a link to where somebody must act."""

    text: str
    url: str = ""
    link: str = ""


def lines_of(found: Consequences, what: What, *, seats: bool) -> list[Line]:
    """List all consequences, table by table; `seats`: the reader may change seats, so the lines link there."""
    lines = [line for at in found.tables for line in _at_table(at, what, seats=seats)]
    if not found.tables and what != What.BACK:
        lines.append(Line(gettext("No table is touched.")))
    if found.moves_up:
        text = gettext("The place goes to the first of the waiting list: %(names)s.")
        lines.append(Line(text % {"names": isolated(found.moves_up)}))
    shown = {
        What.LATE: gettext("“Not late” undoes it; “Check in” ends it."),
        What.NO_SHOW: gettext(
            "Shown as “did not come”, never as disqualified. Whoever comes after all: “Let back in”."
        ),
        What.LEAVE: gettext(
            "Shown as “left”, never as disqualified. Nothing played is lost; “Let back in” takes it back."
        ),
        What.REMOVE: gettext("Shown as disqualified everywhere. “Let back in” takes it back."),
        What.BACK: gettext("Counts as being here."),
    }
    return [*lines, Line(shown[what])]


def _at_table(at: AtTable, what: What, *, seats: bool) -> list[Line]:
    words = {
        "place": _place(at),
        "names": isolated(at.who),
        "left": at.left,
        "played": at.played,
        "following": at.following,
        "winner": isolated(at.winners),
        "through": isolated(at.through),
    }
    seats_url = reverse("organise-seats", args=[at.stage.uid]) if seats else ""
    if at.effect == Effect.REFUSED:
        return [Line(gettext("%(place)s: ") % words + fault_text(fault)) for fault in at.faults]
    if at.effect == Effect.IN_GAME:
        text = gettext("%(place)s: %(names)s: in the running game. Enter there first how it ended for them.")
        return [Line(text % words, reverse("table", args=[at.table]), gettext("To the table"))]
    if at.effect == Effect.NO_SEAT:
        return [
            Line(
                gettext("%(place)s: no seat for %(names)s yet.") % words,
                seats_url,
                gettext("Change the seats"),
            )
        ]
    lines = [Line(_text(at, what) % words)]
    if at.winners:
        lines.append(Line(gettext("%(place)s: then only %(winner)s is left, and has won the match.") % words))
    if at.through:
        text = gettext(
            "%(through)s went through from there. That place is free then, and people decide who takes it."
        )
        lines.append(Line(text % words))
    if at.too_small:
        text = gettext(
            "%(place)s: too few are left to play. Give the others seats elsewhere, or others a seat here."
        )
        lines.append(Line(text % words, seats_url, gettext("Change the seats")))
    return lines


def _text(at: AtTable, what: What) -> str:
    """The words for this effect; for this kind of stage or this kind of entry, if it has its own."""
    state = "planned" if at.stage.state == Stage.State.PLANNED else ""
    variants = (state, kind_of(at.stage.kind).sheet, str(what), "")
    return str(next(TEXTS[at.effect, variant] for variant in variants if (at.effect, variant) in TEXTS))


def _place(at: AtTable) -> str:
    stage = isolated([str(at.stage)])
    return table_text(stage, at.number) if at.number else stage
