"""Database access for seat draws (tournament/seating)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from json import dumps, loads
from typing import Any
from uuid import UUID

from scoring import RaceStanding
from tournament.ledger.undoing import History
from tournament.models import Apart, Draw, Entry, LedgerRow, Play, Result, Seat, Stage, Tournament, User
from tournament.queries.chain import Chain
from tournament.results import COUNTS, grouped, kind_of, stage_results
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
        """The record without the pairs to seat apart."""
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


def evening_of(stage: Stage) -> DrawRecord | None:
    """The stage's last draw if it seats all games of an evening."""
    record = stage.draw
    try:
        return _kept(dumps(record)) if record.get("evening") else None
    except ValueError:  # drawn by another version
        return None


class _Kept(DrawRecord):
    @cached_property
    def _seats(self) -> dict[int, list[str]]:
        return super().seats()

    def seats(self) -> dict[int, list[str]]:
        return self._seats


@lru_cache(maxsize=50)
def _kept(record: str) -> DrawRecord:
    return _Kept.from_json(loads(record))


def may_sit(stage: Stage) -> dict[str, Entry]:
    """Entries that can be seated in the stage by its source, by uid as text, in start order, with players."""
    entries = Entry.objects.filter(tournament=stage.tournament).to_seat()
    source = Chain(stage.tournament).sources[stage.number]
    if source.parts:
        entries = entries.filter(seats__table__stage=stage).distinct()
    elif source.division:
        entries = entries.filter(division=source.division)
    return {str(entry.uid): entry for entry in entries.select_related("player").order_by("start_number")}


def seating_now(stage: Stage) -> dict[int, list[str]]:
    """Players still in (uids as text), clockwise, by table number."""
    tables: dict[int, list[str]] = {number: [] for number in stage.tables.values_list("number", flat=True)}
    seats = Seat.objects.filter(table__stage=stage, out_as="").order_by("table__number", "position")
    for number, uid in seats.values_list("table__number", "entry__uid"):
        tables[number].append(str(uid))
    return tables


def played_before(tournament: Tournament) -> list[list[list[str]]]:
    """Seatings played, tables clockwise: each game between which seats change; each match and heat once."""
    changing = [kind for kind in Stage.Kind if kind_of(kind).seats_change]
    results = Result.objects.filter(
        play__table__stage__tournament=tournament,
        play__table__stage__kind__in=changing,
        play__state__in=[*COUNTS, Play.State.RUNNING],
    ).order_by("play__table__number", "pk")
    begun = Play.objects.filter(table__stage__tournament=tournament, state__in=COUNTS)
    seats = (
        Seat.objects.filter(table__in=begun.order_by().values("table"))
        .exclude(table__stage__kind__in=changing)
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


def played_all(stage: Stage) -> frozenset[str]:
    """Players (uids as text) who have played all games that a race at changing tables allows."""
    most = stage.settings.get("max_games")
    if most is None or not kind_of(stage.kind).seats_change:
        return frozenset()
    rows = (row for results in stage_results(stage) for row in results.answer.standings)
    return frozenset(row.player for row in rows if isinstance(row, RaceStanding) and row.games >= most)


def pairs_apart(tournament: Tournament) -> list[tuple[UUID, UUID]]:
    """Pairs of entry uids to seat apart; for organisers only."""
    return list(Apart.objects.filter(tournament=tournament).values_list("first__uid", "second__uid"))


# ---- Optimistic lock for the seating form ----

_LETTERS = 8  # of a uid, distinct within a stage


def seats_text(tables: Mapping[int, Sequence[object]]) -> str:
    """Token of seats (uids by table number, clockwise): "1:0a1b2c3d,4e5f6a7b;2:…"; "0" without seats."""
    parts = [
        f"{number}:{','.join(map(_short, players))}" for number, players in sorted(tables.items()) if players
    ]
    return ";".join(parts) or "0"


def changed_since(seen: str, tables: Mapping[int, Sequence[object]], here: Collection[object]) -> bool:
    """Whether players still `here` sit differently than in `seen`; departures do not count."""
    still = {_short(player) for player in here}
    return _places(seen, still) != _places(seats_text(tables), still)


def places_seen(seen: str, entries: Collection[str]) -> dict[str, tuple[int, int]]:
    """Table and seat in `seen`, by entry uid as text."""
    places = {
        player: (int(number), seat)
        for number, players in _tables(seen).items()
        if number.isascii() and number.isdigit() and len(number) < 9
        for seat, player in enumerate(players, 1)
    }
    return {entry: places[_short(entry)] for entry in entries if _short(entry) in places}


def _short(player: object) -> str:
    return str(player)[:_LETTERS]


def _places(text: str, still: Collection[str]) -> dict[str, list[str]]:
    tables = {
        number: [player for player in players if player in still] for number, players in _tables(text).items()
    }
    return {number: players for number, players in tables.items() if players}


def _tables(text: str) -> dict[str, list[str]]:
    return {
        number: players.split(",")
        for number, _colon, players in (part.partition(":") for part in text.split(";"))
    }


PLACE = ("table", "entry", "position")


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """Changes since page load: token of `seats` now, last changed by `who` and `at` ("", None: unknown)."""

    seats: str
    who: str = ""
    at: datetime | None = None


def meanwhile(stage: Stage, seats: str) -> Meanwhile:
    """Last change of the stage's seats; `seats`: their present token."""
    history = History(stage.tournament)
    for sequence, done in reversed(history.done.items()):
        for uid in done.payload.get("seat", ()):
            before, after = (side(("seat", uid), sequence) or {} for side in (history.before, history.after))
            table = history.last(("table", (after or before).get("table", ""))) or {}
            moved = any(before.get(fact) != after.get(fact) for fact in PLACE)
            if moved and table.get("stage") == str(stage.uid):
                return Meanwhile(seats, User.objects.get(pk=done.actor).display_name(), done.at)
    return Meanwhile(seats)
