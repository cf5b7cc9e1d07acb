"""Heats without points: enter and correct the finishing order."""

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
    """Enter a heat: the order in which players went out, at least of the qualifiers. `advance`: how many qualify
    (None: the setting); `late_s` as in `record_round`. Refused with scoring's faults, `heat_recorded`; Conflict."""
    record(
        work,
        HeatEntry(finish_order=finish_order, removed=removed, withdrawn=withdrawn, advance=advance),
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
    """Replace a heat; a void one counts again. `removed`, `withdrawn`: None leaves players out as they are, an empty
    list readmits them. Otherwise as `record_heat`."""
    correct(
        work,
        HeatEntry(finish_order=finish_order, removed=removed, withdrawn=withdrawn, advance=advance),
        Stage.Kind.HEATS,
        play=play,
        version=version,
        reason=reason,
    )
