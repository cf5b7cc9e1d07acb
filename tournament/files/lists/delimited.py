"""Text files in any encoding, delimiter and quoting."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from tournament.files.lists.columns import column_of
from tournament.files.lists.encodings import decode
from tournament.files.lists.grid import Grid, Line, text_of
from tournament.files.lists.limits import HEADING_ROWS, LONGEST_CELL, MOST_COLUMNS, MOST_ROWS, MOST_SHEET_ROWS
from tournament.files.lists.problems import Refusal

COMMA = ","
DELIMITERS = ("\t", ";", COMMA)  # preferred first: clubs contain commas
TRIED, TRIED_LETTERS = 30, 100_000  # rows, characters for detecting the delimiter
LINES_IN_A_CELL = 3  # more: an unclosed quotation mark
_SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)  # Excel's delimiter line
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")
_MOST_CONTROLS = 0.01  # share of characters in text


def read_text(data: bytes, encoding: str = "") -> Grid:
    """Read cells up to the row limit; `encoding` if the user chose one. Raises Refusal if binary or too large."""
    text, encodings = decoded(data, encoding)
    found = _SEPARATOR_LINE.match(text)
    likely = [found[1]] if found and found[1] in DELIMITERS else DELIMITERS
    delimiter = max(likely, key=lambda delimiter: _fit(text, delimiter))
    grid = Grid(delimiter=delimiter, encodings=encodings, raw=data if encodings else b"")
    try:
        for number, row in enumerate(_rows(text, delimiter), 1):
            if number == 1 and found:
                continue
            line = _line(number, row)
            if number > MOST_SHEET_ROWS or (line and len(grid.lines) >= MOST_ROWS + HEADING_ROWS):
                grid.more = True
                break
            if line:
                grid.lines.append(line)
    except csv.Error:  # field above its own limit
        raise Refusal("cell_too_long", most=LONGEST_CELL) from None
    return grid


def decoded(data: bytes, encoding: str = "") -> tuple[str, tuple[str, ...]]:
    """The text and its possible encodings (encodings.py). Raises Refusal if binary."""
    text, encodings = decode(data, encoding)
    if "\x00" in text or len(_CONTROLS.findall(text)) > _MOST_CONTROLS * len(text):
        raise Refusal("not_a_list")
    return text.removeprefix("\ufeff"), encodings


def _fit(text: str, delimiter: str) -> tuple[int, int, bool]:
    """Rank a delimiter by known headings, then rows of equal length, then presence."""
    try:
        rows = [row for row in islice(_rows(text[:TRIED_LETTERS], delimiter), TRIED) if any(row)]
    except csv.Error:
        return (0, 0, False)
    headings = (row[:MOST_COLUMNS] for row in rows[:HEADING_ROWS])
    known = max((sum(bool(column_of(cell)) for cell in row) for row in headings), default=0)
    alike = max(Counter(len(row) for row in rows if len(row) > 1).values(), default=0)
    return known, alike, delimiter in text[:TRIED_LETTERS]


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)


def _line(number: int, row: list[str]) -> Line:
    line = Line(number)
    if max(map(len, row), default=0) > LONGEST_CELL:
        raise Refusal("cell_too_long", most=LONGEST_CELL)
    if any(map(str.strip, row[MOST_COLUMNS:])):
        raise Refusal("too_many_columns", most=MOST_COLUMNS)
    for column, cell in enumerate(row[:MOST_COLUMNS], 1):
        if text := text_of(cell):
            line.cells[column] = text
            if cell.count("\n") > LINES_IN_A_CELL:
                line.lost[column] = "open_quote"
    return line
