"""Consequences of leaving (tournament/queries/consequences.py), worded for the player."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from tournament.models import Entry, Stage, Tournament
from tournament.pages.public.seats import is_known
from tournament.pages.public.standings import isolated
from tournament.queries.consequences import AtTable, Consequences, Effect, What, consequences
from tournament.queries.visible import freezing
from tournament.words.faults import table_text

TEXTS: dict[Effect, str | Promise] = {
    Effect.LOSES_SEAT: _("Your seat is free for someone else."),
    Effect.STOPS: _("No more games. The games you have played count, and you keep your place."),
    Effect.OUT_OF_MATCH: _(
        "You are out from round %(following)d on and listed last as “left”, without a place."
    ),
    Effect.NOT_THROUGH: _("You cannot go through from this heat."),
    Effect.RESULT_STAYS: _("Results so far stay as they are."),
    Effect.IN_GAME: _(
        "You are in a game now. First tell the referee there, who will record that you are giving up."
    ),
}


def found_for(entry: Entry) -> Consequences:
    """Public consequences of leaving; while frozen, without qualifiers and seats given since."""
    found = consequences(entry.tournament, [entry], What.LEAVE)
    stages = list(Stage.objects.filter(tournament=entry.tournament).select_related("tournament"))
    return replace(found, tables=tuple(filter(None, (_held_back(at, entry, stages) for at in found.tables))))


def _held_back(at: AtTable, entry: Entry, stages: Sequence[Stage]) -> AtTable | None:
    if freezing(at.stage, stages) is None:
        return at
    return replace(at, through=()) if is_known(at.stage, entry.uid, at.number, stages) else None


def what_follows(entry: Entry, found: Consequences, *, cancels: bool) -> list[tuple[str, str]]:
    """Consequences as (table or "", sentences). `cancels`: the player never took part."""
    if not entry.is_in:
        first = gettext("Your request and your place on the waiting list are cancelled.")
    elif cancels:
        first = gettext("You are no longer on the list of players.")
    else:
        first = gettext("You are shown as “left”, never as disqualified.")
    lines = [("", first), *map(_at_table, found.tables)]
    if found.moves_up:
        lines.append(("", gettext("Your place goes to the first player on the waiting list.")))
    if entry.tournament.state == Tournament.State.PLANNED:
        again = gettext("Until play begins you can sign up again on this page, if there is still a place.")
        lines.append(("", again))
    elif entry.is_in:
        lines.append(("", gettext("After that only a referee can let you in again.")))
    return lines


def rounds_text(played: int) -> str:
    """How many rounds count after leaving a match."""
    words = ngettext("%(n)d round so far counts.", "%(n)d rounds so far count.", played)
    return words % {"n": played}


def _at_table(at: AtTable) -> tuple[str, str]:
    said = [str(TEXTS[at.effect]) % {"following": at.following}]
    if at.effect == Effect.OUT_OF_MATCH and at.played:
        said.append(rounds_text(at.played))
    if at.through:
        said.append(
            gettext(
                "You went through from there. The organiser decides who takes your place in the next stage."
            )
        )
    return table_text(isolated([str(at.stage)]), at.number), " ".join(said)
