"""Facts as ids and numbers: the ledger keeps them, `verify` compares them and the bridge builds sheets from them.

A play is a frozen dataclass, since actions compute with plays before they write them; everything else is a small dict.
No names and no free text are in here. Since a play is immutable, values derived from it are cached with it (`kept`);
`replace` gives a play with an empty cache.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cache
from typing import Any, TypeVar, cast
from uuid import UUID

from django.db import models
from django.db.models import QuerySet

from tournament.models import LEDGER_KINDS, Play, PublicModel, Result, User

Hand = Mapping[str, int]
Key = TypeVar("Key")
Value = TypeVar("Value")
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """One player's row of a play; see `tournament.models.Result`."""

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
    """One play with its results, in the order in which they are listed; see `tournament.models.Play`."""

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
    version: int = field(
        default=0, compare=False
    )  # the ledger sequence that wrote it; not a fact of the table
    kept: dict[object, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def ejected(self) -> tuple[UUID, ...]:
        """The players ejected in this play."""
        if "ejected" not in self.kept:
            self.kept["ejected"] = tuple(row.entry for row in self.with_outcome(Result.Outcome.EJECTED))
        ejected: tuple[UUID, ...] = self.kept["ejected"]
        return ejected

    def result_of(self, entry: UUID) -> ResultFacts | None:
        """Find the row of this player, or None for somebody who is not in the play."""
        return next((result for result in self.results if result.entry == entry), None)

    def with_outcome(self, outcome: str) -> tuple[ResultFacts, ...]:
        return tuple(result for result in self.results if result.outcome == outcome)

    def as_json(self) -> dict[str, Any]:
        return _facts(Play, self) | {"results": [result.as_json() for result in self.results]}

    @classmethod
    def from_json(cls, uid: str, data: Mapping[str, Any]) -> "PlayFacts":
        """Read the play that `as_json` wrote, as the ledger keeps it."""
        results = (ResultFacts(UUID(row["uid"]), **values_in(Result, row)) for row in data["results"])
        return cls(UUID(uid), results=tuple(results), **values_in(Play, data))


def starts_of(play: PlayFacts | Play) -> list[datetime]:
    """List the moments in which a game may have begun, the one that counts first; none where nobody knows."""
    began = play.started_at or (play.other_start and play.entered_at)
    return [at for at in (began, play.other_start) if at]


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Collect the values of each key, in the order in which they come."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def plays_in(plays: QuerySet[Play]) -> list[PlayFacts]:
    """Read the facts of these plays by number, in two queries however many there are."""
    entries: dict[UUID, UUID] = {}  # one object for each player, however many results they have
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
    """Sort plays in the order of the sheet: a session's games by when they began, or were first entered where nobody
    knows; games from before that was kept, rounds and heats by number, then by table. A game whose start is in question
    counts as begun when it arrived if somebody was ejected in it, else at the earliest moment: so neither it nor any
    other game loses its count by a time that nobody has confirmed."""

    def key(play: PlayFacts) -> tuple[datetime, int, int]:
        began = play.started_at
        if play.other_start:
            began = None if play.ejected else min(starts_of(play))
        at = LONG_AGO if play.entered_at is None else began or play.entered_at
        return at, play.number, table_numbers[play.table]

    return tuple(sorted(plays, key=key))


def values_of(row: PublicModel) -> dict[str, Any]:
    """Read the values of a row's facts, by field name; refs are uids."""
    values = {line.name: getattr(row, line.name) for line in type(row).FIELDS.ledger}
    return values | {
        name: value.uid for name, value in values.items() if isinstance(value, PublicModel | User)
    }


def columns(model: type[PublicModel]) -> list[str]:
    """List the columns of a query for the facts of such rows, with refs as uids."""
    refs = refs_of(model)
    return [f"{line.name}__uid" if line.name in refs else line.name for line in model.FIELDS.ledger]


@cache
def refs_of(model: type[PublicModel]) -> dict[str, type[Any]]:
    """List the fields with which the facts of such rows refer to others, with the models of those."""
    targets = {line.name: model._meta.get_field(line.name).related_model for line in model.FIELDS.ledger}
    return {name: target for name, target in targets.items() if isinstance(target, type)}


def kind_of(row: PublicModel) -> str:
    """Give the name under which the ledger keeps rows of this model; KeyError if it keeps none."""
    return _KINDS[type(row)]


def facts_of(row: PublicModel) -> dict[str, Any]:
    """Write the facts of a stored row as JSON: ids and numbers only."""
    if isinstance(row, Play):
        return plays_in(Play.objects.filter(pk=row.pk))[0].as_json()
    return _facts(type(row), row)


def values_in(model: type[PublicModel], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Read the values of a row from its facts, by field name; refs are uids. A field that was added later has its
    default in older facts."""
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
    """Write a field's value in JSON: a row or a user by its uid, a moment in UTC."""
    if type(value) in WRITE:
        return WRITE[type(value)](value)
    if isinstance(value, str):  # a choice
        return str(value)
    return str(value.uid) if isinstance(value, PublicModel | User) else value


def _facts(model: type[PublicModel], row: object) -> dict[str, Any]:
    """Give the facts of a row, or of the frozen object that stands for one, by the field table of its model."""
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
    """List each field's name, key in the facts, default factory if it was added later, and reader of its text."""
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
