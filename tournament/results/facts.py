"""Rows as ids and numbers, for the ledger, `verify` and score sheets; no names or free text.

Plays are frozen: actions compute with them before writing. Derived values are cached on a play and cleared by
`replace`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cache, partial
from typing import Any, TypeVar, cast
from uuid import UUID

from django.db import models
from django.db.models import QuerySet

from tournament.models import LEDGER_KINDS, Play, PublicModel, Result, User

Hand = Mapping[str, int]
Key = TypeVar("Key")
Value = TypeVar("Value")
LONG_AGO, AFTER_ALL = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
IN_PLAY: Mapping[str, Any] = {"out_as": "", "out_from": None, "left_from": None, "left_at": None}


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """A player's row of a play; see `tournament.models.Result`."""

    uid: UUID
    entry: UUID
    outcome: str = Result.Outcome.PLAYING
    elapsed_s: int | None = None
    hand: Hand = field(default_factory=dict)
    finish: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {"uid": str(self.uid)} | _facts(Result, self)


@dataclass(frozen=True, slots=True)
class PlayFacts:
    """A play with ordered results; see `tournament.models.Play`."""

    uid: UUID
    table: UUID
    number: int
    state: str
    results: tuple[ResultFacts, ...] = ()
    started_at: datetime | None = None
    other_start: datetime | None = None
    entered_at: datetime | None = None
    ended: str = ""
    duration_s: int | None = None
    decks: int | None = None
    last_cards: Hand = field(default_factory=dict)
    drew: UUID | None = None
    advance: int | None = None
    second_look: str = ""
    version: int = field(default=0, compare=False)  # ledger sequence that wrote it
    kept: dict[object, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def ejected(self) -> tuple[UUID, ...]:
        """Entries ejected in this play."""
        if "ejected" not in self.kept:
            self.kept["ejected"] = tuple(row.entry for row in self.with_outcome(Result.Outcome.EJECTED))
        return cast("tuple[UUID, ...]", self.kept["ejected"])

    @property
    def began(self) -> datetime:
        """Start of a session's game, else first entry, also of a race's; LONG_AGO for other plays.

        Disputed start: entry if a player was ejected, else the earliest, so unconfirmed times void no game.
        """
        began = self.started_at
        if self.other_start:
            began = None if self.ejected else min(starts_of(self))
        return LONG_AGO if self.entered_at is None else began or self.entered_at

    def result_of(self, entry: UUID) -> ResultFacts | None:
        """The player's row, or None."""
        return next((result for result in self.results if result.entry == entry), None)

    def with_outcome(self, outcome: str) -> tuple[ResultFacts, ...]:
        return tuple(result for result in self.results if result.outcome == outcome)

    def as_json(self) -> dict[str, Any]:
        return _facts(Play, self) | {"results": [result.as_json() for result in self.results]}

    @classmethod
    def from_json(cls, uid: str, data: Mapping[str, Any]) -> "PlayFacts":
        """Parse the JSON of `as_json`."""
        results = (ResultFacts(UUID(row["uid"]), **values_in(Result, row)) for row in data["results"])
        return cls(UUID(uid), results=tuple(results), **values_in(Play, data))


def starts_of(play: PlayFacts | Play) -> list[datetime]:
    """Possible starts of a game, the effective one first; empty if unknown."""
    began = play.started_at or (play.other_start and play.entered_at)
    return [at for at in (began, play.other_start) if at]


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat; see `tournament.models.Seat`. `table`: its number."""

    entry: UUID
    table: int
    position: int
    out_as: str = ""
    out_from: int | None = None
    left_from: int | None = None
    left_at: datetime | None = None


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Values by key, in order."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def plays_in(plays: QuerySet[Play]) -> list[PlayFacts]:
    """Plays by number, in two queries."""
    entries: dict[UUID, UUID] = {}  # one object per player
    rows = Result.objects.filter(play__in=plays.order_by().values("pk")).order_by("pk")
    results = grouped(
        (play, ResultFacts(uid, entries.setdefault(entry, entry), *row))
        for play, uid, entry, *row in rows.values_list("play_id", "uid", *columns(Result))
    )
    names = [line.name for line in Play.FIELDS.ledger]
    return [
        PlayFacts(
            uid, results=tuple(results.get(key, ())), version=version, **dict(zip(names, row, strict=True))
        )
        for key, uid, version, *row in plays.order_by("number", "pk").values_list(
            "pk", "uid", "version", *columns(Play)
        )
    ]


def in_order(plays: Iterable[PlayFacts], table_numbers: Mapping[UUID, int]) -> tuple[PlayFacts, ...]:
    """Sort into sheet order."""
    return tuple(sorted(plays, key=partial(sheet_order, table_numbers)))


def sheet_order(table_numbers: Mapping[UUID, int], play: PlayFacts) -> tuple[datetime, int, int]:
    """Sort key: games by start or entry; the rest by number, then table."""
    return play.began, play.number, table_numbers[play.table]


def order_of_leaving(seats: Sequence[SeatFacts], following: int, *, stopped: bool) -> dict[UUID, int]:
    """Leaving order of players out of a match, from 1; joint departures share a number.

    `following`: next round's number. Between rounds by time; players named by a round left together, last.
    Departures from a stopped match go by time once it continues.
    """

    def moment(seat: SeatFacts) -> tuple[int, datetime]:
        out_from = seat.out_from or 0
        if seat.left_at is None or seat.left_from != out_from:
            return out_from, AFTER_ALL
        return out_from if stopped else min(out_from, following), seat.left_at

    moments = {seat.entry: moment(seat) for seat in seats if seat.out_as}
    numbers = {at: number for number, at in enumerate(sorted(set(moments.values())), 1)}
    return {entry: numbers[at] for entry, at in moments.items()}


def values_of(row: PublicModel) -> dict[str, Any]:
    """Fact values by field name; refs are uids."""
    values = {line.name: getattr(row, line.name) for line in type(row).FIELDS.ledger}
    return values | {
        name: value.uid for name, value in values.items() if isinstance(value, PublicModel | User)
    }


def columns(model: type[PublicModel]) -> list[str]:
    """Query columns for the facts; refs as uids."""
    refs = refs_of(model)
    return [f"{line.name}__uid" if line.name in refs else line.name for line in model.FIELDS.ledger]


@cache
def refs_of(model: type[PublicModel]) -> dict[str, type[Any]]:
    """Reference fields of the facts and their models."""
    targets = {line.name: model._meta.get_field(line.name).related_model for line in model.FIELDS.ledger}
    return {name: target for name, target in targets.items() if isinstance(target, type)}


def kind_of(row: PublicModel) -> str:
    """The model's name in the ledger; KeyError if none."""
    return _KINDS[type(row)]


def facts_of(row: PublicModel) -> dict[str, Any]:
    """A stored row's facts as JSON."""
    if isinstance(row, Play):
        return plays_in(Play.objects.filter(pk=row.pk))[0].as_json()
    return _facts(type(row), row)


def values_in(model: type[PublicModel], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Field values from facts; refs are uids; fields missing in older facts get their default."""
    values: dict[str, Any] = {}
    for name, key, default, read in _readers(model):
        value = facts[key] if default is None or key in facts else default()
        values[name] = read(value) if read and value is not None else value
    return values


PLAIN = frozenset({type(None), bool, int, str})
WRITE: dict[type[Any], Callable[[Any], Any]] = {
    UUID: str,
    dict: dict,
    date: date.isoformat,
    time: time.isoformat,
    datetime: lambda at: at.astimezone(UTC).isoformat(),
}
READ: dict[type[Any], Callable[[str], Any]] = {
    models.DateTimeField: datetime.fromisoformat,
    models.DateField: date.fromisoformat,
    models.TimeField: time.fromisoformat,
    models.UUIDField: UUID,
    models.ForeignKey: UUID,
}


def json_of(value: Any) -> Any:
    """Field value in JSON: rows and users by uid, times in UTC."""
    if type(value) in WRITE:
        return WRITE[type(value)](value)
    if isinstance(value, str):  # a choice
        return str(value)
    return str(value.uid) if isinstance(value, PublicModel | User) else value


def _facts(model: type[PublicModel], row: object) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for line in model.FIELDS.ledger:
        value = getattr(row, line.name)
        if type(value) not in PLAIN:
            value = json_of(value)
        if line.ledger == 1 or (line.beside in facts if line.beside else value):
            facts[line.called or line.name] = value
    return facts


@cache
def _readers(model: type[PublicModel]) -> list[tuple[str, str, Callable[[], Any] | None, Any]]:
    """List name, facts key, default factory (if added later) and parser of each field."""
    return [
        (
            line.name,
            line.called or line.name,
            None if line.ledger == 1 else column.get_default,
            READ.get(type(column)),
        )
        for line in model.FIELDS.ledger
        for column in [cast("Any", model._meta.get_field(line.name))]
    ]


_KINDS = {model: kind for kind, model in LEDGER_KINDS.items()}
