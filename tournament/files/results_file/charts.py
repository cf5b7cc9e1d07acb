"""Chart of a contest: totals or averages of the best.

Values are embedded, so sorting the table does not change it.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from openpyxl.chart import LineChart
from openpyxl.chart.data_source import AxDataSource, NumData, NumDataSource, NumVal, StrData, StrVal
from openpyxl.chart.marker import Marker
from openpyxl.chart.series import Series, SeriesLabel

from tournament.files.results_file.facts import KINDS as NUMBERS
from tournament.files.results_file.ranking import courses
from tournament.files.workbook.event import Event
from tournament.results import ContestResults, target_of
from tournament.words.kinds import AVERAGES, DECIDING, KINDS
from tournament.words.text import listed

MOST_LINES = 10
MARKS: Sequence[Any] = (
    "circle",
    "square",
    "diamond",
    "triangle",
    "x",
    "plus",
    "star",
)  # then again, dashed
MARK_POINTS = 7
TARGET_COLOUR = "B00020"
HEIGHT_CM = 11


def course_chart(event: Event, contest: ContestResults) -> tuple[LineChart, str] | None:
    """Chart and its description, once something is played."""
    answer, course = contest.answer, courses(contest)
    words, steps = KINDS[answer.kind], course.numbers
    best = [line.player for line in answer.standings][:MOST_LINES]
    values = NUMBERS[answer.kind].course(answer, best)
    if not any(values.values()):
        return None
    chart = LineChart()
    averages = answer.decided_by == "average"
    title, unit = (AVERAGES if averages else words.course), DECIDING["average" if averages else "total"].unit
    chart.title, chart.x_axis.title, chart.y_axis.title = str(title), str(words.step), str(unit)
    chart.x_axis.delete = chart.y_axis.delete = False  # else Excel hides the numbers
    chart.height, chart.display_blanks = HEIGHT_CM, "span"
    for at, player in enumerate(best):
        # A walkover ends a match without a round.
        points = dict(zip(course.scored(player), values[player], strict=False))
        line = _line(at, event.entries[player].shown_name, steps, points)
        line.marker = Marker(symbol=MARKS[at % len(MARKS)], size=MARK_POINTS)
        if at >= len(MARKS):
            line.graphicalProperties.line.dashStyle = "sysDash"
        chart.series.append(line)
    if target := target_of(contest.sheet.data):
        line = _line(len(best), _("Target"), steps, dict.fromkeys(range(len(steps)), target))
        line.graphicalProperties.line.solidFill, line.graphicalProperties.line.dashStyle = (
            TARGET_COLOUR,
            "dash",
        )
        line.marker = Marker(symbol="none")
        chart.series.append(line)
    named = [
        f"{event.entries[line.player].shown_name} {DECIDING[line.decided_by].text(line.value)}"
        for line in answer.standings[:MOST_LINES]
    ]
    return chart, f"{title}: {listed(named)}"


def _line(at: int, name: str, steps: Sequence[int], points: Mapping[int, int | Fraction]) -> Series:
    values = [NumVal(idx=step, v=float(value)) for step, value in points.items()]
    names = [StrVal(idx=step, v=str(number)) for step, number in enumerate(steps)]
    return Series(
        idx=at,
        order=at,
        tx=SeriesLabel(v=name),
        cat=AxDataSource(strLit=StrData(ptCount=len(steps), pt=names)),
        val=NumDataSource(numLit=NumData(formatCode="General", ptCount=len(steps), pt=values)),
        smooth=False,
    )
