"""Seats around a table."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, permutations

from hypothesis import given, settings, strategies as st

from tests.seating.cases import crowd
from tests.seating.test_met import evening
from tournament.seating import beside_in, draw, positions_in, repeated

Sat = dict[int, dict[int, int]]


def again(table: list[int] | tuple[int, ...], sat: Sat) -> int:
    """The squares of how often each sat in the place before."""
    return sum(sat.get(player, {}).get(position, 0) ** 2 for position, player in enumerate(table, start=1))


def old_neighbours(table: list[int] | tuple[int, ...], beside: Mapping[frozenset[int], int]) -> int:
    return sum(beside.get(pair, 0) for pair in beside_in([[table]]))


@given(
    players=st.integers(1, 6),
    sat=st.dictionaries(
        st.integers(1, 6), st.dictionaries(st.integers(1, 6), st.integers(0, 3), max_size=6), max_size=6
    ),
    pairs=st.lists(st.sampled_from(list(combinations(range(1, 7), 2))), max_size=8),
)
@settings(deadline=None)
def test_old_places_and_then_old_neighbours_are_as_few_as_possible(
    players: int, sat: Sat, pairs: list[tuple[int, int]]
) -> None:
    beside = Counter(map(frozenset, pairs))
    (table,) = draw(crowd(players), (players,), "x", positions=sat, beside=beside)
    assert (again(table, sat), old_neighbours(table, beside)) == min(
        (again(order, sat), old_neighbours(order, beside)) for order in permutations(table)
    )


def test_everybody_has_sat_everywhere_after_as_many_games_as_places() -> None:
    sat = positions_in(evening(6, 1, 6, "x"))
    assert all(sorted(places) == [1, 2, 3, 4, 5, 6] for places in sat.values())


def test_neighbours_change_where_possible() -> None:
    assert repeated(beside_in(evening(7, 1, 2, "x"))) == 0
    assert repeated(beside_in(evening(10, 1, 3, "x"))) == 0


def test_neighbours_change_even_where_old_places_must_come_again() -> None:
    past = [[[1, 2, 3, 4, 5]]] * 5
    places = {player: dict.fromkeys(range(1, 6), 1) for player in range(1, 6)}
    (table,) = draw(crowd(5), (5,), "x", positions=places, beside=beside_in(past))
    old = beside_in(past)
    assert not any(old[pair] for pair in beside_in([[table]]))
