"""scoring/clubs.py, against standings worked out by hand."""

from fractions import Fraction

import pytest

from scoring import CLUB_MOST, ClubResult, ClubRule, best_of, score_clubs

MEAN = ClubRule(mean=True, lowest=True)


def results(**clubs: list[int]) -> list[ClubResult]:
    """Each club with its players' values; a player is called by the club and the place in this list."""
    return [
        ClubResult(club, f"{club}{number}", Fraction(value))
        for club, values in clubs.items()
        for number, value in enumerate(values, 1)
    ]


def places(rows: list[ClubResult], rule: ClubRule) -> list[tuple[str, int | None, Fraction | int]]:
    return [(line.club, line.place, line.value) for line in score_clubs(rows, rule)]


@pytest.mark.parametrize(
    ("sizes", "best"), [([], 0), ([9], 0), ([9, 1], 1), ([2, 9, 1], 2), ([5, 3, 3], 3), ([9, 8], CLUB_MOST)]
)
def test_as_many_count_as_the_second_largest_club_has_at_most_three(sizes: list[int], best: int) -> None:
    assert best_of(sizes) == best


def test_a_session_takes_the_mean_of_the_best_averages_the_lowest_first() -> None:
    """Noppa's best two are 10 and 20, Vaasa's 12 and 14; Turku has one player alone, who is better than all."""
    rows = results(noppa=[40, 10, 20], vaasa=[14, 12], turku=[3])
    assert places(rows, MEAN) == [("vaasa", 1, 13), ("noppa", 2, 15), ("turku", None, 3)]
    assert score_clubs(rows, MEAN)[1].counted == ("noppa2", "noppa3")


def test_a_match_adds_the_points_of_the_best_also_of_a_club_with_fewer() -> None:
    rows = results(noppa=[50, 10, 30], vaasa=[45, 40], turku=[168])
    assert places(rows, ClubRule()) == [("turku", 1, 168), ("vaasa", 2, 85), ("noppa", 3, 80)]


def test_where_the_fewest_points_win_a_club_with_fewer_players_comes_after() -> None:
    rows = results(turku=[0], noppa=[50, 10], vaasa=[45, 40])
    assert places(rows, ClubRule(lowest=True)) == [("noppa", 1, 60), ("vaasa", 2, 85), ("turku", None, 0)]


def test_heats_count_everybody_who_goes_through() -> None:
    rows = results(noppa=[1, 0, 1, 1, 1], vaasa=[1, 1], turku=[0])
    rule = ClubRule(everybody=True)
    assert places(rows, rule) == [("noppa", 1, 4), ("vaasa", 2, 2), ("turku", 3, 0)]
    assert [line.players for line in score_clubs(rows, rule)] == [5, 2, 1]


def test_level_clubs_share_the_place_exactly_and_the_next_is_skipped() -> None:
    thirds = [ClubResult("b", f"b{n}", Fraction(n, 3)) for n in (1, 2, 3)]
    rows = [*results(a=[2, 0, 0], c=[9, 9, 9]), *thirds]
    assert places(rows, MEAN) == [("a", 1, Fraction(2, 3)), ("b", 1, Fraction(2, 3)), ("c", 3, 9)]


def test_clubs_without_a_place_come_by_their_players_and_then_by_their_result() -> None:
    rows = results(a=[9, 9, 9], b=[9, 9, 9], c=[1], d=[5, 5], e=[0])
    assert [line.club for line in score_clubs(rows, MEAN)] == ["a", "b", "d", "e", "c"]


def test_one_club_has_no_standings() -> None:
    assert score_clubs(results(noppa=[1, 2, 3]), MEAN) == ()
