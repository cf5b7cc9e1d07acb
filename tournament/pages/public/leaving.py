"""The consequences when a player cancels or leaves (tournament/queries/consequences.py), in words for that player."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from tournament.models import Entry, Stage, Tournament
from tournament.pages.public.seats import is_known
from tournament.pages.public.standings import isolated
from tournament.queries.consequences import AtTable, Consequences, Effect, What, consequences
from tournament.queries.visible import freezing
from tournament.words.faults import table_text

TEXTS: dict[Effect, str | Promise] = {
    Effect.LOSES_SEAT: _("%(place)s: your seat is free for someone else."),
    Effect.STOPS: _("%(place)s: no more games. The games you have played count, and you keep your place."),
    Effect.OUT_OF_MATCH: _(
        "%(place)s: you are out from round %(following)d on and listed last as “left”, without a "
        "place. Rounds that stay: %(played)d."
    ),
    Effect.NOT_THROUGH: _("%(place)s: you cannot go through from this heat."),
    Effect.RESULT_STAYS: _("%(place)s: results so far stay as they are."),
    Effect.IN_GAME: _(
        "%(place)s: you are in a game now. First tell the referee there, who will enter that you give up."
    ),
}


def found_for(entry: Entry) -> Consequences:
    """The public consequences if this player cancels or leaves now: while standings are frozen not who went through,
    nor a seat that was given since in a later stage."""
    found = consequences(entry.tournament, [entry], What.LEAVE)
    stages = list(Stage.objects.filter(tournament=entry.tournament).select_related("tournament"))
    return replace(found, tables=tuple(filter(None, (_held_back(at, entry, stages) for at in found.tables))))


def _held_back(at: AtTable, entry: Entry, stages: Sequence[Stage]) -> AtTable | None:
    if freezing(at.stage, stages) is None:
        return at
    return replace(at, through=()) if is_known(at.stage, entry.uid, at.number, stages) else None


def what_follows(entry: Entry, found: Consequences, *, cancels: bool) -> list[str]:
    """List the consequences, a sentence each; `cancels`: the player never took part in the event."""
    lines = [line for at in found.tables for line in _at_table(at)]
    if not entry.is_in:
        lines.insert(0, gettext("You no longer ask for or wait for a place."))
    elif cancels:
        lines.insert(0, gettext("You are no longer on the list of players."))
    else:
        lines.insert(0, gettext("You are shown as “left”, never as disqualified."))
    if found.moves_up:
        lines.append(gettext("Your place goes to the first player on the waiting list."))
    if entry.tournament.state == Tournament.State.PLANNED:
        lines.append(
            gettext("Until play begins you can sign up again on this page, if there is still a place.")
        )
    elif entry.is_in:
        lines.append(gettext("After that only a referee can let you in again."))
    return lines


def _at_table(at: AtTable) -> list[str]:
    words = {
        "place": table_text(isolated([str(at.stage)]), at.number),
        "played": at.played,
        "following": at.following,
    }
    lines = [str(TEXTS[at.effect]) % words]
    if at.through:
        lines.append(
            gettext(
                "You went through from there. The organiser decides who takes your place in the next stage."
            )
        )
    return lines
