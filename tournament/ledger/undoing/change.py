"""The changes of facts that undoing one ledger row makes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tournament.results import Fault

Key = tuple[str, str]  # a kind and a uid
Facts = Mapping[str, Any]  # one row's


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one row by an undo: its facts `now` and `then`; None where there is no such row."""

    now: Facts | None
    then: Facts | None

    def moves(self, fact: str) -> bool:
        """Tell whether the fact changes in a row that exists before and after."""
        return bool(self.now and self.then and self.now.get(fact) != self.then.get(fact))


@dataclass(frozen=True, slots=True)
class Undoing:
    """The undo of the ledger row `sequence`: the `action` (of an undone undo, the one that was done first) and the
    `changes` by kind and uid. `again`: it does the action again. `fault` tells why it is impossible; then nothing
    changes.
    """

    sequence: int
    action: str
    at: datetime
    again: bool = False
    changes: Mapping[Key, Change] = field(default_factory=dict)
    fault: Fault | None = None

    def of(self, kind: str) -> dict[str, Change]:
        """Give the changes of one kind, by uid."""
        return {uid: change for (each, uid), change in self.changes.items() if each == kind}


def differing(one: Facts | None, other: Facts | None) -> set[str]:
    """List the facts in which two versions of a row differ; all of them if there is only one version."""
    if one is None or other is None:
        return set(one or other or ())
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def is_blocked(before: Facts | None, after: Facts | None, now: Facts | None) -> bool:
    """Tell whether a fact that changed from `before` to `after` has changed again since."""
    if before is None or after is None or now is None:
        return now != after
    return any(now.get(name) != after.get(name) for name in differing(before, after))


def put_back(now: Facts, before: Facts, names: Iterable[str]) -> Facts:
    """Give the row as it is now, with the facts of these names as they were."""
    kept = {name: value for name, value in now.items() if name not in names}
    return kept | {name: before[name] for name in names if name in before}


def texts_in(value: Any) -> set[str]:
    """Yield every text in the facts of a row, among them the ids that it names."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return {text for each in value.values() for text in texts_in(each)} | set(value)
    if isinstance(value, list | tuple):
        return {text for each in value for text in texts_in(each)}
    return set()
