"""Re-seating after a no-show."""

from collections.abc import Mapping, Sequence
from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings, strategies as st

from tests.depth import deep
from tournament.seating import Impossible, Levelling, Move, level

Tables = dict[int, list[int]]


def seated(sizes: Sequence[int]) -> Tables:
    """Tables 1, 2 ... of these sizes, with players 1, 2 ... in turn."""
    players = iter(range(1, sum(sizes) + 1))
    return {number: [next(players) for _ in range(size)] for number, size in enumerate(sizes, start=1)}


def sizes_of(tables: Mapping[int, Sequence[int]]) -> list[int]:
    return [len(table) for table in tables.values()]


@pytest.mark.parametrize(
    ("sizes", "least", "most", "moves", "after"),
    [
        ([6, 6, 6], 3, 6, 0, [6, 6, 6]),
        ([6, 6, 4], 3, 6, 1, [6, 5, 5]),  # one of the sixes may stay
        ([6, 5, 5], 3, 6, 0, [6, 5, 5]),
        ([3, 3, 2], 3, 4, 2, [4, 4, 0]),  # the smallest is dissolved
        ([4, 4, 4], 5, 6, 4, [6, 6, 0]),
        ([1, 1], 3, 6, 1, [2, 0]),  # too few in any way, but nobody alone
        ([3, 3], 4, 5, 0, [3, 3]),  # neither one table of six nor two of three are in range
        ([2, 1, 1, 1], 5, 5, 3, [5, 0, 0, 0]),
    ],
)
def test_level_makes_sizes_even(
    sizes: list[int], least: int, most: int, moves: int, after: list[int]
) -> None:
    levelled = level(seated(sizes), least=least, most=most)
    assert len(levelled.moves) == moves
    assert sorted(sizes_of(levelled.tables), reverse=True) == after


def test_of_tables_of_one_size_the_last_is_dissolved() -> None:
    tables = level(seated([4, 4, 4]), least=5, most=6).tables
    assert [number for number, table in tables.items() if not table] == [3]


def test_nothing_to_level_where_nobody_sits() -> None:
    assert level({}, least=3, most=4) == Levelling((), {})


def test_who_moves_sits_down_behind_the_others() -> None:
    levelled = level({"A": [1, 2, 3, 4], "B": [5, 6]}, least=3, most=4, seed="x")
    (move,) = levelled.moves
    assert all(levelled.tables.values())
    assert move == Move(move.player, "A", "B")
    assert levelled.tables["B"] == [5, 6, move.player]
    assert levelled.tables["A"] == [player for player in [1, 2, 3, 4] if player != move.player]


def test_who_moves_is_drawn() -> None:
    moved = {level(seated([4, 2]), least=3, most=4, seed=str(seed)).moves[0].player for seed in range(30)}
    assert moved == {1, 2, 3, 4}


def test_nobody_is_moved_to_whom_they_are_kept_apart_from() -> None:
    """Only player 4 may go to table 2."""
    apart = [(1, 5), (2, 5), (3, 6)]
    assert level(seated([4, 2]), least=3, most=4, apart=apart).moves == (Move(4, 1, 2),)


def test_keeping_apart_may_take_more_moves_but_no_more_than_that() -> None:
    """Nobody of table 1 may join table 3, so somebody goes on from table 2."""
    apart = [(one, other) for one in (1, 2, 3, 4) for other in (8, 9)]
    levelled = level(seated([4, 3, 2]), least=3, most=4, apart=apart)
    assert [(move.origin, move.goal) for move in sorted(levelled.moves, key=lambda each: each.origin)] == [
        (1, 2),
        (2, 3),
    ]


def test_who_sits_together_already_may_stay() -> None:
    assert level(seated([4, 2]), least=3, most=4, apart=[(5, 6)]).tables[2][:2] == [5, 6]


def test_level_names_the_pairs_it_cannot_keep_apart() -> None:
    with pytest.raises(Impossible) as refused:
        level(seated([3, 1]), least=2, most=2, apart=[(1, 4), (2, 4), (3, 4), (1, 9)])
    assert refused.value.code == "cannot_keep_apart"
    assert refused.value.pairs == ((1, 4), (2, 4), (3, 4))


def test_five_hundred_players_are_levelled() -> None:
    tables = seated([10] * 40 + [4] * 10 + [6] * 10)
    apart = [(number, number + 250) for number in range(1, 200)]
    levelled = level(tables, least=5, most=10, apart=apart, begun={1, 2, 3})
    assert max(sizes_of(levelled.tables)) - min(sizes_of(levelled.tables)[3:]) <= 2
    assert [levelled.tables[number] for number in (1, 2, 3)] == [tables[number] for number in (1, 2, 3)]


@settings(max_examples=deep(80), deadline=None)
@given(
    sizes=st.lists(st.integers(0, 3), min_size=2, max_size=4).filter(lambda sizes: sum(sizes) <= 6),
    least=st.integers(1, 3),
    span=st.integers(0, 2),
    apart=st.lists(st.sampled_from(list(combinations(range(1, 7), 2))), max_size=4, unique=True),
    begun=st.sets(st.integers(1, 4), max_size=2),
)
def test_level_makes_the_fewest_moves_and_touches_no_table_that_has_begun(
    sizes: list[int], least: int, span: int, apart: list[tuple[int, int]], begun: set[int]
) -> None:
    tables = seated(sizes)
    bounds = {"least": least, "most": least + span}
    best = fewest_moves(
        {number: table for number, table in tables.items() if number not in begun}, bounds, apart
    )
    try:
        levelled = level(tables, least=least, most=least + span, apart=apart, begun=begun)
    except Impossible:
        assert best is None
        return
    assert best == len(levelled.moves)
    assert all(move.origin not in begun and move.goal not in begun for move in levelled.moves)
    assert {number: levelled.tables[number] for number in begun & set(tables)} == {
        number: tables[number] for number in begun & set(tables)
    }
    assert sorted(chain(*levelled.tables.values())) == sorted(chain(*tables.values()))
    left = [
        size
        for number, size in zip(tables, sizes_of(levelled.tables), strict=True)
        if size and number not in begun
    ]
    assert max(left, default=0) - min(left, default=0) <= 1


def fewest_moves(tables: Tables, bounds: Mapping[str, int], apart: list[tuple[int, int]]) -> int | None:
    """Count the moves of the way with the fewest among all ways to seat everybody evenly at the most tables that allow
    the range."""
    origin = {player: number for number, table in tables.items() for player in table}
    old = [number for number, table in tables.items() if table]
    if not old:
        return 0
    ways: dict[int, int] = {}
    free: dict[int, bool] = {}
    for goals in product(old, repeat=len(origin)):
        goal = dict(zip(origin, goals, strict=True))
        sizes = [goals.count(number) for number in set(goals)]
        if max(sizes) - min(sizes) > 1:
            continue
        free[len(sizes)] = bounds["least"] <= min(sizes) and max(sizes) <= bounds["most"]
        moved = {player for player in origin if origin[player] != goal[player]}
        if any(
            goal[one] == goal[other] and moved & {one, other}
            for one, other in apart
            if one in goal and other in goal
        ):
            continue
        ways[len(sizes)] = min(ways.get(len(sizes), len(origin)), len(moved))
    fitting = [count for count in free if free[count]]
    bearable = [count for count in free if len(origin) // count >= 2]
    return ways.get(max(fitting or bearable or [1]))
