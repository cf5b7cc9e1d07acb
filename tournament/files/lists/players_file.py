"""The list of an event's players with all that its organisers know: contacts, answers, who paid. It is read again as
any list is (lists.py)."""

import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from tournament.files.lists.columns import NOT_READ, headings_in
from tournament.files.workbook.cells import Row
from tournament.files.workbook.writer import WorkbookWriter
from tournament.models import Entry, Tournament
from tournament.queries.questions import Question, answers_of

TICKED = "x"  # a yes, which a list says in every language


def players_file(
    tournament: Tournament,
    entries: Iterable[Entry],
    questions: Sequence[Question],
    *,
    title: str,
    language: str,
    made: datetime,
) -> bytes:
    """The workbook of these entries, with headings and states in this language, which is active; `title` names its
    sheet."""
    workbook = WorkbookWriter(title=title, language=language, zone=tournament.zone, made=made)
    asked = [question.label for question in questions]
    headings = [*headings_in(language), *asked, NOT_READ.get(language, NOT_READ["en"])]
    workbook.add_sheet(title, headings, lambda: _rows(entries, questions))
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


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
