"""Undo: which ledger rows can be undone, and the resulting facts. Reads only; actions/event/undo.py writes.

Conflicts are per fact: a new start number does not block the undo of a check-in, a new state does.

| refused | when |
| --- | --- |
| `too_old` | older than a day |
| `cannot_be_undone` | declared with another way back, or names lost |
| `already_undone` | by a row that still holds |
| `changed_since` | same facts changed, or stage moved on |
| `in_use_since` | an entry's seat, a table's result, an invite's role |
| `next_stage_began` | heats would run again after it |
| `last_organiser` | none would be left |
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import UniqueConstraint
from django.utils import timezone

from tournament.models import LEDGER_KINDS, Entry, LedgerRow, Membership, Stage, Tournament, User
from tournament.permissions import ACTIONS, RANK, Undo, least_role, rank
from tournament.results import Fault, grouped, kind_of
from tournament.words.formats import to_the_minute

# ---- Changes of facts by an undo ----

Key = tuple[str, str]  # kind, uid
Facts = Mapping[str, Any]  # facts of one row


@dataclass(frozen=True, slots=True)
class Change:
    """A row's facts `now` and `then` (after the undo); None for no row."""

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
    """`now` with these facts as they were `before`."""
    kept = {name: value for name, value in now.items() if name not in names}
    return kept | {name: before[name] for name in names if name in before}


def texts_in(value: Any) -> set[str]:
    """All texts in a value, with ids."""
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
    """A tournament's history: facts of rows by kind and uid, before and after ledger rows by sequence."""

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
        return self._now.get(kind, {})

    def at_present(self, key: Key) -> Facts | None:
        return self.now(key[0]).get(key[1])

    def before(self, key: Key, sequence: int) -> Facts | None:
        earlier = [facts for number, facts in self._versions.get(key, ()) if number < sequence]
        return earlier[-1] if earlier else None

    def after(self, key: Key, sequence: int) -> Facts | None:
        return self.before(key, sequence + 1)

    def last(self, key: Key) -> Facts | None:
        """The row's last facts, even if it was deleted."""
        return next((facts for _number, facts in reversed(self._versions.get(key, [])) if facts), None)

    @cached_property
    def naming(self) -> dict[str, list[Key]]:
        """Present rows that name a row, by its uid."""
        return grouped(
            (text, (kind, uid))
            for kind, rows in self._now.items()
            for uid, facts in rows.items()
            for text in texts_in(facts)
            if text in self.kinds
        )

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
        """Last writer of the row (of `fact`) after `since`, but for undone writes."""
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


# ---- Obstacles to an undo of facts that nothing changed since ----


# Kinds with names or texts, which the ledger lacks
NAMED = {kind for kind, model in LEDGER_KINDS.items() if not model.FIELDS.again}

# Unique fields by kind
UNIQUE: dict[str, list[tuple[str, ...]]] = {
    kind: [
        tuple(name for name in constraint.fields if name != "tournament")
        for constraint in model._meta.constraints
        if isinstance(constraint, UniqueConstraint) and constraint.condition is None
    ]
    for kind, model in LEDGER_KINDS.items()
}
NOTHING = Change(None, None)

# Later rows that block putting back a player's state
IN_THE_WAY_OF: dict[str, frozenset[str]] = {
    **dict.fromkeys(map(str, Entry.EXPECTED), frozenset({"play"})),
    **dict.fromkeys(map(str, Entry.ASKING), frozenset({"play", "seat"})),
    **dict.fromkeys(map(str, Entry.OUT), frozenset({"seat"})),
}


@dataclass(frozen=True, slots=True)
class Obstacles:
    """Obstacles to the `changes` that undo ledger row `sequence`."""

    history: History
    changes: Mapping[Key, Change]
    sequence: int

    def faults(self) -> Iterator[Fault]:
        """All obstacles; none if the undo is possible."""
        for (kind, _uid), change in self.changes.items():
            if change.now is None and kind in NAMED:
                yield cannot("names_gone")
            if change.then is None and kind in NAMED - {"entry", "pastresult"}:
                yield cannot("at_table" if kind == "play" else "again")
        yield from self._references()
        yield from self._seen()
        yield from self._stages()
        yield from self._doubles()
        yield from self._whole()

    def _references(self) -> Iterator[Fault]:
        """A row that goes must not be named by one that stays, nor a row that comes name one that is gone."""
        for (_kind, uid), change in self.changes.items():
            for key in self.history.naming.get(uid, ()) if change.then is None else ():
                other = self.changes.get(key)
                if other is None or uid in texts_in(other.then):
                    yield self._since("in_use_since", key)
        for change in self.changes.values():
            for uid in texts_in(change.then):
                if kind := self.history.kinds.get(uid):
                    key = (kind, uid)
                    then = self.changes[key].then if key in self.changes else self.history.at_present(key)
                    if then is None:
                        yield self._since("changed_since", key)

    def _seen(self) -> Iterator[Fault]:
        for (kind, uid), change in self.changes.items():
            if kind != "entry" or not change.moves("state"):
                continue
            stands_in = IN_THE_WAY_OF.get((change.then or {})["state"], frozenset())
            for key in self.history.naming.get(uid, ()):
                since = self.history.after(key, self.sequence) != self.history.at_present(key)
                if since and key[0] in stands_in and key not in self.changes:
                    yield self._since("in_use_since", key)

    def _stages(self) -> Iterator[Fault]:
        for stage in self._concerned():
            key = ("stage", stage)
            was, now = self.history.after(key, self.sequence), self.history.at_present(key)
            if was and now and was["state"] != now["state"]:
                yield self._since("changed_since", key, "state")
            if any(map(self.changes.get(key, NOTHING).moves, ("state", "settings"))):
                yield from self._moves(key)
        yield from self._played(
            {
                facts["table"]
                for (kind, _uid), change in self.changes.items()
                if kind == "seat"
                for facts in (change.now, change.then)
                if facts
            }
        )

    def _moves(self, key: Key) -> Iterator[Fault]:
        tables = {uid for uid, facts in self.history.now("table").items() if facts["stage"] == key[1]}
        yield from self._played(tables)
        for uid, facts in self.history.now("seat").items():
            before = self.history.after(("seat", uid), self.sequence)
            if facts["table"] in tables and before and facts["out_as"] != before["out_as"]:
                yield self._since("changed_since", ("seat", uid))
        then = self.changes[key].then or {}
        if kind_of(then["kind"]).one_play and then["state"] == Stage.State.RUNNING:
            later = [facts for _uid, facts in self._rows_then("stage") if facts["number"] > then["number"]]
            if any(facts["state"] != Stage.State.PLANNED for facts in later):
                yield Fault("next_stage_began", "/row")

    def _played(self, tables: set[str]) -> Iterator[Fault]:
        for uid, facts in self.history.now("play").items():
            if facts["table"] in tables and self.history.after(("play", uid), self.sequence) != facts:
                yield self._since("in_use_since", ("play", uid))

    def _doubles(self) -> Iterator[Fault]:
        for kind in {kind for kind, _uid in self.changes}:
            for names in UNIQUE[kind]:
                rows = self._rows_then(kind)
                yield from self._twice(
                    kind, ((uid, tuple(facts.get(name) for name in names)) for uid, facts in rows)
                )
        if self._touches("seat"):
            stages = {uid: facts["stage"] for uid, facts in self._rows_then("table")}
            seats = [(uid, facts) for uid, facts in self._rows_then("seat") if not facts["out_as"]]
            yield from self._twice(
                "seat", ((uid, (stages.get(facts["table"]), facts["entry"])) for uid, facts in seats)
            )

    def _twice(self, kind: str, values: Iterable[tuple[str, object]]) -> Iterator[Fault]:
        taken: dict[object, str] = {}
        for uid, value in values:
            if (other := taken.setdefault(value, uid)) != uid:
                yield self._since("changed_since", (kind, other))

    def _whole(self) -> Iterator[Fault]:
        stages = [facts for _uid, facts in self._rows_then("stage")]
        states = {facts["state"] for facts in stages}
        for (kind, _uid), change in self.changes.items():
            if kind == "tournament" and change.moves("state"):
                then = (change.then or {})["state"]
                if then != Tournament.State.RUNNING and not states <= {then}:
                    yield self._moved_on()
        if self._touches("stage") and not _in_row(stages):
            yield self._moved_on()
        if self._touches("draw"):
            of_stage = grouped((facts["stage"], (uid, facts)) for uid, facts in self._rows_then("draw"))
            for draws in of_stage.values():
                if not _in_row([facts for _uid, facts in draws]):
                    last, _facts = max(draws, key=lambda draw: int(draw[1]["number"]))
                    yield self._since("changed_since", ("draw", last))
        roles = {facts["role"] for _uid, facts in self._rows_then("membership")}
        if self._touches("membership") and Membership.Role.ORGANISER not in roles:
            yield Fault("last_organiser", "/row")

    def _touches(self, kind: str) -> bool:
        return any(each == kind for each, _uid in self.changes)

    def _moved_on(self) -> Fault:
        return self.history.by("changed_since", self.history.who_moved_on(self.sequence))

    def _concerned(self) -> set[str]:
        stages: set[str] = set()
        for (kind, uid), change in self.changes.items():
            stays = change.now and change.then and differing(change.now, change.then)
            if kind == "stage" and stays and stays <= {"plan", "first_plan"}:
                continue  # programme times may always change
            for facts in filter(None, (change.now, change.then)):
                if kind == "stage":
                    stages.add(uid)
                elif kind in {"seat", "play"}:
                    stages.add((self.history.last(("table", facts["table"])) or {})["stage"])
                elif kind in {"table", "decision", "draw"}:
                    stages.add(facts["stage"])
        return stages

    def _rows_then(self, kind: str) -> Iterable[tuple[str, Facts]]:
        for uid, facts in self.history.now(kind).items():
            if (kind, uid) not in self.changes:
                yield uid, facts
        for (each, uid), change in self.changes.items():
            if each == kind and change.then is not None:
                yield uid, change.then

    def _since(self, code: str, key: Key, fact: str = "") -> Fault:
        return self.history.by(code, self.history.who_wrote(key, self.sequence, fact))


def cannot(why: Undo) -> Fault:
    """Fault `cannot_be_undone`; `why` is worded in words/faults.py."""
    return Fault("cannot_be_undone", "/row", {"why": why})


def _in_row(rows: Sequence[Facts]) -> bool:
    """Numbers must be 1, 2, 3 ..."""
    return sorted(facts["number"] for facts in rows) == list(range(1, len(rows) + 1))


# ---- Which actions can be undone, by whom, with what result ----


WITHIN = timedelta(days=1)
AT_TABLE = "undo_at_table"  # undoes rows of one table


def can_be_undone(action: str) -> bool:
    """Whether the action is declared with undo "ledger"."""
    declared = ACTIONS.get(action)
    return declared is not None and declared.undo == "ledger"


def why_not_undone(action: str) -> Undo | None:
    """Why the action has no ledger undo; None if it has one, or is unknown."""
    declared = ACTIONS.get(action)
    return declared.undo if declared and declared.undo != "ledger" else None


def may_undo(user: User, action: str, tournament: Tournament, table: UUID | None = None) -> bool:
    """Whether the user may undo this action at `table`: if they may do it; organisers, if players do it by link."""
    return rank_to_undo(action, AT_TABLE if table else UNDO) <= rank(user, tournament, table)


def rank_to_undo(action: str, by: str = UNDO) -> int:
    """Least rank (permissions.py) that may undo this action, `by` this one."""
    roles = (least_role(each) or Membership.Role.ORGANISER for each in (by, action))
    return max(RANK[role] for role in roles)


def undoing_of(history: History, sequence: int, at: datetime | None = None) -> Undoing | None:
    """Undoing of the row as of `at` (default: now); None without such a row."""
    one = history.done.get(sequence)
    if one is None:
        return None
    first, again = history.first(one)
    made = Undoing(sequence, first.action, one.at, again)
    fault = _closed(history, one, first, at or timezone.now())
    if fault:
        return replace(made, fault=fault)
    changes: dict[Key, Change] = {}
    for kind, touched in one.payload.items():
        for uid, after in touched.items():
            key = (kind, uid)
            before, now = history.before(key, sequence), history.at_present(key)
            names = differing(before, after)
            if not names:
                continue
            if is_blocked(before=before, after=after, now=now):
                return replace(made, fault=history.by("changed_since", history.who_wrote(key, sequence)))
            then = before if before is None or now is None else put_back(now, before, names)
            changes[key] = Change(now, then)
    if not changes:
        return replace(made, fault=cannot("again"))
    fault = next(Obstacles(history, changes, sequence).faults(), None)
    return replace(made, fault=fault) if fault else replace(made, changes=changes)


def _closed(history: History, one: Done, first: Done, at: datetime) -> Fault | None:
    if one.sequence in history.undone:
        return history.by("already_undone", history.done[history.undone[one.sequence]])
    if why := why_not_undone(first.action):
        return cannot(why)
    return Fault("too_old", "/row") if at - one.at > WITHIN else None
