"""Checks what several clients of several servers saw of one thing with versions, a play at a table: whether there is
one order in which it all happened one after the other, each operation at a moment between its start and its end.

A write names the version that it replaces and takes a new, greater one; a read gives a version and what it holds. Since
every version is made by one write only, that order is the order of the versions, and what contradicts it can be named:

    lost update       a write replaced another version than the last before it
    doubled command   one command made two versions, or two commands made one
    lost write        an accepted write is not in the ledger
    refused but done  a refused one is
    dirty read        a version, or what it holds, that no accepted write made
    out of order      something that began after another had ended saw, or made, an older version
    from the future   something saw a version before the write that made it began
    refused for nothing   a write was refused although nothing newer than what it named was there

Pure: values in, words out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Outcome = Literal["accepted", "refused", "unknown"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One client's request for one thing. Times are of one clock, in any unit.

    A write has a `command`, the version it `expected` to replace, and the `value` it brings; `version` is the one that
    it made or, when it was refused, the one that it was told. A read has "" as its command, and what it saw. "unknown"
    is a write whose answer was lost. A command that is sent again is another operation of the same command.
    """

    start: float
    end: float
    outcome: Outcome
    version: int | None = None
    value: str = ""
    command: str = ""
    expected: int | None = None

    @property
    def writes(self) -> bool:
        return bool(self.command)


def anomalies(first: Operation, operations: Iterable[Operation], ledger: Mapping[str, int]) -> list[str]:
    """List what contradicts one order, in words; empty for a history in which nothing went wrong.

    `first` is the write that made the first version, before everything else. `ledger` is what is stored at the end: the
    version that each command of this thing made.
    """
    told = sorted(operations, key=lambda each: each.start)
    writes = [first, *(each for each in told if each.writes)]
    made = _stored(writes, ledger)
    return [
        *_doubled(writes, ledger),
        *_kept(writes, ledger),
        *_lost_updates(made),
        *_dirty(told, made),
        *_out_of_order(told, made),
        *_for_nothing(told, made),
    ]


def _stored(writes: Sequence[Operation], ledger: Mapping[str, int]) -> dict[int, Operation]:
    """The write that made each stored version, from its first sending to the first word that it is done; one whose
    answer was lost may have happened at any time after its start."""
    made: dict[int, Operation] = {}
    for write in sorted(writes, key=lambda each: each.start):
        version = ledger.get(write.command)
        if version is None:
            continue
        end = write.end if write.outcome == "accepted" else float("inf")
        before = made.get(version)
        if before is None:
            made[version] = replace(write, version=version, end=end)
        elif before.command == write.command:
            made[version] = replace(before, end=min(before.end, end))
    return dict(sorted(made.items()))


def _doubled(writes: Sequence[Operation], ledger: Mapping[str, int]) -> Iterable[str]:
    versions: dict[str, set[int]] = {}
    for write in writes:
        if write.outcome == "accepted" and write.version is not None:
            versions.setdefault(write.command, set()).add(write.version)
    for command, found in versions.items():
        if len(found) > 1:
            yield f"doubled command: {command} made {sorted(found)}"
    makers: dict[int, set[str]] = {}
    for command, version in ledger.items():
        makers.setdefault(version, set()).add(command)
    for command, found in versions.items():
        for version in found:
            makers.setdefault(version, set()).add(command)
    for version, commands in makers.items():
        if len(commands) > 1:
            yield f"doubled command: {sorted(commands)} made {version}"


def _kept(writes: Sequence[Operation], ledger: Mapping[str, int]) -> Iterable[str]:
    accepted = {write.command for write in writes if write.outcome == "accepted"}
    unknown = {write.command for write in writes if write.outcome == "unknown"}
    for write in writes:
        if write.outcome == "accepted" and ledger.get(write.command) != write.version:
            yield f"lost write: {write.command} was accepted as {write.version}"
        elif write.outcome == "refused" and write.command in ledger.keys() - accepted - unknown:
            yield f"refused but done: {write.command}"


def _lost_updates(made: Mapping[int, Operation]) -> Iterable[str]:
    before: int | None = None
    for version, write in made.items():
        if before is not None and write.expected != before:
            yield f"lost update: {version} replaced {write.expected} while {before} was there"
        before = version


def _dirty(told: Iterable[Operation], made: Mapping[int, Operation]) -> Iterable[str]:
    for each in told:
        if each.outcome == "unknown" or each.version is None or (each.writes and each.outcome == "accepted"):
            continue
        maker = made.get(each.version)
        if maker is None:
            yield f"dirty read: {each.version} was never written"
        elif not each.writes and each.value != maker.value:
            yield f"dirty read: {each.version} is {maker.value!r} and was read as {each.value!r}"


def _out_of_order(told: Sequence[Operation], made: Mapping[int, Operation]) -> Iterable[str]:
    """Real time: who begins after somebody ended sees no older version; nobody sees what was not begun."""
    seen = [each for each in told if each.outcome != "unknown" and each.version is not None]
    first_of = {write.command: write for write in made.values()}
    ended = sorted(seen, key=lambda each: each.end)
    newest, upto = 0, 0
    for each in seen:  # by their starts
        while upto < len(ended) and ended[upto].end < each.start:
            newest = max(newest, ended[upto].version or 0)
            upto += 1
        version = each.version or 0
        again = each.writes and each.outcome == "accepted" and first_of[each.command].start < each.start \
            if each.command in first_of else False  # fmt: skip
        if version < newest and not again:  # a command that is sent again is told what it made then
            yield f"out of order: {version} after {newest}"
        maker = made.get(version)
        if maker is not None and each.end < maker.start:
            yield f"from the future: {version}"


def _for_nothing(told: Iterable[Operation], made: Mapping[int, Operation]) -> Iterable[str]:
    versions = list(made)
    for each in told:
        if not each.writes or each.outcome != "refused":
            continue
        if each.expected is None or each.expected not in made:
            continue
        place = versions.index(each.expected)
        next_one = made[versions[place + 1]] if place + 1 < len(versions) else None
        if made[each.expected].end < each.start and (next_one is None or next_one.start > each.end):
            yield f"refused for nothing: {each.command} named {each.expected}"
