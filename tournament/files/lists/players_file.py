"""Export of an event's players for organisers: contacts, answers, payments. Readable by lists.py."""

import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournament.files.lists.columns import NOT_READ, headings_in
from tournament.files.results_file.facts import fees_text
from tournament.files.workbook.cells import Row
from tournament.files.workbook.writer import WorkbookWriter
from tournament.models import Entry, Tournament
from tournament.queries.questions import Question, answers_of

TICKED = "x"  # yes in every language


def players_file(
    tournament: Tournament,
    entries: Iterable[Entry],
    questions: Sequence[Question],
    *,
    title: str,
    language: str,
    made: datetime,
) -> bytes:
    """Workbook of the entries, as bytes, in the active `language`; `title` names the sheet. Lines above the headings
    show event, day, fee and payments."""
    file, entries = io.BytesIO(), list(entries)
    day = date_format(tournament.starts_on, "SHORT_DATE_FORMAT")
    workbook = WorkbookWriter(
        file, title=f"{tournament.name} {day}", language=language, zone=tournament.zone, made=made
    )
    asked = [question.label for question in questions]
    headings = [*headings_in(language), *asked, NOT_READ.get(language, NOT_READ["en"])]
    above = [f"{tournament.name}, {day}", *_fees(tournament.fee, entries)]
    workbook.add_sheet(title, headings, _rows(entries, questions), above=above)
    workbook.finish()
    return file.getvalue()


def _fees(fee: str, entries: Iterable[Entry]) -> Iterator[str]:
    paid = [entry.paid for entry in entries if entry.is_in]
    if fee:
        yield f"{_('Fee')}: {fee}"
    in_all, words = fees_text(fee, sum(paid)), _("%(paid)d of %(all)d paid")
    yield words % {"paid": sum(paid), "all": len(paid)} + (f": {in_all}" if in_all else "")


def _rows(entries: Iterable[Entry], questions: Sequence[Question]) -> Iterator[Row]:
    for entry in entries:
        player = entry.player
        yield [
            player.name,
            None if entry.public_name == player.name else entry.public_name,
            entry.club or None,
            entry.start_number,
            player.birth_date,
            player.contact or None,
            TICKED if entry.guardian else None,
            TICKED if entry.paid else None,
            *(answer or None for _question, answer in answers_of(entry, questions)),
            str(entry.get_state_display()),
        ]
