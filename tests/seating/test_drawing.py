"""The draw: everybody once, the same for ever, apart, spread over the tables."""

from dataclasses import replace
from itertools import combinations
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings, strategies as st

from tests.depth import deep
from tests.seating.cases import crowd, every_seating, spread, together
from tournament.seating import (
    Impossible,
    Person,
    beside_in,
    draw,
    even_sizes,
    met_in,
    plan_tables,
    positions_in,
)

seeds = st.text(max_size=8)


@given(
    players=st.integers(0, 40),
    tables=st.integers(1, 8),
    seed=seeds,
    groups=st.lists(st.sampled_from(["", "A", "B", "C"]), max_size=7),
)
def test_everybody_sits_exactly_once(players: int, tables: int, seed: str, groups: list[str]) -> None:
    seats = draw(crowd(players, groups), even_sizes(players, tables), seed)
    assert sorted(player for table in seats for player in table) == list(range(1, players + 1))
    assert [len(table) for table in seats] == list(even_sizes(players, tables))


def test_draw_can_be_done_by_hand() -> None:
    """The order by `printf 483920:1 | sha256sum` and so on is 7 3 2 6 4 5 1. Dealt round the tables that is 7 2 4 1 and
    3 6 5; and `printf 483920:seat:1 | sha256sum` and so on have each table in the order in which they sit."""
    assert draw(crowd(7), (4, 3), "483920") == [[7, 2, 4, 1], [5, 3, 6]]


def test_draws_of_these_seeds_are_these_for_ever() -> None:
    """A draw that was published must be repeatable in later years, on any database and Python."""
    people = crowd(12, ["A", "B", "C", ""])
    first = draw(people, (4, 4, 4), "evening")
    second = draw(
        people,
        (4, 4, 4),
        "evening 2",
        apart=[(1, 2), (3, 4)],
        met=met_in([first]),
        positions=positions_in([first]),
        beside=beside_in([first]),
    )
    assert first == [[11, 8, 2, 9], [7, 5, 6, 4], [10, 3, 12, 1]]
    assert second == [[4, 9, 10, 11], [6, 7, 1, 8], [12, 2, 3, 5]]


def test_third_game_of_an_evening_is_this_one_for_ever() -> None:
    """With groups and people kept apart, after the search for new company, places and neighbours."""
    people = [Person(f"u{number}", number, "xyz"[number % 3]) for number in range(1, 25)]
    past: list[list[list[str]]] = []
    for game in range(3):
        seats = draw(
            people,
            (6, 6, 6, 6),
            f"game {game}",
            apart=[("u1", "u2"), ("u3", "u9")],
            met=met_in(past),
            positions=positions_in(past),
            beside=beside_in(past),
        )
        past.append(seats)
    assert past[-1] == [
        ["u15", "u17", "u5", "u9", "u13", "u16"],
        ["u7", "u4", "u2", "u6", "u12", "u23"],
        ["u24", "u19", "u21", "u1", "u20", "u11"],
        ["u3", "u22", "u14", "u18", "u10", "u8"],
    ]


def test_order_of_people_ids_and_names_of_groups_do_not_matter() -> None:
    people = crowd(20, ["A", "B", "", "C", "B"])
    sizes = (5, 5, 5, 5)
    past = draw(people, sizes, "x")
    seats = draw(people, sizes, "y", apart=[(1, 2)], met=met_in([past]), positions=positions_in([past]))
    shuffled = people[::-1]
    assert (
        draw(shuffled, sizes, "y", apart=[(2, 1)], met=met_in([past]), positions=positions_in([past]))
        == seats
    )
    renamed = [
        Person(f"p{person.id}", person.number, {"A": "z", "B": "A", "C": "q"}.get(person.group, ""))
        for person in people
    ]
    named = [[f"p{player}" for player in table] for table in past]
    assert draw(
        renamed, sizes, "y", apart=[("p1", "p2")], met=met_in([named]), positions=positions_in([named])
    ) == [[f"p{player}" for player in table] for table in seats]


def test_seeds_give_different_draws() -> None:
    draws = {str(draw(crowd(8), (4, 4), str(seed))) for seed in range(50)}
    assert len(draws) == 50


def test_everybody_is_as_likely_at_each_table_and_in_each_place() -> None:
    places = [
        (table, position)
        for seed in range(600)
        for table, players in enumerate(draw(crowd(6, ["A", "B"]), (3, 3), str(seed)))
        for position, player in enumerate(players)
        if player == 1
    ]
    assert all(70 <= places.count((table, position)) <= 130 for table in range(2) for position in range(3))


@given(
    groups=st.lists(st.sampled_from(["", "A", "B", "C", "D"]), min_size=2, max_size=30),
    tables=st.integers(1, 6),
    seed=seeds,
)
def test_groups_are_spread_evenly(groups: list[str], tables: int, seed: str) -> None:
    people = crowd(len(groups), groups)
    seats = draw(people, even_sizes(len(people), tables), seed)
    assert all(uneven <= 1 for uneven in spread(seats, people).values())


def test_groups_stay_spread_when_looking_for_new_company() -> None:
    people = crowd(24, ["A", "A", "B", "B", "C", ""])
    past: list[list[list[int]]] = []
    for game in range(3):
        past.append(draw(people, (6,) * 4, f"game {game}", met=met_in(past)))
        assert all(uneven <= 1 for uneven in spread(past[-1], people).values())


def test_fixed_tables_stay_as_they_are() -> None:
    seats = draw(crowd(11), (4, 3, 4), "x", fixed={1: [7, 1, 4]})
    assert seats[1] == [7, 1, 4]
    assert sorted(seats[0] + seats[2]) == [2, 3, 5, 6, 8, 9, 10, 11]


def test_people_of_fixed_tables_need_not_be_kept_apart() -> None:
    seats = draw(crowd(6), (3, 3), "x", fixed={0: [1, 2, 3]}, apart=[(1, 2), (3, 4)])
    assert seats[0] == [1, 2, 3]


@pytest.mark.parametrize("sizes", [(3, 3), (5, 4), (9, -1)])
def test_sizes_must_hold_the_people(sizes: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="fill"):
        draw(crowd(8), sizes, "x")


def test_start_number_must_not_occur_twice() -> None:
    with pytest.raises(ValueError, match="start number"):
        draw([Person("a", 1), Person("b", 1)], (2,), "x")


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(25))
def test_ten_pairs_of_sixty_players_are_always_apart(seed: int) -> None:
    chance = Random(seed)
    people = crowd(60, ["A", "B", "C", "D", "E", "F", ""])
    pairs = [(one, two) for one, two in (chance.sample(range(1, 61), 2) for _ in range(10))]
    past = draw(people, (6,) * 10, "before")
    seats = draw(people, (6,) * 10, str(seed), apart=pairs, met=met_in([past]))
    assert together(seats, pairs) == []
    assert all(uneven <= 1 for uneven in spread(seats, people).values())


PAIRS = {count: list(combinations(range(1, count + 1), 2)) for count in range(2, 13)}


@st.composite
def kept_apart(chosen: st.DrawFn, most: int = 8) -> tuple[int, list[int], list[tuple[int, int]]]:
    players = chosen(st.integers(2, most))
    sizes = chosen(
        st.integers(1, players).map(lambda tables: list(even_sizes(players, tables)))
        | st.lists(st.integers(1, players), min_size=1, max_size=4).map(lambda cut: filled(players, cut))
    )
    return players, sizes, chosen(st.lists(st.sampled_from(PAIRS[players]), unique=True))


def filled(players: int, sizes: list[int]) -> list[int]:
    """Sizes that hold exactly so many players, the last table taking or losing the rest."""
    kept: list[int] = []
    for size in sizes:
        kept.append(min(size, players - sum(kept)))
    kept[-1] += players - sum(kept)
    return [size for size in kept if size]


@settings(max_examples=deep(150), deadline=None)
@given(case=kept_apart(), seed=seeds)
def test_draw_keeps_apart_exactly_when_some_seating_does(
    case: tuple[int, list[int], list[tuple[int, int]]], seed: str
) -> None:
    players, sizes, pairs = case
    agrees_with_brute_force(players, sizes, pairs, seed)


@pytest.mark.parametrize("number", range(30))
def test_draw_of_twelve_keeps_apart_exactly_when_some_seating_does(number: int) -> None:
    chance = Random(number)
    tables = chance.choice([2, 3, 4])
    pairs = chance.sample(PAIRS[12], chance.randint(4, {2: 16, 3: 30, 4: 40}[tables]))
    agrees_with_brute_force(12, list(even_sizes(12, tables)), pairs, "x")


def agrees_with_brute_force(players: int, sizes: list[int], pairs: list[tuple[int, int]], seed: str) -> None:
    if exists(players, sizes, pairs):
        seats = draw(crowd(players), sizes, seed, apart=pairs)
        assert together(seats, pairs) == []
        assert [len(table) for table in seats] == sizes
        return
    with pytest.raises(Impossible) as refused:
        draw(crowd(players), sizes, seed, apart=pairs)
    named = [(int(str(one)), int(str(other))) for one, other in refused.value.pairs]
    assert (refused.value.code, refused.value.parameters) == ("cannot_keep_apart", {"pairs": len(named)})
    assert {frozenset(pair) for pair in named} <= {frozenset(pair) for pair in pairs}
    assert not exists(players, sizes, named)
    assert all(exists(players, sizes, [pair for pair in named if pair != spare]) for spare in named)


def exists(players: int, sizes: list[int], pairs: list[tuple[int, int]]) -> bool:
    """Tell whether any seating at all keeps them apart: each is tried, except those that two people already rule
    out."""
    enemies: dict[int, set[int]] = {player: set() for player in range(1, players + 1)}
    for one, other in pairs:
        enemies[one].add(other)
        enemies[other].add(one)

    def rest(player: int, tables: list[set[int]]) -> bool:
        if player > players:
            return True
        for table, size in zip(tables, sizes, strict=True):
            if len(table) < size and not table & enemies[player]:
                table.add(player)
                if rest(player + 1, tables):
                    return True
                table.discard(player)
        return False

    return rest(1, [set() for _ in sizes])


@settings(max_examples=deep(60), deadline=None)
@given(
    groups=st.lists(st.sampled_from(["", "A", "B"]), min_size=4, max_size=7),
    tables=st.integers(2, 3),
    pairs=st.lists(
        st.tuples(st.integers(1, 4), st.integers(1, 4)).filter(lambda pair: pair[0] < pair[1]), max_size=3
    ),
)
def test_groups_are_spread_as_far_as_keeping_apart_allows(
    groups: list[str], tables: int, pairs: list[tuple[int, int]]
) -> None:
    people = crowd(len(groups), groups)
    sizes = list(even_sizes(len(people), tables))
    least = min(
        (
            squares(at, groups)
            for at in every_seating(len(people), sizes)
            if all(at[one - 1] != at[other - 1] for one, other in pairs)
        ),
        default=None,
    )
    if least is None:
        with pytest.raises(Impossible):
            draw(people, sizes, "x", apart=pairs)
        return
    seats = draw(people, sizes, "x", apart=pairs)
    table_of = {player: number for number, table in enumerate(seats) for player in table}
    assert squares([table_of[person.id] for person in people], groups) == least


def squares(at: list[int] | tuple[int, ...], groups: list[str]) -> int:
    cells = [(group, table) for group, table in zip(groups, at, strict=True) if group]
    return sum(cells.count(cell) ** 2 for cell in set(cells))


def test_pairs_that_cannot_be_kept_apart_are_named_and_no_others() -> None:
    """Nine players kept apart from one another do not fit eight tables, with many other pairs around them."""
    family = list(combinations(range(1, 10), 2))
    others = [(20 + number, 40 + number) for number in range(10)]
    with pytest.raises(Impossible) as refused:
        draw(crowd(60), even_sizes(60, 8), "x", apart=others + family)
    assert set(refused.value.pairs) | {pair[::-1] for pair in refused.value.pairs} >= set(family)
    assert len(refused.value.pairs) == len(family)


def test_somebody_who_would_sit_alone_is_named_with_all_their_pairs() -> None:
    """Number 1 may meet nobody but 2 to 5, and the tables have six seats."""
    with pytest.raises(Impossible) as refused:
        draw(crowd(60), (6,) * 10, "x", apart=[(1, other) for other in range(6, 61)])
    assert len(refused.value.pairs) == 55


def test_no_group_is_a_group_without_a_name() -> None:
    people = [replace(person, group="") for person in crowd(9, ["A"])]
    assert draw(people, (3, 3, 3), "x") == draw(crowd(9), (3, 3, 3), "x")


def test_tables_of_a_plan_can_be_drawn() -> None:
    assert [len(table) for table in draw(crowd(26), plan_tables(26, least=3, most=6), "x")] == [6, 5, 5, 5, 5]


@pytest.mark.sweep
@pytest.mark.parametrize("tables", [167, 84, 50, 20, 2])
def test_five_hundred_players_are_seated_within_two_seconds(tables: int) -> None:
    """Two seconds of the processor's time; benchmarks/seating.py has the figures."""
    people = crowd(500, [f"club {number}" for number in range(10)])
    pairs = [(number, number + 100) for number in range(1, 11)]
    past = [draw(people, even_sizes(500, tables), f"game {game}") for game in range(3)]
    started = process_time()
    seats = draw(
        people,
        even_sizes(500, tables),
        "x",
        apart=pairs,
        met=met_in(past),
        positions=positions_in(past),
        beside=beside_in(past),
    )
    assert process_time() - started < 6  # at most 0.7 here; a processor that others use too is slower
    assert together(seats, pairs) == []
    assert all(uneven <= 1 for uneven in spread(seats, people).values())
