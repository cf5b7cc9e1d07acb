"""histories.py finds each kind of anomaly in a history that was made wrong on purpose, and none in a right one."""

import random
from dataclasses import replace

import pytest

from tests.faults.histories import Operation, anomalies

FIRST = Operation(0, 1, "accepted", 1, "a", command="first")


def write(  # noqa: PLR0917 - the columns of a table
    start: float, end: float, command: str, expected: int, version: int, value: str
) -> Operation:
    return Operation(start, end, "accepted", version, value, command, expected)


def refused(start: float, end: float, command: str, expected: int, version: int) -> Operation:
    return Operation(start, end, "refused", version, "", command, expected)


def read(start: float, end: float, version: int, value: str) -> Operation:
    return Operation(start, end, "accepted", version, value)


RIGHT = [
    write(2, 5, "one", 1, 4, "b"),
    read(3, 6, 1, "a"),
    read(4, 5.5, 4, "b"),
    refused(3, 7, "two", 1, 4),
    write(8, 9, "two again", 4, 6, "c"),
    write(10, 11, "one", 1, 4, "b"),  # sent again: told what it made then
    read(12, 13, 6, "c"),
]
LEDGER = {"first": 1, "one": 4, "two again": 6}


def test_nothing_is_found_in_a_right_history() -> None:
    assert anomalies(FIRST, RIGHT, LEDGER) == []


def test_a_write_whose_answer_was_lost_may_have_come_at_any_time() -> None:
    lost = Operation(7, 7.5, "unknown", None, "d", "lost", 4)
    late = write(9, 10, "after", 5, 7, "e")
    stored = LEDGER | {"lost": 5, "after": 7}
    stored.pop("two again")
    known = RIGHT[:4]
    assert anomalies(FIRST, [*known, lost, late], stored) == []
    assert anomalies(FIRST, [*known, lost], {"first": 1, "one": 4}) == []


@pytest.mark.parametrize(
    ("found", "operations", "ledger"),
    [
        (
            "lost update: 6 replaced 1 while 4 was there",
            [write(2, 5, "one", 1, 4, "b"), write(2, 5, "two", 1, 6, "c")],
            {"one": 4, "two": 6},
        ),
        (
            "doubled command: one made [4, 6]",
            [write(2, 3, "one", 1, 4, "b"), write(4, 5, "one", 1, 6, "b")],
            {"one": 4},
        ),
        (
            "doubled command: ['one', 'two'] made 4",
            [write(2, 5, "one", 1, 4, "b"), write(2, 5, "two", 1, 4, "c")],
            {"one": 4, "two": 4},
        ),
        ("lost write: one was accepted as 4", [write(2, 5, "one", 1, 4, "b")], {}),
        ("refused but done: one", [refused(2, 5, "one", 1, 4)], {"one": 4}),
        ("dirty read: 4 was never written", [read(2, 3, 4, "b")], {}),
        ("dirty read: 1 is 'a' and was read as 'b'", [read(2, 3, 1, "b")], {}),
        (
            "dirty read: 5 was never written",
            [write(2, 3, "one", 1, 4, "b"), refused(4, 5, "two", 1, 5)],
            {"one": 4},
        ),
        (
            "out of order: 1 after 4",
            [write(2, 3, "one", 1, 4, "b"), read(4, 5, 1, "a")],
            {"one": 4},
        ),
        (
            "out of order: 1 after 4",
            [write(2, 9, "one", 1, 4, "b"), read(3, 4, 4, "b"), read(5, 6, 1, "a")],
            {"one": 4},
        ),
        (
            "from the future: 4",
            [read(2, 3, 4, "b"), write(5, 6, "one", 1, 4, "b")],
            {"one": 4},
        ),
        ("refused for nothing: one named 1", [refused(2, 3, "one", 1, 1)], {}),
        (
            "refused for nothing: two named 1",
            [refused(2, 3, "two", 1, 4), write(4, 5, "one", 1, 4, "b")],
            {"one": 4},
        ),
    ],
    ids=[
        "two writes replaced the same version",
        "a command made two versions",
        "two commands made one version",
        "an accepted write is gone",
        "a refused write is there",
        "a version that nobody wrote",
        "a version with what another holds",
        "a conflict that names what nobody wrote",
        "a read after a write saw what was before",
        "a read after a read saw what was before",
        "a read saw what was not begun",
        "a conflict with itself",
        "a conflict with what comes later",
    ],
)
def test_an_anomaly_is_found(found: str, operations: list[Operation], ledger: dict[str, int]) -> None:
    assert found in anomalies(FIRST, operations, {"first": 1, **ledger})


def made_up(chance: random.Random) -> tuple[list[Operation], dict[str, int]]:
    """A history as a thing with versions gives it: each operation happens at one moment between its start and end."""
    version, value, ledger = 1, "a", {"first": 1}
    seen = [1]
    operations = []
    for number in range(20):
        at = 2.0 + number
        start, end = at - chance.uniform(0.1, 1.9), at + chance.uniform(0.1, 3)
        if chance.random() < 0.4:
            operations.append(read(start, end, version, value))
            continue
        expected, command = chance.choice(seen[-2:]), f"c{number}"
        if expected != version:
            operations.append(refused(start, end, command, expected, version))
            continue
        version, value = version + chance.randint(1, 3), f"v{number}"
        seen.append(version)
        ledger[command] = version
        made = write(start, end, command, expected, version, value)
        operations.append(made if chance.random() < 0.8 else replace(made, outcome="unknown", version=None))
    return operations, ledger


def test_nothing_is_found_in_made_up_histories_and_any_forgotten_write_is() -> None:
    chance = random.Random(7)
    for _ in range(200):
        operations, ledger = made_up(chance)
        assert anomalies(FIRST, operations, ledger) == []
        accepted = [each.command for each in operations if each.writes and each.outcome == "accepted"]
        for command in accepted:
            assert anomalies(FIRST, operations, {k: v for k, v in ledger.items() if k != command})


def test_a_read_of_the_version_before_is_found_wherever_it_is_put() -> None:
    chance = random.Random(8)
    for _ in range(100):
        operations, ledger = made_up(chance)
        values = {
            each.version: each.value
            for each in operations
            if each.writes and each.outcome == "accepted" and each.version is not None
        }
        *_, before, last = sorted([1, *values])
        late = max(each.end for each in operations) + 1
        stale = read(late, late + 1, before, values.get(before, "a"))
        assert any("out of order" in each for each in anomalies(FIRST, [*operations, stale], ledger)), last
