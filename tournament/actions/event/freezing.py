"""The freeze: everybody sees the standings as they were, until they are revealed step by step
(tournament/queries/visible.py).

| now | action | then |
| --- | --- | --- |
| open, runs or finished | `freeze_standings` | frozen |
| frozen, finished | `begin_reveal` | revealed so far: who has no place |
| being revealed | `reveal_next` | one step more; after the last place open |
| being revealed | `reopen_stage`, or undoing its finish | frozen |
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
    """Freeze what the public sees of this stage and those after it; referees see the current standings. Raises Refused
    `illegal_move` for a stage that has not started, `frozen_already`."""
    row = stage_named(work, stage)
    refuse_if(row.state == Stage.State.PLANNED, Fault("illegal_move", "/stage", {"state": str(row.state)}))
    refuse_if(row.frozen_after is not None, Fault("frozen_already", "/stage"))
    _save(work, row, work.sequence, None)


@action(least="organiser", says=_("started the reveal"), undo="again")
def begin_reveal(work: Work, *, stage: UUID) -> None:
    """Show the players without a place, for heats nothing yet; `reveal_next` shows the rest. Raises Refused
    `not_frozen`, `illegal_move` for an unfinished stage, `frozen_by_earlier` while an earlier stage is still frozen,
    and `reveal_begun`."""
    row = _frozen(work, stage)
    refuse_if(row.state != Stage.State.FINISHED, Fault("illegal_move", "/stage", {"state": str(row.state)}))
    refuse_if(freezing(row) != row, Fault("frozen_by_earlier", "/stage"))
    refuse_if(row.revealed is not None, Fault("reveal_begun", "/stage"))
    _save(work, row, row.frozen_after, 0)


@action(least="organiser", says=_("revealed a place"), undo="again")
def reveal_next(work: Work, *, stage: UUID, left: int) -> None:
    """Show the next step of the reveal; the last one lifts the freeze. `left` is how many steps were left when this was
    requested, so that two phones, or two taps, reveal only one. Raises Refused `not_frozen`, `reveal_not_begun`,
    `revealed_already` if another number is left by now."""
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
    """Show everything at once or, if an earlier stage is frozen, as it was when that was frozen. Raises Refused
    `not_frozen`."""
    _save(work, _frozen(work, stage), None, None)


def _frozen(work: Work, stage: UUID) -> Stage:
    row = stage_named(work, stage)
    refuse_if(row.frozen_after is None, Fault("not_frozen", "/stage"))
    return row


def _save(work: Work, row: Stage, frozen_after: int | None, revealed: int | None) -> None:
    work.update(row, frozen_after=frozen_after, revealed=revealed)
    stages = Stage.objects.filter(tournament=work.tournament)
    # Lifting the freeze also shows, in earlier stages, who did not come or left meanwhile.
    work.readers_of(*(stages if frozen_after is None else stages.filter(number__gte=row.number)))
