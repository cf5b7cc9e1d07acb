"""The consequences of an entry about a player (tournament/queries/consequences.py), in words."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext, ngettext_lazy

from tournament.models import Stage
from tournament.pages.public.standings import isolated
from tournament.queries.consequences import AtTable, Consequences, Effect, What
from tournament.results import kind_of
from tournament.words.faults import fault_text, table_text

# A text about several players at once has the plural of their `count`.
TEXTS: dict[tuple[Effect, str], str | Promise] = {
    (Effect.KEEPS_SEAT, "planned"): _("%(place)s: the seat is kept for %(names)s."),
    (Effect.KEEPS_SEAT, "session"): _("%(place)s: the seat is kept. %(names)s can play from the next game."),
    (Effect.KEEPS_SEAT, "heats"): _("%(place)s: the seat is kept. The heat can begin without %(names)s."),
    (Effect.KEEPS_SEAT, "match"): _(
        "%(place)s is being played. Each round asks for the cards of %(names)s. If the others "
        "play without them, use “No-show”."
    ),
    (Effect.LOSES_SEAT, ""): ngettext_lazy(
        "%(place)s: no longer a seat for %(names)s. Players left: %(left)d.",
        "%(place)s: no longer seats for %(names)s. Players left: %(left)d.",
        "count",
    ),
    (Effect.STOPS, "leave"): _(
        "%(place)s: no more games for %(names)s. The games so far count, and the place stays. "
        "Players left: %(left)d."
    ),
    (Effect.STOPS, "no-show"): ngettext_lazy(
        "%(place)s: %(names)s plays no games. Players left: %(left)d.",
        "%(place)s: %(names)s play no games. Players left: %(left)d.",
        "count",
    ),
    (Effect.STOPS, "remove"): _(
        "%(place)s: no more games for %(names)s. Listed as disqualified, without a place."
    ),
    (Effect.OUT_OF_MATCH, "leave"): _(
        "%(place)s: %(names)s is out from round %(following)d and listed last as left, without a "
        "place. Rounds that stay: %(played)d."
    ),
    (Effect.OUT_OF_MATCH, "no-show"): ngettext_lazy(
        "%(place)s: %(names)s is out from round %(following)d and listed last as “no-show”, without a "
        "place. Players left: %(left)d.",
        "%(place)s: %(names)s are out from round %(following)d and listed last as “no-show”, without a "
        "place. Players left: %(left)d.",
        "count",
    ),
    (Effect.OUT_OF_MATCH, "remove"): _(
        "%(place)s: %(names)s is out from round %(following)d and listed last as disqualified, "
        "without a place. Rounds that stay: %(played)d."
    ),
    (Effect.NOT_THROUGH, ""): ngettext_lazy(
        "%(place)s: %(names)s cannot go through. Players left: %(left)d.",
        "%(place)s: %(names)s cannot go through. Players left: %(left)d.",
        "count",
    ),
    (Effect.RESULT_STAYS, ""): _("%(place)s: results so far stay as they are."),
    (Effect.IN_AGAIN, "session"): _("%(place)s: %(names)s is back in from game %(following)d."),
    (Effect.IN_AGAIN, "heats"): _("%(place)s: %(names)s is back in the heat."),
    (Effect.IN_AGAIN, "match"): _("%(place)s: %(names)s is back in from round %(following)d."),
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
        What.BACK: gettext("Counts as here."),
    }
    return [*lines, Line(shown[what])]


def _at_table(at: AtTable, what: What, *, seats: bool) -> list[Line]:
    words = {
        "place": _place(at),
        "names": isolated(at.who),
        "count": len(at.who),
        "left": at.left,
        "played": at.played,
        "following": at.following,
        "winner": isolated(at.winners),
        "through": isolated(at.through),
    }
    seats_url = reverse("organise-seats", args=[at.stage.uid]) if seats else ""
    if at.effect == Effect.REFUSED:
        text = gettext("%(place)s: %(what)s")
        return [Line(text % {**words, "what": fault_text(fault)}) for fault in at.faults]
    if at.effect == Effect.IN_GAME:
        text = ngettext(
            "%(place)s: a game with %(names)s is running. Enter how it ended for them there first.",
            "%(place)s: a game with %(names)s is running. Enter how it ended for them there first.",
            len(at.who),
        )
        return [Line(text % words, reverse("table", args=[at.table]), gettext("Go to the table"))]
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
        lines.append(Line(gettext("%(place)s: then only %(winner)s is left and wins the match.") % words))
    if at.through:
        text = ngettext(
            "%(through)s went through from there. That place becomes free, and the organiser decides "
            "who takes it.",
            "%(through)s went through from there. Those places become free, and the organiser decides "
            "who takes them.",
            len(at.through),
        )
        lines.append(Line(text % words))
    if at.too_small:
        text = gettext("%(place)s: too few players are left. Give them seats elsewhere, or seat others here.")
        lines.append(Line(text % words, seats_url, gettext("Change the seats")))
    return lines


def _text(at: AtTable, what: What) -> str | Promise:
    """The words for this effect; for this kind of stage or this kind of entry, if it has its own."""
    state = "planned" if at.stage.state == Stage.State.PLANNED else ""
    variants = (state, kind_of(at.stage.kind).sheet, str(what), "")
    return next(TEXTS[at.effect, variant] for variant in variants if (at.effect, variant) in TEXTS)


def _place(at: AtTable) -> str:
    stage = isolated([str(at.stage)])
    return table_text(stage, at.number) if at.number else stage
