"""An empty list to fill in, with the headings that are read; as a workbook and as text."""

import csv
import io
from datetime import datetime
from zoneinfo import ZoneInfo

from tournament.files.lists.columns import headings_in
from tournament.files.workbook.book import Book

KINDS = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}
# Where a comma stands between a number's digits, spreadsheet programs put semicolons between the cells.
_DELIMITERS = {"en": ","}


def template_file(kind: str, language: str, *, title: str, zone: ZoneInfo, made: datetime) -> bytes:
    """The file of this kind (one of KINDS) with the headings in this language; `title` names its sheet."""
    headings = headings_in(language)
    if kind == "csv":
        text = io.StringIO()
        csv.writer(text, delimiter=_DELIMITERS.get(language, ";")).writerow(headings)
        return text.getvalue().encode("utf-8-sig")  # with the mark by which Excel knows UTF-8
    book = Book(title=title, language=language, zone=zone, made=made)
    book.add_sheet(title, headings, lambda: iter(()), filtered=False)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
