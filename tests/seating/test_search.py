"""Trading places until the company is as good as it gets."""

from itertools import count

import pytest

from tournament.seating.drawing import Dislikes, cost_of, improve, numbers

NOBODY = [-1] * 6
MET = [{1: 10}, {0: 10}, {3: 10}, {2: 10}, {}, {}]


def test_what_a_company_costs_is_each_meeting_once_and_the_squares_of_each_group() -> None:
    assert cost_of([0, 0, 1, 1, 0, 1], Dislikes(MET, NOBODY, 0, 1)) == 20
    assert cost_of([0, 1, 0, 1, 0, 1], Dislikes(MET, NOBODY, 0, 1)) == 0
    groups = [0, 0, 0, 1, -1, -1]
    assert cost_of([0, 0, 1, 1, 0, 1], Dislikes([{}] * 6, groups, 3, 1)) == 3 * (4 + 1 + 1)


@pytest.mark.parametrize("seed", range(5))
def test_who_met_is_parted_and_the_sizes_stay(seed: int) -> None:
    at = [0, 0, 1, 1, 0, 1]
    found = improve(at, Dislikes(MET, NOBODY, 0, 10), numbers(str(seed)), 2_000)
    assert cost_of(found, Dislikes(MET, NOBODY, 0, 10)) == 0
    assert sorted(found) == sorted(at)


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_spread(seed: int) -> None:
    dislikes = Dislikes([{}] * 6, [0, 0, 0, 1, 1, -1], 1, 2)
    found = improve([0, 0, 0, 1, 1, 1], dislikes, numbers(str(seed)), 2_000)
    assert cost_of(found, dislikes) == 4 + 1 + 1 + 1


def test_the_same_chance_gives_the_same_company() -> None:
    dislikes = Dislikes([{(n + 1) % 6: 5, (n - 1) % 6: 5} for n in range(6)], NOBODY, 0, 5)
    first, again = (improve([0, 0, 0, 1, 1, 1], dislikes, numbers("seed"), 500) for _ in range(2))
    assert first == again


def test_a_search_stops_where_nothing_can_be_better() -> None:
    chance = count()
    assert improve([0, 0, 0], Dislikes(MET, NOBODY, 0, 1), chance, 100) == [0, 0, 0]
    assert improve([0, 1, 0, 1, 0, 1], Dislikes(MET, NOBODY, 0, 1), chance, 100) == [0, 1, 0, 1, 0, 1]
    assert improve([0, 0, 1, 1, 0, 1], Dislikes(MET, NOBODY, 0, 1), chance, 100, good=20) == [
        0,
        0,
        1,
        1,
        0,
        1,
    ]
    assert next(chance) == 0, "no number of the chance was taken"
