"""The dealing of seats."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.seating import deal, tables_for


def test_deal_without_seed_goes_round_the_tables() -> None:
    assert deal([1, 2, 3, 4, 5, 6, 7], 3) == [[1, 4, 7], [2, 5], [3, 6]]


def test_deal_of_a_seed_is_this_draw_for_ever() -> None:
    """A draw that was published must be repeatable in later years too."""
    assert deal(range(1, 8), 2, "483920") == [[4, 2, 3, 5], [1, 6, 7]]


@given(players=st.integers(0, 200), tables=st.integers(-3, 60), seed=st.text(max_size=8))
def test_deal_seats_everybody_once_and_evenly(players: int, tables: int, seed: str) -> None:
    seats = deal(range(players), tables, seed)
    assert sorted(player for table in seats for player in table) == list(range(players))
    sizes = [len(table) for table in seats]
    assert max(sizes) - min(sizes) <= 1
    assert len(seats) == max(1, min(tables, players))
    assert deal(range(players), tables, seed) == seats


@pytest.mark.parametrize(
    ("players", "kind", "tables"),
    [
        (0, "session", 1),
        (9, "session", 1),
        (11, "session", 2),
        (5, "match", 1),
        (32, "heats", 6),
        (64, "heats", 11),
        (12, "final", 1),
    ],
)
def test_tables_for_a_kind(players: int, kind: str, tables: int) -> None:
    assert tables_for(players, kind) == tables
