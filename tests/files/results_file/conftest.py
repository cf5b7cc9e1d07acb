"""A file of results as its reader opens it."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from tests.support.factories import Event
from tournament.files.results_file.results_file import results_file
from tournament.files.workbook.event import read_event
from tournament.models import Tournament
from tournament.server.database import snapshot

Row = dict[str, Any]


def opened(tournament: Tournament, *, private: bool = False, language: str = "en") -> Workbook:
    """The file for organisers or, unless `private`, for everybody."""
    with snapshot():
        tournament = Tournament.objects.get(pk=tournament.pk)
        event = read_event(tournament, everything=private, language=language, answers=private)
    return load_workbook(BytesIO(results_file(event)))


def table(sheet: Worksheet) -> list[Row]:
    """The rows of the sheet's table, by their headings."""
    (found,) = sheet.tables.values()
    headings, *rows = ([cell.value for cell in row] for row in sheet[found.ref])
    return [dict(zip(headings, row, strict=True)) for row in rows]


def column(sheet: Worksheet, heading: str) -> list[Any]:
    return [row[heading] for row in table(sheet)]


def above(sheet: Worksheet) -> list[str]:
    """The lines above the sheet's table, without the podium's."""
    (found,) = sheet.tables.values()
    lines = sheet.iter_rows(max_row=sheet[found.ref][0][0].row - 1, max_col=1, values_only=True)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for (line,) in lines if isinstance(line, str)]


def shades(sheet: Worksheet) -> list[str]:
    """The colours behind the first column of the table; "00000000" for none."""
    (found,) = sheet.tables.values()
    return [row[0].fill.start_color.rgb for row in sheet[found.ref][1:]]


@pytest.fixture
def results() -> Callable[..., Workbook]:
    """The file of an event made by the factories."""

    def read(made: Event, **how: Any) -> Workbook:
        return opened(made.tournament, **how)

    return read
