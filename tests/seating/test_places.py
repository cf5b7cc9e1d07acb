"""Places at the tables of an evening, as evenly as can be."""

from collections import Counter
from random import Random

from hypothesis import given, strategies as st

from tournament.seating import even_sizes, positions_in
from tournament.seating.search import places


def shuffled(people: int, tables: int, games: int, seed: int) -> list[list[list[int]]]:
    """Seats without any thought, from game to game."""
    chance, order, drawn = Random(seed), list(range(people)), []
    for _ in range(games):
        chance.shuffle(order)
        rest = iter(order)
        drawn.append([[next(rest) for _ in range(size)] for size in even_sizes(people, tables)])
    return drawn


@given(people=st.integers(1, 30), tables=st.integers(1, 8), games=st.integers(1, 9), seed=st.integers(0, 99))
def test_each_sits_at_each_place_as_often_as_can_be(people: int, tables: int, games: int, seed: int) -> None:
    before = shuffled(max(people, tables), tables, games, seed)
    after = places(before)
    assert [[sorted(table) for table in game] for game in after] == [
        [sorted(table) for table in game] for game in before
    ]
    smallest, largest = (take(map(len, before[0])) for take in (min, max))
    larger = Counter(player for game in before for table in game if len(table) > smallest for player in table)
    for player, sat in positions_in(after).items():
        times = [sat[place] for place in range(1, smallest + 1)]
        assert max(times) - min(times) <= 1
        if largest > smallest:
            assert larger[player] // largest <= sat[largest] <= -(-larger[player] // largest)
