"""The results of an event as an Excel file for people: values only, which can be sorted, filtered and printed.

| sheet | what | where |
| --- | --- | --- |
| Results | each player once: place, points, stage reached, notes | `ranking` |
| heats, by the name of their stage | places, and who goes through | `contests` |
| a match or session, by its stage or table | the points of each round, and a chart | `contests`, `charts` |
| Clubs | one ranking over the whole event | `records` |
| Rounds or games | a row for each; for organisers with who entered it, whether it was corrected, why | `records` |
| Fees | for organisers: who paid, and what players answered | `records` |
| About this file | the rulings and settings, the end of the ledger | `records` |

Points and places come from `tournament.results.answer` alone.
"""

from collections.abc import Iterable, Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _, override

from tournament.files.results_file import contests, ranking, records
from tournament.files.results_file.charts import course_chart
from tournament.files.results_file.facts import read_extras
from tournament.files.results_file.kinds import KINDS
from tournament.files.results_file.sheets import ResultsBook, Row
from tournament.files.workbook.event import Event, StageRead
from tournament.results import kind_of

MOST_ON_A_PAGE, MOST_BESIDE_A_CHART = 40, 6  # players


def results_file(event: Event) -> bytes:
    """Write the event's results as an .xlsx file in the reader's language.

    `event` comes from `read_event(tournament, everything=..., language=...)`: with `everything`, for organisers, there
    are also who entered and corrected what, and the sheet of fees; without it the file obeys the freeze.
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
        people = ranking.reached(event)
        columns, rows = ranking.table(event, extras, people)
        book.add(
            _("Results"),
            ranking.above(event, extras, people),
            columns,
            rows,
            kept=None,
            one_page=len(rows) <= MOST_ON_A_PAGE,
        )
        for read in event.stages:
            _add_stage(book, event, read)
        if clubs := records.clubs_of(event):
            book.add(
                _("Clubs"),
                _above(event, _("Clubs"), records.club_rules(clubs)),
                *records.clubs_table(event, clubs),
            )
        plays, (columns, rows) = _plays_title(event), records.plays_table(event, extras)
        if rows:
            book.add(plays, _above(event, plays), columns, rows, wide=True)
        if event.ledger is not None:
            fees = _("Fees")
            book.add(
                fees,
                _above(event, fees, records.money_above(event)),
                *records.money_table(event, extras),
                wide=True,
            )
        about = _("About this file")
        book.add(about, _above(event, about), *records.about_table(event))
        return book.content()


def _add_stage(book: ResultsBook, event: Event, read: StageRead) -> None:
    """Add the sheets of a stage: one of heats, else one for each of its contests."""
    if kind_of(read.stage.kind).one_play:
        if read.results:
            book.add(str(read.stage), _above(event, str(read.stage)), *contests.heats_table(event, read))
        return
    for contest in read.results:
        title = ranking.contest_title(read, contest)
        columns, rows = contests.crosstable(event, contest)
        above, few = _above(event, title), len(rows) <= MOST_BESIDE_A_CHART
        sheet = book.add(title, above, columns, rows, wide=True, kept=2, one_page=few)
        if chart := course_chart(event, contest):
            book.draw(sheet, *chart)


def _above(event: Event, title: str, more: Iterable[Row] = ()) -> Sequence[Row]:
    """Write the lines above a table: its title, the event, and `more` of the sheet's own."""
    day = date_format(event.tournament.starts_on, "SHORT_DATE_FORMAT")
    return [[title], [f"{event.tournament.name} · {day}"], *more]


def _plays_title(event: Event) -> str:
    """Name the sheet of rounds, or of games where nothing else is played."""
    kinds = [str(KINDS[each.answer.kind].plays) for read in event.stages for each in read.results]
    return kinds[-1] if kinds else ""
