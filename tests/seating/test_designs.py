"""Designs with a symmetry: whole games, and those with no repeated meeting."""

import pytest

from tournament.seating import even_sizes
from tournament.seating.designs import Games, shifted, turned
from tournament.seating.drawing import numbers
from tournament.seating.evening import repeats_in


def whole(games: Games, people: int, sizes: tuple[int, ...]) -> bool:
    return all(
        sorted(person for table in game for person in table) == list(range(people))
        and tuple(map(len, game)) == sizes
        for game in games
    )


@pytest.mark.parametrize(
    ("people", "tables", "games"), [(9, 3, 4), (25, 5, 6), (49, 7, 8), (28, 7, 5), (22, 5, 5)]
)
def test_shifted_rows_meet_once(people: int, tables: int, games: int) -> None:
    drawn = shifted(people, tables, games)
    assert len(drawn) == games
    assert whole(drawn, people, even_sizes(people, tables))
    assert repeats_in(drawn) == 0


@pytest.mark.parametrize(("people", "tables", "games"), [(15, 5, 7), (16, 4, 5), (24, 6, 7)])
def test_turned_game_meets_once(people: int, tables: int, games: int) -> None:
    drawn = turned(people, even_sizes(people, tables), games, numbers("x"))
    assert drawn is not None
    assert whole(drawn, people, even_sizes(people, tables))
    assert repeats_in(drawn) == 0


@pytest.mark.parametrize(
    ("people", "tables", "games"), [(7, 3, 1), (26, 4, 4), (11, 5, 4), (5, 5, 3), (12, 1, 4), (13, 5, 3)]
)
def test_designs_seat_everyone_in_every_game(people: int, tables: int, games: int) -> None:
    sizes = even_sizes(people, tables)
    assert whole(shifted(people, tables, games), people, sizes)
    assert whole(turned(people, sizes, games, numbers("x")) or [], people, sizes)


def test_no_starter_is_sought_where_some_must_meet_again_or_too_many_stay() -> None:
    assert turned(24, even_sizes(24, 4), 4, numbers("x")) is None
    assert turned(12, even_sizes(12, 4), 6, numbers("x")) is None
    assert turned(21, even_sizes(21, 5), 8, numbers("x")) is None
