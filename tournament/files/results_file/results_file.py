"""Results of an event as a spreadsheet for people: plain values to sort, filter and print.

| sheet | content | where |
| --- | --- | --- |
| Results | each player once: place, points, stage reached, notes | `ranking` |
| heats, by stage | places, qualifiers | `ranking` |
| match or session, by stage or table | points per round, chart | `ranking`, `course_chart` |
| Clubs | ranking | `records` |
| Rounds or games | one row each | `records` |
| For organisers, Fees | who has not paid, decisions; payments, answers | `records` |
| About this file | rulings, settings, ledger head | `records` |
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _, override
from openpyxl.chart import LineChart
from openpyxl.chart.data_source import AxDataSource, NumData, NumDataSource, NumVal, StrData, StrVal
from openpyxl.chart.marker import Marker
from openpyxl.chart.series import Series, SeriesLabel

from tournament.files.results_file import ranking, records
from tournament.files.results_file.facts import KINDS as NUMBERS, read_extras
from tournament.files.results_file.sheets import ResultsBook, Row
from tournament.files.workbook.event import Event, StageRead
from tournament.models import Tournament
from tournament.results import ContestResults, kind_of, target_of
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


def results_file(event: Event) -> bytes:
    """The .xlsx file in `event.language`, else the tournament's.

    `everything=True` in `read_event` adds fees and authors for organisers; otherwise the freeze applies.
    """
    tournament = event.tournament
    language = event.language or tournament.language
    with override(language):
        extras = read_extras(event)
        book = ResultsBook(
            title=tournament.name,
            author=extras.organiser,
            language=language,
            zone=tournament.zone,
            made=event.read_at,
        )
        people, private = ranking.reached(event), event.ledger is not None
        columns, rows = ranking.table(event, extras, people)
        clubs = records.clubs_of(event)
        book.add(
            _("Results"),
            [*ranking.above(event, extras, people), *records.best_club(clubs)],
            columns,
            rows,
            kept=None,
        )
        for read in event.stages:
            _add_stage(book, event, read)
        if clubs:
            book.add(
                _("Clubs"),
                _standing(event, _("Clubs"), records.club_rules(clubs)),
                *records.clubs_table(event, clubs),
            )
        columns, rows = records.plays_table(event, extras)
        if rows:
            kinds = [str(NUMBERS[each.answer.kind].plays) for read in event.stages for each in read.results]
            title = _("For organisers") if private else kinds[-1]
            above = _standing(event, title, records.organisers_above(event) if private else ())
            book.add(title, above, columns, rows, wide=True, place=1 if private else None)
        if private:
            fees = _("Fees")
            book.add(
                fees,
                _above(event, fees, records.money_above(event)),
                *records.money_table(event, extras),
                wide=bool(extras.questions),
            )
        about = _("About this file")
        book.add(about, _above(event, about), *records.about_table(event))
        return book.content()


def _add_stage(book: ResultsBook, event: Event, read: StageRead) -> None:
    if kind_of(read.stage.kind).one_play:
        if read.results:
            book.add(str(read.stage), _standing(event, str(read.stage)), *ranking.heats_table(event, read))
        return
    for contest in read.results:
        title = ranking.contest_title(read, contest)
        columns, rows = ranking.crosstable(event, contest)
        chart = course_chart(event, contest)
        book.add(title, _standing(event, title), columns, rows, wide=True, kept=1, chart=chart)


def _above(event: Event, title: str, more: Iterable[Row] = ()) -> Sequence[Row]:
    day = date_format(event.tournament.starts_on, "SHORT_DATE_FORMAT")
    return [[title], [f"{event.tournament.name} · {day}"], *more]


def _standing(event: Event, title: str, more: Iterable[Row] = ()) -> Sequence[Row]:
    """Lines above standings, which may change until the event is over."""
    is_over = event.tournament.state == Tournament.State.FINISHED
    return _above(event, title, [*([] if is_over else [[_("The event is not over.")]]), *more])


# ---- Chart of a contest: values are embedded, so sorting the table does not change it ----


def course_chart(event: Event, contest: ContestResults) -> tuple[LineChart, str] | None:
    """Totals or averages of the best, and their description, once something is played."""
    answer, course = contest.answer, ranking.courses(contest)
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
