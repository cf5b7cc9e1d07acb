"""Heats without points: record and correct the order in which the players went out."""

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, correct, record
from tournament.models import Stage
from tournament.results import HeatEntry

__all__ = ["correct_heat", "record_heat"]


@action(least="table_referee", says=_("entered a heat"), undo="at_table")
def record_heat(
    work: Work,
    *,
    table: UUID,
    play: UUID,
    number: int,
    finish_order: Sequence[UUID],
    removed: Sequence[UUID] = (),
    withdrawn: Sequence[UUID] = (),
    advance: int | None = None,
    late_s: int = 0,
) -> None:
    """Enter a heat: who went out, first to last, at least as many as go through.

    `advance` players go through from this heat (None: the stage's setting); `late_s`: see `record_round`. Raises
    Refused with scoring's faults, `heat_recorded` if this table has a heat that counts, or Conflict.
    """
    record(
        work,
        HeatEntry(finish_order, removed, withdrawn, advance),
        Stage.Kind.HEATS,
        table=table,
        play=play,
        number=number,
        late_s=late_s,
    )


@action(least="table_referee", says=_("corrected a heat"), undo="at_table")
def correct_heat(
    work: Work,
    *,
    play: UUID,
    version: int,
    reason: str,
    finish_order: Sequence[UUID],
    removed: Sequence[UUID] | None = None,
    withdrawn: Sequence[UUID] | None = None,
    advance: int | None = None,
) -> None:
    """Replace the stored version of a heat; a void heat counts again. Without `removed` or `withdrawn`, players who are
    out from it on stay out; an empty list lets them in again. See `record_heat`."""
    correct(
        work,
        HeatEntry(finish_order, removed, withdrawn, advance),
        Stage.Kind.HEATS,
        play=play,
        version=version,
        reason=reason,
    )
