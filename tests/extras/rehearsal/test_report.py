"""The report's sums, and that what went wrong is found: an entry lost, one doubled, standings that do not follow."""

import copy
from dataclasses import replace
from typing import Any, cast

import pytest

from scoring import score
from tournament.extras.rehearsal.phones import Sent
from tournament.extras.rehearsal.plan import Size
from tournament.extras.rehearsal.report import (
    Found,
    Memory,
    Report,
    Spread,
    busiest,
    compare,
    counted,
    differing,
    memory_of_processes,
    spread_of,
)
from tournament.extras.rehearsal.watchers import Watcher, freshness

NOTHING = Found((), (), ())
QUICK = Spread(100, 0.05, 0.2, 0.5, 0.9)


def saved(command: str, sequence: int, took: float | None = 0.1, **more: object) -> Sent:
    return Sent(command, "out", "saved", sequence, float(sequence), took, took or 5.0, tries=1 if took else 2)


def rows(*commands: str) -> list[dict[str, object]]:
    return [{"sequence": number, "command": command} for number, command in enumerate(commands, 1)]


def report(**more: object) -> Report:
    of = counted([saved("a", 1)], NOTHING) | {"entry": QUICK, "freshness": QUICK, "waited": QUICK}
    usual = {
        "name": "Rehearsal", "began": "2026-11-22", "machine": "2 processors", "size": Size(), "took": 60.0,
        "statuses": {"200": 1}, "never_fresh": 0, "behind": 0, "streams_cut": 0,
        "memory": [Memory(100.0, 109.0, 112.0, 60.0)], "load": (), "wrong": (),
    }  # fmt: skip
    return Report(**{**of, **usual, **more})


def test_everything_acknowledged_is_there_once() -> None:
    unheard = Sent("c", "out")  # the server may have it or not
    assert compare([saved("a", 2), saved("b", 3), unheard], rows("setting up", "a", "b", "c")) == NOTHING
    assert compare([saved("a", 2), saved("b", 3), unheard], rows("setting up", "a", "b")) == NOTHING


def test_a_lost_entry_is_found() -> None:
    found = compare([saved("a", 2), saved("b", 3)], rows("setting up", "a"))
    assert found == Found(("b",), (), ())
    assert compare([saved("a", 1)], rows("another", "a")).lost == ("a",)  # not in the row that was named


def test_a_doubled_entry_is_found_also_one_that_was_never_answered() -> None:
    assert compare([saved("a", 1), Sent("b", "out")], rows("a", "a", "b", "b")).doubled == ("a", "b")


def test_a_row_that_is_missing_is_found() -> None:
    assert compare([saved("a", 1)], [*rows("a"), {"sequence": 3, "command": "x"}]).gaps == (2,)


@pytest.mark.parametrize(
    ("values", "spread"),
    [
        ([], Spread(0, 0.0, 0.0, 0.0, 0.0)),
        ([3.0], Spread(1, 3.0, 3.0, 3.0, 3.0)),
        ([float(each) for each in range(100, 0, -1)], Spread(100, 50.0, 95.0, 99.0, 100.0)),
    ],
    ids=["none", "one", "hundred"],
)
def test_spread(values: list[float], spread: Spread) -> None:
    assert spread_of(values) == spread


@pytest.mark.parametrize(
    ("moments", "a_second"),
    [([], 0.0), ([5.0], 0.1), ([9.0, 0.0, 30.0, 10.0, 18.9, 19.0], 0.3)],
    ids=["none", "one", "several"],
)
def test_busiest_ten_seconds(moments: list[float], a_second: float) -> None:
    assert busiest(moments) == a_second


def test_entries_that_a_fault_disturbed_have_a_spread_of_their_own() -> None:
    sent = [saved("a", 1), saved("b", 2, None), Sent("c", "out", "conflict", second=True), Sent("d", "end")]
    sums = counted(sent, Found(("a",), ("b", "c"), ()))
    assert {name: sums[name] for name in ("sent", "acknowledged", "lost", "doubled", "unanswered")} == {
        "sent": 4, "acknowledged": 2, "lost": 1, "doubled": 2, "unanswered": 1
    }  # fmt: skip
    assert (sums["conflicts"], sums["conflicts_expected"], sums["retried"]) == (1, 1, 1)
    assert (sums["entry"].count, sums["entry"].most, sums["waited"].most) == (1, 0.1, 5.0)


def test_memory_is_that_of_each_process_that_lived_long_enough() -> None:
    first = [(float(at), 1, 100.0 + at) for at in range(50)]
    second = [(50.0 + at, 2, 80.0) for at in range(40)]
    short = [(95.0, 3, 70.0), (99.0, 3, 70.0)]
    found = memory_of_processes([*first, *second, *short], 100)
    assert found == [Memory(110.0, 149.0, 149.0, 49.0), Memory(80.0, 80.0, 80.0, 39.0)]


def test_freshness_counts_from_the_answer_to_the_first_page_that_is_not_older() -> None:
    class Crowd:
        watchers = [Watcher(cast(Any, None))]  # it only holds what it saw

    Crowd.watchers[0].versions.extend([3, 5])
    Crowd.watchers[0].versions_at.extend([10.0, 12.0])
    crowd: Any = Crowd()
    took, never = freshness([crowd], [(9.0, 2), (10.5, 3), (11.0, 4), (13.0, 6)])
    assert (took, never) == ([1.0, 0.0, 1.0], 1)


def test_report_says_yes_within_the_aims() -> None:
    said = report()
    assert (said.passed, said.as_json()["passed"]) == (True, True)
    assert said.as_text().startswith("YES: this server can run 1,000 players")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"lost": 1}, "WRONG: 1 acknowledged entries were lost."),
        ({"doubled": 2}, "WRONG: 2 entries were counted twice."),
        ({"unanswered": 1}, "WRONG: 1 entries were never answered."),
        ({"conflicts": 1}, "WRONG: 1 conflicts instead of 0."),
        ({"statuses": {"200": 5, "500": 3}}, "WRONG: 3 answers were server errors."),
        ({"wrong": ["The standings differ."]}, "WRONG: The standings differ."),
        ({"entry": replace(QUICK, p95=0.31)}, "SLOW:  Saving is slow: 95 of 100 within 310 ms"),
        ({"entry": replace(QUICK, p99=1.1)}, "SLOW:  Saving is slow"),
        ({"freshness": replace(QUICK, p95=2.1)}, "SLOW:  Screens are late: 95 of 100 within 2,100 ms"),
        ({"memory": [Memory(100.0, 111.0, 111.0, 60.0)]}, "SLOW:  Memory grew from 100 to 111 MB."),
    ],
    ids=["lost", "doubled", "unanswered", "conflict", "error", "standings", "p95", "p99", "late", "memory"],
)
def test_report_says_no_and_why(change: dict[str, object], says: str) -> None:
    said = report(**change)
    assert not said.passed
    assert said.as_text().startswith("NO: this server cannot run")
    assert says in said.as_text()


def test_standings_that_do_not_follow_from_their_sheet_are_found() -> None:
    sheet = {
        "sheet": 1, "kind": "match", "ruleset": "mattel-108", "settings": {"target": 500},
        "players": [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}],
        "rounds": [{"number": 1, "winner": "a", "hands": {"b": {"7": 1}}}],
    }  # fmt: skip
    answer = score(sheet).as_json()
    sheets = {"sheets": [{"table": "t", "sheet": sheet}]}
    assert differing(sheets, {"contests": [{"answer": answer}]}) == []
    wrong: Any = copy.deepcopy(answer)
    wrong["standings"][0]["points"] = 8
    assert differing(sheets, {"contests": [{"answer": wrong}]}) == ["t"]
