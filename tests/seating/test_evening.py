"""All games of an evening at once: few repeats, fair tables and places; and repaired with few changes."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from benchmarks.evening import AIMS
from tests.depth import deep
from tests.seating.cases import crowd, spread, together
from tournament.seating import (
    Impossible,
    Person,
    draw_evening,
    even_sizes,
    met_in,
    positions_in,
    repair_evening,
    repeats_in,
)

WORK = 30_000  # a moment
SLOW = [(26, 4, 4, 60), (60, 10, 6, 0)]  # seconds
Evening = Sequence[Sequence[Sequence[int]]]


def whole(evening: Evening, players: Sequence[int], tables: int) -> bool:
    """Whether everyone sits once in each game, at tables as even as can be."""
    return all(
        sorted(player for table in game for player in table) == sorted(players)
        and sorted(map(len, game)) == sorted(even_sizes(len(players), tables))
        for game in evening
    )


def at_size(evening: Evening) -> dict[int, Counter[int]]:
    """How often each player sat at a table of each size."""
    sat: dict[int, Counter[int]] = {}
    for table in (table for game in evening for table in game):
        for player in table:
            sat.setdefault(player, Counter())[len(table)] += 1
    return sat


@pytest.mark.parametrize(("players", "tables", "games", "most"), [aim for aim in AIMS if aim not in SLOW])
def test_repeats_are_as_few_as_published(players: int, tables: int, games: int, most: int) -> None:
    drawn = draw_evening(crowd(players), tables, games, "1")
    assert whole(drawn, range(1, players + 1), tables)
    assert repeats_in(drawn) <= most
    assert max(met_in(drawn).values()) <= 2
    assert all(max(sat.values()) - min(sat.values()) <= 1 for sat in positions_in(drawn).values())


@pytest.mark.sweep
@pytest.mark.parametrize(("players", "tables", "games", "most"), AIMS)
def test_repeats_are_as_few_as_published_in_the_mean(
    players: int, tables: int, games: int, most: int
) -> None:
    evenings = [draw_evening(crowd(players), tables, games, str(seed)) for seed in range(5)]
    assert sum(map(repeats_in, evenings)) <= 5 * most
    assert all(max(met_in(evening).values()) <= 2 for evening in evenings)


@pytest.mark.sweep
def test_largest_evening_ends() -> None:
    drawn = draw_evening(crowd(200), 50, 30, "x")
    assert whole(drawn, range(1, 201), 50)
    assert repeats_in(drawn) == 0


@given(
    players=st.integers(2, 24),
    tables=st.integers(1, 6),
    games=st.integers(1, 6),
    seed=st.text(max_size=4),
    groups=st.lists(st.sampled_from(["", "A", "B"]), max_size=5),
)
@settings(deadline=None)
def test_everyone_sits_once_in_each_game(
    players: int, tables: int, games: int, seed: str, groups: list[str]
) -> None:
    tables = min(players, tables)
    people = crowd(players, groups)
    drawn = draw_evening(people, tables, games, seed, work=WORK)
    assert len(drawn) == games
    assert whole(drawn, range(1, players + 1), tables)
    assert drawn == draw_evening(people[::-1], tables, games, seed, work=WORK)


def test_evening_of_this_seed_is_this_one() -> None:
    """A search that gives others is another method: say so in the changelog. Stored evenings hold their seats."""
    assert draw_evening(crowd(10, ["A", "B", "", ""]), 3, 3, "483920", work=WORK) == [
        [[4, 7, 1, 6], [9, 2, 3], [5, 10, 8]],
        [[2, 8, 7, 1], [10, 4, 9], [3, 6, 5]],
        [[7, 5, 4, 2], [8, 9, 6], [1, 3, 10]],
    ]


def test_pairs_are_apart_and_together_in_every_game() -> None:
    apart, always = [(1, 2), (3, 4)], [(5, 6), (1, 7)]
    drawn = draw_evening(crowd(20), 5, 4, "x", apart=apart, together=always, work=WORK)
    for game in drawn:
        assert together(game, apart) == []
        assert together(game, always) == always


def test_groups_are_spread_in_every_game() -> None:
    people = crowd(20, ["A", "B", "C", "D"])
    for game in draw_evening(people, 5, 4, "x", work=10 * WORK):
        assert set(spread(game, people).values()) == {0}


def test_sizes_of_tables_are_shared_evenly() -> None:
    """Three games at three tables of five and four of four: 45 seats of 31 people at the large ones."""
    drawn = draw_evening(crowd(31), 7, 3, "x", work=10 * WORK)
    assert repeats_in(drawn) == 0
    assert {sat[5] for sat in at_size(drawn).values()} == {1, 2}


def test_what_cannot_be_is_said_with_its_pairs() -> None:
    every = list(combinations((1, 2, 3), 2))
    with pytest.raises(Impossible) as refused:
        draw_evening(crowd(8), 2, 2, "x", apart=every, work=WORK)
    assert (refused.value.code, len(refused.value.pairs)) == ("cannot_keep_apart", 3)
    with pytest.raises(Impossible) as refused:
        draw_evening(crowd(4), 2, 2, "x", together=every, work=WORK)
    assert refused.value.code == "cannot_keep_together"


def test_progress_grows() -> None:
    heard: list[int] = []
    draw_evening(crowd(13), 3, 5, "x", work=WORK, progress=heard.append)
    assert heard[0] == 0
    assert heard == sorted(heard)
    assert heard[-1] <= 100


def changes(before: Evening, after: Evening) -> int:
    """How many players who stay sit at another table than before."""
    return sum(
        at.get(player, number) != number
        for game, now in zip(before, after, strict=True)
        for at in [{player: number for number, table in enumerate(game) for player in table}]
        for number, table in enumerate(now)
        for player in table
    )


@pytest.mark.parametrize(
    ("here", "most"),
    [
        (range(1, 24), 0),  # one leaves
        (range(3, 25), 6),  # two leave
    ],
)
def test_repair_changes_little(here: range, most: int) -> None:
    planned = draw_evening(crowd(24), 6, 5, "x", work=10 * WORK)
    people = [Person(number, number) for number in here]
    after = repair_evening(planned, people, 6, "y", begun=2, work=10 * WORK)
    assert after[:2] == planned[:2]
    assert whole(after[2:], here, 6)
    assert changes(planned, after) <= most


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("players", "tables", "most"),
    [
        (25, 6, 0),  # one comes late
        (24, 7, 9),  # a table is added, where three sit in each of three games
    ],
)
def test_repair_for_more_changes_little(players: int, tables: int, most: int) -> None:
    planned = draw_evening(crowd(24), 6, 5, "x")
    after = repair_evening(planned, crowd(players), tables, "y", begun=2)
    assert after[:2] == planned[:2]
    assert whole(after[2:], range(1, players + 1), tables)
    assert changes(planned, after) <= most
    assert repeats_in(after) == 0


@given(data=st.data())
@settings(deadline=None, max_examples=deep(100))
def test_repair_has_few_repeats(data: st.DataObject) -> None:
    planned = draw_evening(crowd(20), 5, 4, "x", work=WORK)
    here = data.draw(st.sets(st.integers(1, 24), min_size=12))
    tables, begun = data.draw(st.integers(3, 6)), data.draw(st.integers(0, 3))
    people = [Person(number, number) for number in here]
    after = repair_evening(planned, people, tables, "y", begun=begun, work=WORK)
    assert after[:begun] == planned[:begun]
    assert whole(after[begun:], [*here], tables)
    anew = repair_evening(
        [*planned[:begun], *[[]] * (4 - begun)], people, tables, "y", begun=begun, work=WORK
    )
    assert 10 * repeats_in(after) <= 11 * repeats_in(anew)


def test_repair_forgets_pairs_with_who_left_and_has_nothing_to_do_at_the_end() -> None:
    planned = draw_evening(crowd(12), 3, 3, "x", together=[(1, 2)], work=WORK)
    people = [Person(number, number) for number in range(2, 13)]
    after = repair_evening(planned, people, 3, "y", begun=1, together=[(1, 2)], apart=[(1, 3)], work=WORK)
    assert whole(after[1:], range(2, 13), 3)
    assert repair_evening(planned, people, 3, "y", begun=3) == planned


def test_players_who_stay_keep_their_seats() -> None:
    planned = draw_evening(crowd(12), 3, 3, "x", work=WORK)
    people = [Person(number, number) for number in range(1, 14)]
    after = repair_evening(planned, people, 3, "y", begun=0, work=WORK)
    for game, now in zip(planned, after, strict=True):
        for table, seats in zip(game, now, strict=True):
            assert [player for player in seats if player != 13] == table
