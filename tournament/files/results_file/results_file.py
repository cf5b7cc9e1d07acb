"""Results of an event as a spreadsheet for people: plain values to sort, filter and print.

| sheet | content | where |
| --- | --- | --- |
| Results | each player once: place, points, stage reached, notes | `ranking` |
| heats, by stage | places, qualifiers | `ranking` |
| match or session, by stage or table | points per round, chart | `ranking`, `charts` |
| Clubs | ranking | `records` |
| Rounds or games | one row each | `records` |
| For organisers, Fees | who has not paid, decisions; payments, answers | `records` |
| About this file | rulings, settings, ledger head | `records` |
"""

from collections.abc import Iterable, Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _, override

from tournament.files.results_file import ranking, records
from tournament.files.results_file.charts import course_chart
from tournament.files.results_file.facts import KINDS, read_extras
from tournament.files.results_file.sheets import ResultsBook, Row
from tournament.files.workbook.event import Event, StageRead
from tournament.models import Tournament
from tournament.results import kind_of


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
            kinds = [str(KINDS[each.answer.kind].plays) for read in event.stages for each in read.results]
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
