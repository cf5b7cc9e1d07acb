"""Designs with a symmetry: whole games, and those with no repeated meeting."""

import pytest

from tournament.seating import even_sizes
from tournament.seating.evening import repeats_in
from tournament.seating.search import STARTERS, Games, shifted, turned


def whole(games: Games, people: int, sizes: tuple[int, ...]) -> bool:
    return all(
        sorted(person for table in game for person in table) == list(range(people))
        and tuple(map(len, game)) == sizes
        for game in games
    )


@pytest.mark.parametrize(
    ("people", "tables", "games"),
    [
        *((9, 3, 4), (25, 5, 6), (49, 7, 8), (28, 7, 5), (22, 5, 5)),
        *((16, 4, 5), (40, 8, 8), (64, 8, 9), (81, 9, 10), (47, 9, 9)),
    ],
)
def test_shifted_rows_meet_once(people: int, tables: int, games: int) -> None:
    drawn = shifted(people, tables, games)
    assert len(drawn) == games
    assert whole(drawn, people, even_sizes(people, tables))
    assert repeats_in(drawn) == 0


@pytest.mark.parametrize(("people", "tables", "games"), STARTERS)
def test_turned_game_meets_once(people: int, tables: int, games: int) -> None:
    starters = STARTERS[people, tables, games]
    drawn = turned(people, starters, games // len(starters))
    assert len(drawn) == games
    assert whole(drawn, people, even_sizes(people, tables))
    assert repeats_in(drawn) == 0


@pytest.mark.parametrize(("people", "tables", "games"), [(7, 3, 1), (26, 4, 4), (5, 5, 3), (12, 1, 4)])
def test_other_designs_seat_everyone_in_every_game(people: int, tables: int, games: int) -> None:
    assert whole(shifted(people, tables, games), people, even_sizes(people, tables))
