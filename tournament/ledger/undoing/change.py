"""Changes of facts by an undo."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tournament.results import Fault

Key = tuple[str, str]  # kind, uid
Facts = Mapping[str, Any]  # facts of one row


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one row: its facts `now` and `then` (after the undo); None for no row."""

    now: Facts | None
    then: Facts | None

    def moves(self, fact: str) -> bool:
        """Whether the fact changes in a row that stays."""
        return bool(self.now and self.then and self.now.get(fact) != self.then.get(fact))


@dataclass(frozen=True, slots=True)
class Undoing:
    """Undo of ledger row `sequence`. `action` is the original one; `again`: the undo redoes it; `changes` by (kind,
    uid), none with a `fault`."""

    sequence: int
    action: str
    at: datetime
    again: bool = False
    changes: Mapping[Key, Change] = field(default_factory=dict)
    fault: Fault | None = None

    def of(self, kind: str) -> dict[str, Change]:
        """Changes of one kind, by uid."""
        return {uid: change for (each, uid), change in self.changes.items() if each == kind}


def differing(one: Facts | None, other: Facts | None) -> set[str]:
    """Facts that differ; all if one version is missing."""
    if one is None or other is None:
        return set(one or other or ())
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def is_blocked(before: Facts | None, after: Facts | None, now: Facts | None) -> bool:
    """Whether a fact changed by the row has changed since."""
    if before is None or after is None or now is None:
        return now != after
    return any(now.get(name) != after.get(name) for name in differing(before, after))


def put_back(now: Facts, before: Facts, names: Iterable[str]) -> Facts:
    """Return `now` with these facts as they were `before`."""
    kept = {name: value for name, value in now.items() if name not in names}
    return kept | {name: before[name] for name in names if name in before}


def texts_in(value: Any) -> set[str]:
    """All texts in a value, including ids."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return {text for each in value.values() for text in texts_in(each)} | set(value)
    if isinstance(value, list | tuple):
        return {text for each in value for text in texts_in(each)}
    return set()
