"""Freeze of the public standings and stepwise reveal (tournament/queries/visible.py).

| now | action | then |
| --- | --- | --- |
| open, begun | `freeze_standings` | frozen |
| frozen, finished | `begin_reveal` | revealed: players without place |
| being revealed | `reveal_next` | one more; open after the last |
| being revealed | `reopen_stage`, undo of finish | frozen |
| frozen or being revealed | `lift_freeze` | open |
"""

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import Work, action, or_refuse, refuse_if
from tournament.models import Stage
from tournament.queries.visible import freezing, left_of
from tournament.results import Fault, given, stage_results

__all__ = ["begin_reveal", "freeze_standings", "lift_freeze", "reveal_next"]


@action(least="organiser", says=_("froze the standings"), undo="again")
def freeze_standings(work: Work, *, stage: UUID) -> None:
    """Freeze what the public sees of this stage and later ones; referees still see all. Refused `illegal_move` before
    the start, `frozen_already`."""
    row = stage_named(work, stage)
    refuse_if(row.state == Stage.State.PLANNED, Fault("illegal_move", "/stage", {"state": str(row.state)}))
    refuse_if(row.frozen_after is not None, Fault("frozen_already", "/stage"))
    _save(work, row, work.sequence, None)


@action(least="organiser", says=_("started the reveal"), undo="again")
def begin_reveal(work: Work, *, stage: UUID) -> None:
    """Reveal players without a place (of heats, nothing); `reveal_next` continues. Refused `not_frozen`,
    `illegal_move` (unfinished), `frozen_by_earlier`, `reveal_begun`."""
    row = _frozen(work, stage)
    refuse_if(row.state != Stage.State.FINISHED, Fault("illegal_move", "/stage", {"state": str(row.state)}))
    refuse_if(freezing(row) != row, Fault("frozen_by_earlier", "/stage"))
    refuse_if(row.revealed is not None, Fault("reveal_begun", "/stage"))
    _save(work, row, row.frozen_after, 0)


@action(least="organiser", says=_("revealed a place"), undo="again")
def reveal_next(work: Work, *, stage: UUID, left: int) -> None:
    """Reveal one step; the last one unfreezes. `left` is the number of steps left as seen, against double taps.
    Refused `not_frozen`, `reveal_not_begun`, `revealed_already`."""
    row = _frozen(work, stage)
    revealed = or_refuse(row.revealed, Fault("reveal_not_begun", "/stage"))
    now = left_of(row, stage_results(row))
    refuse_if(given.whole(left, "/left") != now, Fault("revealed_already", "/left", {"left": now}))
    if now == 1:
        _save(work, row, None, None)
    else:
        _save(work, row, row.frozen_after, revealed + 1)


@action(least="organiser", says=_("showed the standings again"), undo="again")
def lift_freeze(work: Work, *, stage: UUID) -> None:
    """Unfreeze the stage; earlier freezes still apply. Refused `not_frozen`."""
    _save(work, _frozen(work, stage), None, None)


def _frozen(work: Work, stage: UUID) -> Stage:
    row = stage_named(work, stage)
    refuse_if(row.frozen_after is None, Fault("not_frozen", "/stage"))
    return row


def _save(work: Work, row: Stage, frozen_after: int | None, revealed: int | None) -> None:
    work.update(row, frozen_after=frozen_after, revealed=revealed)
    stages = Stage.objects.filter(tournament=work.tournament)
    # Unfreezing also shows no-shows and departures in earlier stages.
    work.readers_of(*(stages if frozen_after is None else stages.filter(number__gte=row.number)))
