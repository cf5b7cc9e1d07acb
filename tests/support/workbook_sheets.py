"""A sheet as a workbook has it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from zoneinfo import ZoneInfo

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from tournament.files.workbook.writer import Row, WorkbookWriter

MADE = datetime(2026, 5, 9, 9, 30, tzinfo=UTC)


def written(headings: Sequence[str], rows: Sequence[Row], *, title: str = "Sheet", **more: Any) -> Worksheet:
    file = BytesIO()
    book = WorkbookWriter(
        file,
        title="=Title\x00",
        language=more.pop("language", "en"),
        zone=ZoneInfo("Europe/Helsinki"),
        made=MADE,
    )
    book.add_sheet(title, headings, rows, **more)
    book.finish()
    return load_workbook(file).worksheets[0]
