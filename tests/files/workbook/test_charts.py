"""The sheets behind the charts."""

import pytest

from tests.support.workbook_events import close_calls, generated
from tournament.files.workbook.cells import Formula
from tournament.files.workbook.charts import BEFORE, MOST, courses
from tournament.files.workbook.layout import Layout
from tournament.results.kinds import kind_of


@pytest.mark.parametrize("seed", [13, 61, 105, 107, 135, 145])
def test_each_contest_has_a_chart_with_a_line_for_each_of_the_best(seed: int) -> None:
    event = generated(seed)
    layout = Layout(event, str)
    for course in courses(event, layout, str):
        session = kind_of(course.read.stage.kind).by_average
        charts = course.charts()
        for block, chart in zip(course.blocks, charts, strict=True):
            assert len(block.rows) == min(MOST, block.players)
            assert [line.is_target for line in chart.lines] == [False] * len(block.rows) + [True] * (
                not session
            )
            assert (block.numbers[0] == BEFORE) is not session
        rows = list(course.rows(event, layout))
        for block in course.blocks:
            names, *steps = rows[block.first - 2 : block.last - 1]
            assert names[3:] == [event.entries[player].public_name for player in block.rows]
            assert [row[1] for row in steps] == list(block.numbers)
            assert (names[2] is None, steps[0][2] is None) == (session, session)


def test_a_line_of_a_session_begins_with_the_first_points_and_waits_where_somebody_sits_out() -> None:
    event = close_calls()
    layout = Layout(event, str)
    (course,) = courses(event, layout, str)
    (block,) = course.blocks
    rows = list(course.rows(event, layout))[1:]
    for column, numbers in enumerate(block.rows.values(), 3):
        for number, row in zip(block.numbers, rows, strict=True):
            assert (row[column] is None) == (number < min(numbers))
            if number in numbers:
                cell = row[column]
                assert isinstance(cell, Formula)
                assert str(numbers[number]) in cell.text


def test_one_game_is_no_course() -> None:
    event = close_calls()
    layout = Layout(event, str)
    layout.games_played, layout.of_player = [], {}
    assert list(courses(event, layout, str)) == []
