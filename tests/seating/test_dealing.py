"""The dealing of seats."""

from hypothesis import given, strategies as st

from tournament.seating import deal


def test_deal_goes_round_the_tables() -> None:
    assert deal([1, 2, 3, 4, 5, 6, 7], 3) == [[1, 4, 7], [2, 5], [3, 6]]


@given(players=st.integers(0, 200), tables=st.integers(-3, 60))
def test_deal_seats_everybody_once_and_evenly(players: int, tables: int) -> None:
    seats = deal(range(players), tables)
    assert sorted(player for table in seats for player in table) == list(range(players))
    sizes = [len(table) for table in seats]
    assert max(sizes) - min(sizes) <= 1
    assert len(seats) == max(1, min(tables, players))
