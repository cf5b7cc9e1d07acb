"""Pictures of contests hold the answer's own numbers, of those who matter most, in words that say who is left out."""

from typing import Any

import pytest

from scoring import MatchAnswer, SessionAnswer
from tests.support.contests import STAGE, contest, play, player, round_, seat, seats, table
from tournament.pages.pictures.chart import Picture
from tournament.pages.pictures.contests import contest_pictures, player_picture
from tournament.pages.public.standings import Person
from tournament.results.answer import scored
from tournament.results.bridge import Contest


def pictures(made: Contest) -> list[Picture]:
    results = scored(made)
    return contest_pictures(results, {key: Person(name=name) for key, name in results.names.items()})


def match(rounds: int, players: int = 3, **more: Any) -> Contest:
    """A match that player 1 and 2 win in turn, against others who hold a 9 each."""
    numbers = range(1, players + 1)
    played = []
    for number in range(1, rounds + 1):
        winner = 1 + (number + 1) % 2
        played.append(
            round_(number, winner, {str(1 + number % 9): 1}, *(each for each in numbers if each != winner))
        )
    return contest("match", *played, seats=more.pop("seats", seats(*numbers)), **more)


def session(games: int, players: int = 3, **more: Any) -> Contest:
    """A session in which the players go out one after the other, one minute later with each game."""
    numbers = list(range(1, players + 1))
    played = [
        play(
            number,
            *((each, "out", 60 * (each + number) % 3600) for each in numbers[:-1]),
            (numbers[-1], "last", None),
            ended="last",
        )
        for number in range(1, games + 1)
    ]
    return contest("session", *played, seats=seats(*numbers), **more)


def test_match_shows_points_with_the_target_and_places() -> None:
    points, places = pictures(match(3))
    assert (points.title, places.title) == ("Points over rounds", "Places over time")
    assert points.caption == "First to 500 points."
    assert points.target is not None
    assert points.target.text == "Target 500"
    assert points.table.headings == ("1", "2", "3")
    assert [(row.name, row.cells) for row in points.table.rows] == [
        ("P1", ("4", "4", "12")),
        ("P2", ("0", "6", "6")),
        ("P3", ("0", "0", "0")),
    ]
    assert [(row.name, row.cells) for row in places.table.rows] == [
        ("P1", ("1", "2", "1")),
        ("P2", ("2", "1", "2")),
        ("P3", ("2", "3", "3")),
    ]


def test_own_hand_says_that_the_lowest_total_wins() -> None:
    points, places = pictures(match(2, settings={"scoring": "own_hand"}))
    assert points.caption == "Played to 500 points. The lowest total wins."
    assert points.target is not None
    assert places.table.rows[0].cells[-1] == "1"


def test_session_shows_averages_of_own_games_and_places() -> None:
    average, places = pictures(session(3))
    assert average.title == "Average over games"
    assert average.caption == "Points a game. The lowest average is best."
    assert [(row.name, row.cells) for row in average.table.rows] == [
        ("P1", ("2.00", "2.50", "3.00")),
        ("P2", ("3.00", "3.50", "4.00")),
        ("P3", ("3.00", "3.50", "4.00")),
    ]
    assert [row.cells for row in places.table.rows] == [("1",) * 3, ("2",) * 3, ("2",) * 3]


@pytest.mark.parametrize(
    ("made", "titles"),
    [
        (match(0), []),
        (match(1), ["Points over rounds"]),
        (match(2), ["Points over rounds", "Places over time"]),
        (session(0), []),
        (session(1), []),
        (session(2), ["Average over games", "Places over time"]),
        (session(2, settings={"min_games": 2}), ["Average over games"]),
        (session(2, settings={"min_games": 3}), ["Average over games"]),
        (contest("heats", play(1, (1, "finished", 1), (2, "finished", 2)), seats=seats(1, 2)), []),
    ],
    ids=[
        "match of none",
        "match of one",
        "match of two",
        "session of none",
        "session of one",
        "session of two",
        "first places in the last game",
        "too few games for places",
        "heats",
    ],
)
def test_there_is_a_picture_only_where_there_is_something_to_draw(made: Contest, titles: list[str]) -> None:
    assert [picture.title for picture in pictures(made)] == titles


@pytest.mark.parametrize("made", [match(12, 6), session(12, 6)], ids=["match", "session"])
def test_every_line_ends_with_the_number_of_the_standings(made: Contest) -> None:
    answer = scored(made).answer
    assert isinstance(answer, MatchAnswer | SessionAnswer)
    course, places = pictures(made)
    names = made.names
    assert [row.name for row in places.table.rows] == [names[row.player] for row in answer.standings]
    assert [row.cells[-1] for row in places.table.rows] == [str(row.place) for row in answer.standings]
    if isinstance(answer, MatchAnswer):
        ends = [str(row.points) for row in answer.standings]
    else:
        ends = [f"{float(row.average or 0):.2f}" for row in answer.standings]
    assert [row.cells[-1] for row in course.table.rows] == ends
    assert [line.label.number for line in course.lines if line.label] == ends


def test_of_more_than_eight_the_best_are_named_and_the_others_pale() -> None:
    points, _places = pictures(match(4, 10, settings={"decks": 2}))
    assert [line.look for line in points.lines] == [1, 2, 3, 4, 5, 6, 7, 8, 0, 0]
    assert points.caption == "First to 500 points. The top 8 are named."
    assert points.said.count(",") == 7


def test_of_very_many_only_the_best_are_drawn() -> None:
    average, places = pictures(session(2, 30))
    assert [len(picture.lines) for picture in (average, places)] == [8, 8]
    assert places.caption == "The top 8 of 30."


def test_who_left_has_a_line_until_then() -> None:
    gone = [seat(1), seat(2), seat(3, "withdrawn", 3)]
    rounds = [round_(1, 1, {"5": 1}, 2, 3), round_(2, 2, {"5": 1}, 1, 3), round_(3, 1, {"5": 1}, 2)]
    points, places = pictures(contest("match", *rounds, seats=gone))
    assert [(row.name, row.cells) for row in points.table.rows][-1] == ("P3", ("0", "0", ""))
    assert [(row.name, row.cells) for row in places.table.rows][-1] == ("P3", ("2", "3", "–"))
    assert [len(line.runs[0]) for line in points.lines] == [4, 4, 3]


def test_tables_side_by_side_have_one_moment_for_each_game_number() -> None:
    plays = [
        play(number, (first, "out", 60 * number), (first + 1, "last", None), at=at, ended="last")
        for number in (1, 2)
        for at, first in ((1, 1), (2, 3))
    ]
    made = contest("session", *plays, seats=[*seats(1, 2), *seats(3, 4, at=2)])
    average, places = pictures(made)
    assert places.table.headings == ("1", "2")
    assert average.table.headings == ("1", "2")


def test_steps_are_called_by_their_numbers_at_the_table() -> None:
    rounds = [round_(1, 1, {"5": 1}, 2), round_(2, 1, {"5": 1}, 2, state="void"), round_(3, 2, {"5": 1}, 1)]
    points, _places = pictures(contest("match", *rounds, seats=seats(1, 2)))
    assert points.table.headings == ("1", "3")


# ---- one player ----


def of_player(made: Contest, number: int) -> Picture | None:
    return player_picture(scored(made), str(player(number)), "Me & mine")


def test_a_players_line_is_strong_beside_the_best_and_the_pale_field() -> None:
    picture = of_player(match(3, 5), 4)
    assert picture is not None
    assert [(line.name, line.look) for line in picture.lines] == [
        ("Me & mine", 1),
        ("P1", 2),
        ("P2", 0),
        ("P3", 0),
        ("P5", 0),
    ]
    assert (
        picture.caption
        == "First to 500 points. The bold line is \N{FIRST STRONG ISOLATE}Me & mine\N{POP DIRECTIONAL ISOLATE}."
    )


def test_the_best_player_has_one_line() -> None:
    picture = of_player(session(3), 1)
    assert picture is not None
    assert [line.look for line in picture.lines] == [1, 0, 0]


def test_of_a_big_session_the_player_is_drawn_with_the_best() -> None:
    picture = of_player(session(2, 40), 33)
    assert picture is not None
    assert len(picture.lines) == 9
    assert picture.lines[0].name == "Me & mine"


@pytest.mark.parametrize(
    ("made", "number"),
    [
        (match(0), 1),
        (match(2), 7),
        (contest("heats", play(1, (1, "finished", 1), (2, "finished", 2)), seats=seats(1, 2)), 1),
    ],
    ids=["nothing played", "somebody else", "heats"],
)
def test_there_is_no_picture_of_who_has_nothing_to_draw(made: Contest, number: int) -> None:
    assert of_player(made, number) is None


def test_keys_tell_the_pictures_of_a_page_apart() -> None:
    keys = [picture.key for made in (match(2), session(2)) for picture in pictures(made)]
    assert keys == [f"points-{table(1)}", f"places-{table(1)}", f"average-{STAGE}", f"places-{STAGE}"]
