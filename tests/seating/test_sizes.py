"""How many tables, and what would be possible where it cannot be as asked."""

import pytest
from hypothesis import assume, given, strategies as st

from tournament.seating import Impossible, even_sizes, plan_tables

maybe = st.none() | st.integers(1, 40)


@pytest.mark.parametrize(
    ("players", "bounds", "sizes"),
    [
        (24, {"least": 3, "most": 6}, (6, 6, 6, 6)),
        (25, {"least": 3, "most": 6}, (5, 5, 5, 5, 5)),
        (26, {"least": 3, "most": 6, "tables": 10, "referees": 8}, (6, 5, 5, 5, 5)),
        (60, {"least": 3, "most": 6, "referees": 10}, (6,) * 10),
        (5, {"least": 2, "most": 10, "tables": 1}, (5,)),
        (2, {"least": 2, "most": 10}, (2,)),
    ],
)
def test_tables_are_as_few_as_the_most_allows(
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
            11,
            {"least": 6, "most": 8, "tables": 1},  # a second table is no way out
            "sizes_do_not_fit",
            {"players": 11, "least": 6, "most": 8, "fewer": 1, "fewer_smallest": 11, "fewer_largest": 11},
        ),
        (
            60,
            {"least": 3, "most": 6, "tables": 12, "referees": 8},
            "too_few_tables",
            {"players": 60, "least": 3, "most": 6, "have": 8, "by": "referees"}
            | {"fewer": 8, "fewer_smallest": 7, "fewer_largest": 8}
            | {"more": 10, "more_smallest": 6, "more_largest": 6},
        ),
        (2, {"least": 3, "most": 6}, "too_few_players", {"players": 2, "least": 3}),
        (0, {"least": 0, "most": 6}, "too_few_players", {"players": 0, "least": 1}),
        (9, {"least": 6, "most": 5}, "bounds_crossed", {"least": 6, "most": 5}),
        (9, {"least": 3, "most": 5, "tables": 0}, "no_tables", {"by": "tables"}),
        (9, {"least": 3, "most": 5, "referees": 0}, "no_tables", {"by": "referees"}),
    ],
)
def test_impossible_sizes_say_what_would_do(
    players: int, bounds: dict[str, int], code: str, parameters: dict[str, int | str]
) -> None:
    with pytest.raises(Impossible) as refused:
        plan_tables(players, **bounds)
    assert (refused.value.code, refused.value.parameters) == (code, parameters)


@given(
    players=st.integers(0, 60),
    least=st.integers(1, 12),
    most=st.integers(1, 12),
    tables=maybe,
    referees=maybe,
)
def test_sizes_are_even_and_in_range_wherever_any_are(
    players: int, least: int, most: int, tables: int | None, referees: int | None
) -> None:
    have = min(there for there in (tables, referees, 60) if there is not None)
    fits = [
        count
        for count in range(1, have + 1)
        if all(least <= size <= most for size in even_sizes(players, count))
    ]
    if fits:
        sizes = plan_tables(players, least=least, most=most, tables=tables, referees=referees)
        assert len(sizes) == fits[0]
        assert sum(sizes) == players
        assert sizes.largest - sizes.smallest <= 1
        assert all(least <= size <= most for size in sizes)
    else:
        with pytest.raises(Impossible):
            plan_tables(players, least=least, most=most, tables=tables, referees=referees)


@given(
    players=st.integers(1, 60),
    least=st.integers(1, 12),
    most=st.integers(1, 12),
    tables=maybe,
    referees=maybe,
)
def test_ways_out_are_really_possible(
    players: int, least: int, most: int, tables: int | None, referees: int | None
) -> None:
    try:
        plan_tables(players, least=least, most=most, tables=tables, referees=referees)
    except Impossible as caught:
        refusal, numbers = caught, caught.parameters
    else:
        return
    assume(refusal.code in {"sizes_do_not_fit", "too_few_tables"})
    fewer, largest = numbers["fewer"], numbers["fewer_largest"]
    assert largest > most
    raised = plan_tables(players, least=least, most=int(largest), tables=tables, referees=referees)
    assert (len(raised), raised.smallest, raised.largest) == (fewer, numbers["fewer_smallest"], largest)
    if "more" in numbers:
        lowest, more = int(numbers["more_smallest"]), int(numbers["more"])
        if refusal.code == "sizes_do_not_fit":
            assert lowest < least
            other = plan_tables(players, least=lowest, most=most, tables=tables, referees=referees)
        else:
            other = plan_tables(players, least=least, most=most, tables=more, referees=more)
        assert (len(other), other.smallest, other.largest) == (more, lowest, numbers["more_largest"])
    else:
        assert refusal.code == "sizes_do_not_fit"
