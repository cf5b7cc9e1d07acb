"""The levels of heats to the final, and the time they take."""

from itertools import pairwise

import pytest

from tournament.seating import (
    Expected,
    Impossible,
    Level,
    Minutes,
    Sizes,
    even_sizes,
    expected_minutes,
    final_minutes,
    levels,
    proposed_target,
    target_minutes,
)

USUAL = {"most": 6, "final_most": 6, "final_least": 4}


def test_sixty_four_players_at_tables_of_six() -> None:
    assert levels(64, most=6, final_most=6) == [
        Level("heats", 64, Sizes((6,) * 9 + (5,) * 2), 1),
        Level("heats", 11, Sizes((6, 5)), 1),
        Level("final", 2, Sizes((2,)), 0),
    ]


@pytest.mark.parametrize(
    ("players", "options", "plan"),
    [
        (64, {"most": 6, "final_most": 12}, [("heats", 64, 11), ("final", 11, 1)]),
        (
            64,
            {"most": 6, "final_most": 6, "final_least": 4},
            [("heats", 64, 11), ("heats", 11, 2), ("final", 4, 1)],
        ),
        (
            64,
            {"most": 6, "final_most": 6, "advance": [1, 2]},
            [("heats", 64, 11), ("heats", 11, 2), ("final", 4, 1)],
        ),
        (
            60,
            {"most": 6, "final_most": 8, "advance": 2},
            [("heats", 60, 10), ("heats", 20, 4), ("final", 8, 1)],
        ),
        (
            8,
            {"most": 10, "final_most": 6},
            [("heats", 8, 2), ("final", 2, 1)],
        ),  # one heat would make no final
        (5, {"most": 6, "final_most": 6}, [("final", 5, 1)]),
        (2, {"most": 6, "final_most": 2}, [("final", 2, 1)]),
    ],
)
def test_levels_to_the_final(players: int, options: dict[str, int], plan: list[tuple[str, int, int]]) -> None:
    assert [(level.kind, level.players, len(level.sizes)) for level in levels(players, **options)] == plan


def test_two_go_through_where_two_or_three_heats_make_the_final() -> None:
    "For each number of players: the sizes of the tables of each level, and number of players through from each."
    plans = {
        players: [(list(level.sizes), level.advance) for level in levels(players, **USUAL)]
        for players in (4, 6, 7, 10, 11, 12, 13, 18, 19, 24, 36, 37, 64)
    }
    assert plans == {
        4: [([4], 0)],
        6: [([6], 0)],
        7: [([4, 3], 2), ([4], 0)],
        10: [([5, 5], 2), ([4], 0)],
        11: [([6, 5], 2), ([4], 0)],
        12: [([6, 6], 2), ([4], 0)],
        13: [([5, 4, 4], 2), ([6], 0)],
        18: [([6, 6, 6], 2), ([6], 0)],
        19: [([5, 5, 5, 4], 1), ([4], 0)],
        24: [([6, 6, 6, 6], 1), ([4], 0)],
        36: [([6] * 6, 1), ([6], 0)],
        37: [([6, 6, 5, 5, 5, 5, 5], 1), ([4, 3], 2), ([4], 0)],
        64: [([6] * 9 + [5] * 2, 1), ([6, 5], 2), ([4], 0)],
    }
    small = [(list(level.sizes), level.advance) for level in levels(10, **USUAL | {"most": 4})]
    assert small == [([4, 3, 3], 2), ([6], 0)]


@pytest.mark.parametrize("most", [4, 5, 6, 8, 10])
def test_a_usual_plan_has_no_heat_of_two_and_a_final_of_four_to_six(most: int) -> None:
    for players in range(7, 501):
        *heats, final = levels(players, **USUAL | {"most": most})
        assert 4 <= final.players <= 6, players
        assert heats, players
        assert all(level.sizes.smallest >= 3 for level in heats), players
        assert all(level.advance < level.sizes.smallest for level in heats), players


@pytest.mark.parametrize(
    ("players", "plan"),
    [
        (8, [([4, 4], 1), ([2], 0)]),
        (11, [([4, 4, 3], 1), ([3], 0)]),
        (12, [([3, 3, 3, 3], 1), ([4], 0)]),
        (16, [([4, 4, 4, 4], 1), ([4], 0)]),
    ],
)
def test_a_larger_final_costs_no_heats_of_two(players: int, plan: list[tuple[list[int], int]]) -> None:
    """Where people say that one goes through."""
    planned = levels(players, **USUAL, advance=1)
    assert [(list(level.sizes), level.advance) for level in planned] == plan


def test_a_plan_made_again_with_what_it_chose_is_the_same() -> None:
    for players in range(2, 201):
        options = USUAL | {"final_least": min(4, players)}
        plan = levels(players, **options)
        assert levels(players, **options, advance=[level.advance for level in plan[:-1]]) == plan


@pytest.mark.parametrize(
    ("players", "options", "code", "parameters"),
    [
        (1, {"most": 6, "final_most": 6}, "too_few_players", {"players": 1, "least": 2}),
        (3, {"most": 6, "final_most": 6, "final_least": 4}, "too_few_players", {"players": 3, "least": 4}),
        (20, {"most": 6, "final_most": 1}, "final_too_small", {"least": 2, "most": 1}),
        (20, {"most": 1, "final_most": 6}, "bounds_crossed", {"least": 2, "most": 1}),
        (
            64,
            {"most": 6, "final_most": 6, "advance": 5},
            "advance_too_large",
            {"level": 1, "size": 5, "advance": 5},
        ),
        (
            64,
            {"most": 6, "final_most": 6, "advance": [1, 5]},
            "advance_too_large",
            {"level": 2, "size": 5, "advance": 5},
        ),
    ],
)
def test_impossible_levels_say_why(
    players: int, options: dict[str, int], code: str, parameters: dict[str, int]
) -> None:
    with pytest.raises(Impossible) as refused:
        levels(players, **options)
    assert (refused.value.code, refused.value.parameters) == (code, parameters)


@pytest.mark.parametrize("most", range(3, 11))
@pytest.mark.parametrize("advance", [1, 2, 3])
def test_every_number_of_players_comes_to_a_final_or_is_refused(most: int, advance: int) -> None:
    for players in range(2, 501):
        plan = planned(players, most, advance)
        if not plan:
            continue
        assert [level.kind for level in plan] == ["heats"] * (len(plan) - 1) + ["final"]
        assert plan[0].players == players
        assert 2 <= plan[-1].players <= most
        for level, following in pairwise(plan):
            assert sum(level.sizes) == level.players
            assert level.sizes.largest <= most
            assert level.sizes.smallest > level.advance == advance
            assert level.through == following.players < level.players


def planned(players: int, most: int, advance: int) -> list[Level]:
    """The plan; none if at some level as many would go through as sit at a table."""
    try:
        return levels(players, most=most, advance=advance, final_most=most)
    except Impossible as caught:
        refusal = caught
    assert refusal.code == "advance_too_large", players
    assert int(refusal.parameters["size"]) <= advance
    return []


def test_one_from_each_heat_always_comes_to_a_final_at_tables_of_four() -> None:
    """Tables of three may leave a heat of one."""
    assert all(levels(players, most=4, final_most=4)[-1].kind == "final" for players in range(2, 501))


def test_levels_take_the_time_of_their_waves() -> None:
    plan = levels(64, most=6, final_most=6)
    assert expected_minutes(plan, heat=15, at_once=4, pause=10, target=300) == [
        Expected(0, 45, 3, 45, 45),
        Expected(55, 15, 1, 15, 15),
        Expected(80, 48, 1, 24, 68),
    ]


@pytest.mark.parametrize(
    ("players", "target", "minutes"),
    [(2, 300, (24, 48, 68)), (4, 500, (30, 66, 96)), (6, 250, (8, 32, 64)), (11, 500, (39, 104, 156))],
)
def test_final_takes_as_long_as_winning_its_target(
    players: int, target: int, minutes: tuple[int, int, int]
) -> None:
    assert final_minutes(players, target) == Minutes(*minutes)


@pytest.mark.parametrize(
    ("target", "mean", "least", "most"),
    [(250, 4.8, 2, 8), (300, 5.9, 3, 10), (400, 8.4, 4, 13), (500, 10.9, 6, 16)],
)
def test_final_of_four_lasts_as_long_as_in_published_rounds(
    target: int, mean: float, least: int, most: int
) -> None:
    """Rounds drawn from the histogram of 100,000 rounds of pfedan/goUno: the mean, and nine finals of ten."""
    lasts = final_minutes(4, target)
    rounds = [minutes / 6 for minutes in (lasts.least, lasts.usual, lasts.most)]
    assert rounds == pytest.approx([least, mean, most], abs=1)


def test_tables_of_a_level_are_even() -> None:
    assert levels(23, most=6, final_most=6)[0].sizes == even_sizes(23, 4)


@pytest.mark.parametrize(
    ("players", "proposed"), [(2, 400), (3, 400), (4, 400), (5, 400), (6, 400), (8, 300), (10, 300)]
)
def test_proposed_target_is_the_highest_that_is_won_within_an_hour(players: int, proposed: int) -> None:
    minutes = target_minutes(players, 250, 500)
    assert minutes == {target: final_minutes(players, target) for target in (250, 300, 400, 500)}
    assert proposed_target(minutes) == proposed


def test_targets_to_choose_from_lie_within_the_rulesets_bounds() -> None:
    assert list(target_minutes(4, 300, 450)) == [300, 400]
    assert list(target_minutes(4, 1, None)) == [250, 300, 400, 500]
    assert target_minutes(1, 250, 500) == target_minutes(4, 600, None) == {}
    assert proposed_target({}) is None
