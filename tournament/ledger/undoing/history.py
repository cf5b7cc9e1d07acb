"""A tournament's ledger, read once: all versions of facts, and authors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils import timezone

from tournament.models import LedgerRow, Tournament, User
from tournament.results import Fault, grouped
from tournament.words.formats import to_the_minute

# ---- Changes of facts by an undo ----

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


def is_blocked(*, before: Facts | None, after: Facts | None, now: Facts | None) -> bool:
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


UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Done:
    """A ledger row."""

    sequence: int
    at: datetime
    actor: int
    action: str
    replaces: int | None
    payload: Mapping[str, Mapping[str, Facts | None]]


class History:
    """A tournament's history. Rows are keyed by kind and uid, ledger rows by sequence."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        ledger = LedgerRow.objects.filter(tournament=tournament).order_by("sequence")
        rows = ledger.values_list("sequence", "at", "actor_id", "action", "replaces", "payload")
        self.done = {row[0]: Done(*row) for row in rows}
        self._versions: dict[Key, list[tuple[int, Facts | None]]] = grouped(
            ((kind, uid), (one.sequence, facts))
            for one in self.done.values()
            for kind, touched in one.payload.items()
            for uid, facts in touched.items()
        )
        self.kinds = {uid: kind for kind, uid in self._versions}
        self._now: dict[str, dict[str, Facts]] = {}
        for (kind, uid), versions in self._versions.items():
            facts = versions[-1][1]
            if facts is not None:
                self._now.setdefault(kind, {})[uid] = facts

    def now(self, kind: str) -> Mapping[str, Facts]:
        """Present rows of a kind, by uid."""
        return self._now.get(kind, {})

    def at_present(self, key: Key) -> Facts | None:
        """The row's present facts, or None."""
        return self.now(key[0]).get(key[1])

    def before(self, key: Key, sequence: int) -> Facts | None:
        """The row's facts before that ledger row."""
        earlier = [facts for number, facts in self._versions.get(key, ()) if number < sequence]
        return earlier[-1] if earlier else None

    def after(self, key: Key, sequence: int) -> Facts | None:
        """The row's facts after that ledger row."""
        return self.before(key, sequence + 1)

    def last(self, key: Key) -> Facts | None:
        """The row's last facts, even if it was deleted."""
        return next((facts for _number, facts in reversed(self._versions.get(key, [])) if facts), None)

    @cached_property
    def naming(self) -> dict[str, list[Key]]:
        """Present rows that refer to a row, by its uid."""
        return grouped(
            (text, (kind, uid))
            for kind, rows in self._now.items()
            for uid, facts in rows.items()
            for text in texts_in(facts)
            if text in self.kinds
        )

    # ---- authors ----

    @cached_property
    def undone(self) -> dict[int, int]:
        """Undone rows, each with the row that undid it, unless undone itself."""
        undone: dict[int, int] = {}
        for one in reversed(self.done.values()):
            if one.action == UNDO and one.replaces and one.sequence not in undone:
                undone[one.replaces] = one.sequence
        return undone

    def first(self, one: Done) -> tuple[Done, bool]:
        """Original row behind undos of undos, and whether undoing `one` redoes it."""
        again = False
        while one.action == UNDO and one.replaces in self.done:
            one, again = self.done[one.replaces], not again
        return one, again

    def who_wrote(self, key: Key, since: int, fact: str = "") -> Done:
        """Last writer of the row (of `fact`) after `since`, ignoring undone writes."""
        previous = self.after(key, since) or {}
        writers = []
        for number, facts in self._versions.get(key, ()):
            if number > since:
                if not fact or (facts or {}).get(fact) != previous.get(fact):
                    writers.append(number)
                previous = facts or {}
        return self._last(writers, since)

    def who_moved_on(self, since: int) -> Done:
        """Last writer of any stage after `since`."""
        return self._last([n for n, one in self.done.items() if n > since and "stage" in one.payload], since)

    def by(self, code: str, one: Done) -> Fault:
        """Fault with actor, time, row and action."""
        said: dict[str, str | int] = {
            "who": self._people[one.actor],
            "at": to_the_minute(timezone.localtime(one.at, self.tournament.zone)),
            "number": one.sequence,
            "did": one.action,
        }
        return Fault(code, "/row", said)

    @cached_property
    def _people(self) -> dict[int, str]:
        actors = {one.actor for one in self.done.values()}
        return {user.pk: user.display_name() for user in User.objects.filter(pk__in=actors)}

    def _last(self, numbers: Sequence[int], since: int) -> Done:
        standing = [
            number
            for number in numbers
            if number not in self.undone
            and not (self.done[number].action == UNDO and (self.done[number].replaces or 0) > since)
        ]
        return self.done[(standing or numbers or [max(self.done)])[-1]]
