"""scoring/season.py, against seasons worked out by hand."""

from fractions import Fraction

import pytest

from scoring import SEASON_LEAST_GAMES, SeasonStanding, SessionStanding, score_season


def line(player: str, games: int, points: int, status: str = "ranked") -> SessionStanding:
    """A player's line in one session."""
    average = Fraction(points, games) if games else None
    return SessionStanding(player, None, status, games, points, average)


def test_season_adds_points_and_games_and_averages_no_averages() -> None:
    """Aino: 10 and 20 in two games, then 60 in one: 90 points in 3 games, 30 each; the averages' average is 37.5."""
    standings = score_season([line("aino", 2, 30), line("bo", 3, 96), line("aino", 1, 60)])
    assert standings == (
        SeasonStanding("aino", 1, "ranked", 2, 3, 90, Fraction(30)),
        SeasonStanding("bo", 2, "ranked", 1, 3, 96, Fraction(32)),
    )


def test_level_averages_share_the_place_exactly() -> None:
    """40/3 in 3 games and in 6; 40.1 hundredths more in 300 games would look the same with two decimals."""
    lines = [line("cecile", 300, 4001), line("aino", 3, 40), line("bo", 6, 80)]
    assert [(row.player, row.place) for row in score_season(lines)] == [("aino", 1), ("bo", 1), ("cecile", 3)]


def test_few_games_are_listed_after_the_ranked_by_their_averages() -> None:
    lines = [line("dima", 1, 30), line("aino", 2, 4), line("bo", 3, 150)]
    standings = score_season(lines)
    assert [(row.player, row.place, row.status) for row in standings] == [
        ("bo", 1, "ranked"),
        ("aino", None, "too_few_games"),
        ("dima", None, "too_few_games"),
    ]


@pytest.mark.parametrize(("games", "place"), [(SEASON_LEAST_GAMES - 1, None), (SEASON_LEAST_GAMES, 1)])
def test_fewest_games_for_a_place(games: int, place: int | None) -> None:
    (row,) = score_season([line("aino", 1, 10), line("aino", games - 1, 50)])
    assert (row.games, row.place) == (games, place)


def test_who_was_ejected_stands_by_the_games_played() -> None:
    lines = [line("aino", 3, 60, "disqualified"), line("bo", 3, 90), line("aino", 0, 0, "disqualified")]
    assert [(row.player, row.place, row.sessions) for row in score_season(lines)] == [
        ("aino", 1, 1),
        ("bo", 2, 1),
    ]


def test_who_played_no_game_is_left_out() -> None:
    assert score_season([line("aino", 0, 0, "not_played")]) == ()
