"""Heats: each rule that one can break, and who goes through."""

import pytest

from scoring import HeatsAnswer, score

from .builders import Json, faults_of, heat, heats
from .fault_cases import HEATS


@pytest.mark.parametrize(("code", "path", "part"), HEATS)
def test_heat_at_fault(code: str, path: str, part: Json) -> None:
    assert faults_of(heats(part, ids="wxyz")) == [(code, "/heats/0" + path)]


def test_who_is_named_twice_is_no_second_time_out_of_it() -> None:
    assert faults_of(heats(heat("abc", "aa", removed=["a"], advance=1))) == [
        ("removed_plays", "/heats/0/finish_order/0"),
        ("duplicate_player", "/heats/0/finish_order/1"),
    ]


def test_the_first_out_of_each_heat_go_through_as_many_as_it_says() -> None:
    answer = score(heats(heat("abc", "cab"), heat("def", "fd", removed=["e"], advance=2)))

    assert isinstance(answer, HeatsAnswer)
    assert answer.finalists == ("c", "f", "d")
    assert [(line.player, line.place, line.advances) for line in answer.lines] == [
        ("a", 2, False),
        ("b", 3, False),
        ("c", 1, True),
        ("d", 2, True),
        ("e", None, False),
        ("f", 1, True),
    ]


def test_heats_are_numbered_in_any_order_and_end_without_those_who_were_removed() -> None:
    second = {**heat("abc", "a", removed=["b", "c"], advance=2), "number": 2}
    answer = score(heats(second, {**heat("def", "d"), "number": 1}))

    assert [heat.number for heat in answer.rounds] == [2, 1]
    assert answer.finalists == ("a", "d")
