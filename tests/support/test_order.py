"""Each process begins with its share of the long modules, and none is lost or torn apart."""

from dataclasses import dataclass

import pytest

from tests.support.order import shared_out


@dataclass(frozen=True)
class Case:
    nodeid: str
    marker: str = ""

    def get_closest_marker(self, name: str) -> object:
        return self.marker == name or None


def module(name: str, cases: int, marker: str = "") -> list[Case]:
    return [Case(f"{name}::test_{number}", marker) for number in range(cases)]


TESTS = [
    *module("a", 7),
    *module("b", 3, "browser"),
    *module("c", 5),
    *module("d", 1, "server"),
    *module("e", 6),
]


@pytest.mark.parametrize("processes", [1, 2, 3, 22, 40])
def test_each_test_runs_once(processes: int) -> None:
    assert sorted(case.nodeid for case in shared_out(TESTS, processes)) == sorted(
        case.nodeid for case in TESTS
    )


def test_each_process_begins_with_long_modules() -> None:
    first, second = shared_out(TESTS, 2)[:11], shared_out(TESTS, 2)[11:]
    assert first[:3] == TESTS[7:10]
    assert second[:1] == TESTS[15:16]
    assert all(not case.marker for case in [*first[3:], *second[1:]])
