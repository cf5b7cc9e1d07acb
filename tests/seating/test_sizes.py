"Number of tables, and what would be possible where it cannot be as asked."

import pytest
from hypothesis import assume, given, strategies as st

from tournament.seating import Impossible, even_sizes, plan_tables

maybe = st.none() | st.integers(1, 40)


@pytest.mark.parametrize(
    ("players", "bounds", "sizes"),
    [
        (24, {"least": 3, "most": 6}, (6, 6, 6, 6)),
        (25, {"least": 3, "most": 6}, (5, 5, 5, 5, 5)),
        (26, {"least": 3, "most": 6}, (6, 5, 5, 5, 5)),
        (26, {"least": 3, "most": 6, "tables": 8}, (4, 4, 3, 3, 3, 3, 3, 3)),
        (60, {"least": 3, "most": 6, "tables": 10}, (6,) * 10),
        (5, {"least": 2, "most": 10, "tables": 1}, (5,)),
        (2, {"least": 2, "most": 10}, (2,)),
    ],
)
def test_tables_are_as_many_as_wished_else_as_few_as_the_most_allows(
    players: int, bounds: dict[str, int], sizes: tuple[int, ...]
) -> None:
    assert plan_tables(players, **bounds) == sizes


@pytest.mark.parametrize(
    ("players", "bounds", "code", "parameters"),
    [
        (
            11,
            {"least": 6, "most": 8},
            "sizes_do_not_fit",
            {"players": 11, "least": 6, "most": 8}
            | {"fewer": 1, "fewer_smallest": 11, "fewer_largest": 11}
            | {"more": 2, "more_smallest": 5, "more_largest": 6},
        ),
        (
            12,
            {"least": 3, "most": 6, "tables": 40},  # 40 tables for 12 players are no way out
            "too_many_tables",
            {"players": 12, "least": 3, "most": 6, "have": 40}
            | {"fewer": 4, "fewer_smallest": 3, "fewer_largest": 3},
        ),
        (
            12,
            {"least": 3, "most": 6, "tables": 5},
            "too_many_tables",
            {"players": 12, "least": 3, "most": 6, "have": 5}
            | {"fewer": 4, "fewer_smallest": 3, "fewer_largest": 3}
            | {"more": 5, "more_smallest": 2, "more_largest": 3},
        ),
        (
            60,
            {"least": 3, "most": 6, "tables": 8},
            "too_few_tables",
            {"players": 60, "least": 3, "most": 6, "have": 8}
            | {"fewer": 8, "fewer_smallest": 7, "fewer_largest": 8}
            | {"more": 10, "more_smallest": 6, "more_largest": 6},
        ),
        (2, {"least": 3, "most": 6}, "too_few_players", {"players": 2, "least": 3}),
        (0, {"least": 0, "most": 6}, "too_few_players", {"players": 0, "least": 1}),
        (9, {"least": 6, "most": 5}, "bounds_crossed", {"least": 6, "most": 5}),
        (9, {"least": 3, "most": 5, "tables": 0}, "no_tables", {}),
    ],
)
def test_impossible_sizes_say_what_would_do(
    players: int, bounds: dict[str, int], code: str, parameters: dict[str, int | str]
) -> None:
    with pytest.raises(Impossible) as refused:
        plan_tables(players, **bounds)
    assert (refused.value.code, refused.value.parameters) == (code, parameters)


@given(players=st.integers(0, 60), least=st.integers(1, 12), most=st.integers(1, 12), tables=maybe)
def test_sizes_are_even_and_in_range_wherever_any_are(
    players: int, least: int, most: int, tables: int | None
) -> None:
    fits = [
        count
        for count in range(1, 61)
        if tables in {None, count} and all(least <= size <= most for size in even_sizes(players, count))
    ]
    if fits:
        sizes = plan_tables(players, least=least, most=most, tables=tables)
        assert len(sizes) == fits[0]
        assert sum(sizes) == players
        assert sizes.largest - sizes.smallest <= 1
        assert all(least <= size <= most for size in sizes)
    else:
        with pytest.raises(Impossible):
            plan_tables(players, least=least, most=most, tables=tables)


@given(players=st.integers(1, 60), least=st.integers(1, 12), most=st.integers(1, 12), tables=maybe)
def test_ways_out_are_really_possible(players: int, least: int, most: int, tables: int | None) -> None:
    try:
        plan_tables(players, least=least, most=most, tables=tables)
    except Impossible as caught:
        refusal, numbers = caught, caught.parameters
    else:
        return
    assume(refusal.code in {"sizes_do_not_fit", "too_few_tables", "too_many_tables"})
    assert "fewer" in numbers
    for name in ("fewer", "more"):
        if name in numbers:
            count, smallest, largest = (int(numbers[name + of]) for of in ("", "_smallest", "_largest"))
            way = plan_tables(players, least=min(least, smallest), most=max(most, largest), tables=count)
            assert (way.smallest, way.largest) == (smallest, largest)
