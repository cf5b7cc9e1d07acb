"""Hall clock for organisers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from tournament.models import Stage, Table, Tournament
from tournament.pages.public.scenes import RoomClock, clock_shown
from tournament.queries.programme import bell_stops, clock_of, planned_minutes, plays_by_clock
from tournament.server.clock import now

STEP, BREAK = 5, 15  # minutes: rounding of a break's end, usual break


@dataclass(frozen=True, slots=True)
class Start:
    """Stage whose clock can start, with planned minutes."""

    stage: Stage
    minutes: int


@dataclass(frozen=True, slots=True)
class HallPanel:
    """Public `clock`; `starts`: stages that can start one; `stops`: tables whose match its end ends; `goes_on`: time of
    resumption, by default after a break."""

    clock: RoomClock | None
    starts: Sequence[Start]
    over: bool
    stops: Sequence[Table]
    tables: Sequence[Table]
    goes_on: str


def hall_panel(tournament: Tournament, stages: Iterable[Stage]) -> HallPanel | None:
    """Panel of the `stages` in order; None unless the event runs."""
    if tournament.state != Tournament.State.RUNNING:
        return None
    at, row = now(), clock_of(tournament)
    over = row is not None and row.over(at)
    free = stages if row is None or row.stage is None or over else ()
    if row and row.goes_on_at:
        goes_on = timezone.localtime(row.goes_on_at, tournament.zone)
    else:
        goes_on = timezone.localtime(at + timedelta(minutes=BREAK), tournament.zone)
        goes_on += timedelta(minutes=-goes_on.minute % STEP)  # rounded up
    return HallPanel(
        clock=clock_shown(row) if row else None,
        starts=[Start(stage, planned_minutes(stage)) for stage in free if plays_by_clock(stage)],
        over=over,
        stops=bell_stops(row, at) if row else (),
        tables=list(Table.objects.filter(stage=row.stage).order_by("number")) if row and row.stage else [],
        goes_on=f"{goes_on:%H:%M}",
    )
