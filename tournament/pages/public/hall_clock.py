"""Hall clock for pages: the room's, or a table's."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from tournament.models import Entry, HallClock, Seat, Table, Tournament
from tournament.queries.hall_clock import clock_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomClock:
    """Clock of the room of event `slug`, or of `table` with `extra` minutes. `stage`: None in a break. `until`: None
    while held (`left_s` seconds left) or in a break without an end. `tables`: those with extra minutes, by number."""

    slug: str
    title: str
    stage: UUID | None
    started_at: datetime
    until: datetime | None
    left_s: int | None = None
    goes_on_at: datetime | None = None
    last_hand: int = 0
    table: int | None = None
    extra: int = 0
    tables: Sequence["RoomClock"] = field(default_factory=tuple)

    @property
    def held(self) -> bool:
        """Whether play is held; a break is not."""
        return self.left_s is not None

    @property
    def left(self) -> str:
        """Time left while held, mm:ss."""
        return f"{(self.left_s or 0) // 60:02d}:{(self.left_s or 0) % 60:02d}"

    def at(self, table: int) -> "RoomClock":
        """The table's clock, else this one."""
        return next((each for each in self.tables if each.table == table), self)


def room_clock(tournament: Tournament) -> RoomClock | None:
    """The tournament's clock; None without one."""
    row = clock_of(tournament)
    return clock_shown(row) if row else None


def clock_shown(row: HallClock) -> RoomClock:
    """Clock of a row already read."""
    longer = sorted(number for number in map(int, row.extra))
    return _of(row, tables=tuple(_of(row, table=number, extra=row.extra_of(number)) for number in longer))


def clock_at(table: Table) -> RoomClock | None:
    """The table's clock or a break's; None during another stage."""
    clock = room_clock(table.stage.tournament)
    return clock.at(table.number) if clock and clock.stage in {None, table.stage.uid} else None


def clock_for(entry: Entry, tournament: Tournament) -> RoomClock | None:
    """The clock of the player's table, else the room's."""
    clock = room_clock(tournament)
    if clock is None or clock.stage is None or not clock.tables:
        return clock
    seat = Seat.objects.filter(entry=entry, table__stage__uid=clock.stage).select_related("table").last()
    return clock.at(seat.table.number) if seat else clock


def _of(
    row: HallClock, *, table: int | None = None, extra: int = 0, tables: Sequence[RoomClock] = ()
) -> RoomClock:
    ends_at = row.ends_at if table is None else row.ends_for(table)
    left = ends_at - row.held_at if ends_at and row.held_at else None
    return RoomClock(
        slug=row.tournament.slug,
        title=str(row),
        stage=row.stage.uid if row.stage else None,
        started_at=row.started_at,
        until=(row.goes_on_at if row.stage is None else None) if row.held_at else ends_at,
        left_s=None if left is None else max(0, round(left.total_seconds())),
        goes_on_at=row.goes_on_at if row.held_at else None,
        last_hand=row.last_hand,
        table=table,
        extra=extra,
        tables=tables,
    )
