"""The numbers beside a place, by kind of contest."""

from tests.support.workbook_events import close_calls
from tournament.files.results_file.facts import KINDS


def test_numbers_of_a_session_are_its_average_and_the_games_won_and_played() -> None:
    (contest,) = close_calls().stages[0].results
    numbers = KINDS["session"].numbers(contest)
    assert {len(each) for each in numbers.values()} == {len(KINDS["session"].headings)}
    assert [(numbers[line.player][0], numbers[line.player][2]) for line in contest.answer.standings] == [
        (line.value, getattr(line, "games", None)) for line in contest.answer.standings
    ]
    shared = sum(len([row for row in game.results if row.place == 1]) for game in contest.answer.rounds)
    assert sum(int(each[1] or 0) for each in numbers.values()) == shared
