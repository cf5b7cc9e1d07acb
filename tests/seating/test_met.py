"""Meeting new people: repeated meetings over the games of an evening."""

from collections import Counter
from random import Random

import pytest

from tests.seating.cases import crowd, together
from tournament.seating import beside_in, draw, even_sizes, met_in, positions_in, repeated

Seats = list[list[int]]


def evening(players: int, tables: int, games: int, seed: str) -> list[Seats]:
    """The seats of each game, drawn one after the other."""
    past: list[Seats] = []
    for game in range(games):
        seats = draw(
            crowd(players),
            even_sizes(players, tables),
            f"{seed}-{game}",
            met=met_in(past),
            positions=positions_in(past),
            beside=beside_in(past),
        )
        past.append(seats)
    return past


def at_random(players: int, tables: int, games: int, chance: Random) -> list[Seats]:
    """The reference: everybody shuffled and dealt for each game."""
    past = []
    for _ in range(games):
        order = list(range(1, players + 1))
        chance.shuffle(order)
        past.append([order[first::tables] for first in range(tables)])
    return past


@pytest.mark.parametrize("seed", ["one", "two", "three", "483920", ""])
@pytest.mark.sweep
def test_repeated_meetings_are_at_most_half_of_those_of_random_draws(seed: str) -> None:
    """24 players at 4 tables over 4 games, against the mean of 100 random evenings (about 68)."""
    chance = Random(1)
    random = [repeated(met_in(at_random(24, 4, 4, chance))) for _ in range(100)]
    assert 60 < sum(random) / 100 < 75
    assert repeated(met_in(evening(24, 4, 4, seed))) <= sum(random) / 100 / 2


@pytest.mark.parametrize(("players", "tables", "games"), [(16, 4, 3), (9, 3, 4), (60, 10, 3), (100, 25, 3)])
def test_nobody_is_met_twice_where_that_can_be(players: int, tables: int, games: int) -> None:
    """Nine players meet everybody in 4 games at tables of 3, each once."""
    assert repeated(met_in(evening(players, tables, games, "x"))) == 0


def test_keeping_apart_goes_before_new_company() -> None:
    past = [[[1, 2], [3, 4]]]
    seats = draw(crowd(4), (2, 2), "x", met=met_in(past), apart=[(1, 3), (1, 4)])
    assert together(seats, [(1, 2), (3, 4)]) != []
    assert together(seats, [(1, 3), (1, 4)]) == []


def test_people_who_are_not_drawn_do_not_matter() -> None:
    met = met_in([[[1, 2, 99], [3, 4, 98]]])
    seats = draw(
        crowd(4), (2, 2), "x", met=met, positions={99: {1: 3}}, beside=Counter({frozenset((1, 99)): 2})
    )
    assert together(seats, [(1, 2), (3, 4)]) == []


def test_meetings_are_counted_by_pairs() -> None:
    past: list[list[list[int | None]]] = [[[1, 2, 3]], [[1, 2], [3, None]], [[2, 1]]]
    met = met_in(past)
    assert met == {frozenset((1, 2)): 3, frozenset((1, 3)): 1, frozenset((2, 3)): 1}
    assert repeated(met) == 2


def test_positions_and_neighbours_are_counted() -> None:
    past: list[list[list[int | None]]] = [[[1, 2, 3, 4]], [[2, None, 1]]]
    assert positions_in(past) == {1: {1: 1, 3: 1}, 2: {2: 1, 1: 1}, 3: {3: 1}, 4: {4: 1}}
    assert beside_in(past) == Counter(
        {
            frozenset((1, 2)): 2,  # the last sits beside the first
            frozenset((2, 3)): 1,
            frozenset((3, 4)): 1,
            frozenset((1, 4)): 1,
        }
    )


def test_two_at_a_table_are_neighbours_once() -> None:
    assert beside_in([[[1, 2]], [[3]]]) == {frozenset((1, 2)): 1}
