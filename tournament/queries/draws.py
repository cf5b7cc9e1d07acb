"""Database access for seat draws (`tournament.seating`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from json import dumps, loads
from typing import Any
from uuid import UUID

from tournament.models import Apart, Draw, LedgerRow, Play, Result, Seat, Stage, Tournament
from tournament.results import COUNTS, grouped
from tournament.seating import DrawRecord, Impossible, Moved


@dataclass(frozen=True, slots=True)
class Drawn:
    """A stage's last draw, saved `at`; `moved`: players now seated elsewhere."""

    record: DrawRecord
    number: int
    at: datetime | None
    moved: tuple[Moved, ...]

    @property
    def public(self) -> dict[str, Any]:
        """The record for the public, without the pairs to seat apart."""
        record = self.record.as_json()
        return record | {"apart": "not published"} if self.record.apart else record


def last_draw(stage: Stage) -> Drawn | None:
    """The draw that the stage's seats follow, or None."""
    draw = Draw.objects.filter(stage=stage).order_by("-number").first()
    if draw is None or not draw.record:
        return None
    out = Seat.objects.filter(table__stage=stage).exclude(out_as="").values_list("entry__uid", flat=True)
    try:
        record = _kept(dumps(draw.record))
        moved = record.moved(seating_now(stage), out={str(uid) for uid in out})
    except (ValueError, Impossible):  # drawn by an older version
        return None
    rows = LedgerRow.objects.filter(tournament=stage.tournament, payload__draw__has_key=str(draw.uid))
    return Drawn(record, draw.number, rows.values_list("at", flat=True).first(), tuple(moved))


class _Kept(DrawRecord):
    @cached_property
    def _seats(self) -> dict[int, list[str]]:
        return super().seats()

    def seats(self) -> dict[int, list[str]]:
        return self._seats


@lru_cache(maxsize=50)
def _kept(record: str) -> DrawRecord:
    return _Kept.from_json(loads(record))


def seating_now(stage: Stage) -> dict[int, list[str]]:
    """Players still in (uids as text), clockwise, by table number."""
    tables: dict[int, list[str]] = {number: [] for number in stage.tables.values_list("number", flat=True)}
    seats = Seat.objects.filter(table__stage=stage, out_as="").order_by("table__number", "position")
    for number, uid in seats.values_list("table__number", "entry__uid"):
        tables[number].append(str(uid))
    return tables


def played_before(tournament: Tournament) -> list[list[list[str]]]:
    """Seatings played, tables clockwise: each session game; each match and heat once. Unplayed draws do not count."""
    results = Result.objects.filter(
        play__table__stage__tournament=tournament,
        play__table__stage__kind=Stage.Kind.SESSION,
        play__state__in=[*COUNTS, Play.State.RUNNING],
    ).order_by("play__table__number", "pk")
    begun = Play.objects.filter(table__stage__tournament=tournament, state__in=COUNTS)
    seats = (
        Seat.objects.filter(table__in=begun.order_by().values("table"))
        .exclude(table__stage__kind=Stage.Kind.SESSION)
        .order_by("table__number", "position")
    )
    games = results.values_list("play__table__stage__number", "play__number", "play_id", "entry__uid")
    tables = seats.values_list("table__stage__number", "table_id", "entry__uid")
    return [
        *_seatings(((stage, game), play, uid) for stage, game, play, uid in games),
        *_seatings(((stage, 0), table, uid) for stage, table, uid in tables),
    ]


def _seatings(rows: Iterable[tuple[tuple[int, int], int, UUID]]) -> list[list[list[str]]]:
    games = grouped((number, (table, str(uid))) for number, table, uid in rows)
    return [list(grouped(seated).values()) for _number, seated in sorted(games.items())]


def pairs_apart(tournament: Tournament) -> list[tuple[UUID, UUID]]:
    """Pairs of entry uids to seat apart; for organisers only."""
    return list(Apart.objects.filter(tournament=tournament).values_list("first__uid", "second__uid"))
