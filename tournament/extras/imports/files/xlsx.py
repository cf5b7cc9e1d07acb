"""Sheets of a validated workbook as text, by openpyxl. Formulas give saved values."""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import islice
from typing import Any

from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.numbers import is_datetime
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.utils.cell import column_index_from_string
from openpyxl.utils.datetime import from_excel, to_excel
from openpyxl.utils.escape import unescape
from openpyxl.workbook.defined_name import DefinedName

from tournament.extras.imports.files.grid import Grid, Line, text_of
from tournament.extras.imports.files.package import Package, Part
from tournament.extras.imports.files.problems import LIST, MOST_COLUMNS, MOST_SHEET_ROWS, Limits, Refusal

HOUR, YEAR = 1 / 24, 366  # days; less in a time cell is a time
DAYS_OF_TIMES = 3  # days; less in a date cell is a time
_AREA = re.compile(
    r"(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Z]{1,3})\$?[0-9]{1,7}(?::\$?([A-Z]{1,3})\$?[0-9]{1,7})?"
)
_COLUMN_NAME = re.compile(r"[a-z]+_[a-z0-9_]+", re.ASCII)

warnings.filterwarnings("ignore", module="openpyxl")  # of everything that it omits


@dataclass(frozen=True, slots=True)
class Column:
    """A named column: sheet, number from 1."""

    sheet: str
    number: int


@contextmanager
def _openpyxl() -> Iterator[None]:
    try:
        yield
    except OSError:  # not a workbook
        raise Refusal("archive") from None
    except Exception:
        raise Refusal("damaged") from None


class Xlsx:
    """A readable workbook. `columns` by defined name (`games_outcome`). Raises Refusal for unsafe files, also in
    sheets()."""

    def __init__(self, data: bytes, limits: Limits = LIST) -> None:
        self._limits, self._package = limits, Package(data, limits)
        with _openpyxl():
            reader = ExcelReader(self._package.file, read_only=True, data_only=True)
            reader.read_manifest()
            reader.read_strings()
            reader.read_workbook()
            apply_stylesheet(reader.archive, reader.wb)
            reader.read_worksheets()
            self._epoch = reader.wb.epoch
            names = reader.parser.defined_names.definedName  # type: ignore[attr-defined] # the stubs lack it
            self.columns: Mapping[str, Column] = dict(_columns(names))
            targets = (rel.target for _sheet, rel in reader.parser.find_sheets())
            parts = [target for target in targets if target in self._package.parts]
            # Two sheets may name the same one.
            self._sheets = dict(zip(parts, reader.wb.worksheets, strict=True))
        if not self._sheets:
            raise Refusal("damaged")

    def sheets(self, wanted: Callable[[str], bool] = lambda _title: True) -> Iterator[Grid]:
        """Yield the sheets with `wanted` titles, visible ones first, on demand."""
        for part, cells in sorted(self._sheets.items(), key=lambda each: each[1].sheet_state != "visible"):
            if wanted(text_of(cells.title)):
                yield self._grid(self._package.parts[part], cells)

    def _grid(self, noted: Part, cells: Any) -> Grid:
        rows, columns = cells.max_row or 0, cells.max_column or 0
        if (rows > MOST_SHEET_ROWS and rows > noted.row) or (
            columns > MOST_COLUMNS and columns > noted.widest
        ):
            raise Refusal("false_dimensions", rows=rows, columns=columns)
        if noted.filled > MOST_COLUMNS:
            raise Refusal("too_many_columns", most=MOST_COLUMNS)
        cells.reset_dimensions()
        # openpyxl may fail beyond the last row.
        found = islice(cells.iter_rows(max_col=min(noted.widest, MOST_COLUMNS)), noted.row)
        lines = filter(None, (self._line(number, row, noted) for number, row in enumerate(found, 1)))
        with _openpyxl():
            filled = list(islice(lines, self._limits.rows + 1))
        more = len(filled) > self._limits.rows
        return Grid(filled[: self._limits.rows], text_of(cells.title), noted.merges, more)

    def _line(self, number: int, row: tuple[Any, ...], noted: Part) -> Line:
        line = Line(number, hidden=number in noted.hidden)
        for column, cell in enumerate(row, 1):
            if cell.data_type == "e":
                line.lost[column] = "formula_error"
            elif cell.value is not None:
                if text := _text(cell, self._epoch):
                    line.cells[column] = text
            elif (number, column) in noted.unsaved and cell.data_type != "str":  # an empty text is a value
                line.lost[column] = "formula_without_value"
        return line


def _columns(names: Iterable[DefinedName]) -> Iterator[tuple[str, Column]]:
    for name in names:
        area = _AREA.fullmatch(name.value or "") if _COLUMN_NAME.fullmatch(name.name) else None
        if area and area[4] in {None, area[3]}:
            title = area[1].replace("''", "'") if area[1] else area[2]
            yield name.name, Column(text_of(title), column_index_from_string(area[3]))


def _text(cell: Any, epoch: datetime) -> str:
    """A cell's text; `epoch`: the book's day 0."""
    value = cell.value
    match value:
        case bool():
            return "yes" if value else "no"
        case date() | time() | timedelta():
            days = to_excel(value, epoch)  # type: ignore[no-untyped-call]
            return _moment_text(days, epoch, cell.number_format.lower())
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
    return text_of(unescape(str(value)))


_kind_of_format = cache(is_datetime)


def _moment_text(days: float, epoch: datetime, form: str) -> str:
    """Date as 2001-02-03, time as typed. Spreadsheets store 34:12 (minutes) as 34 hours, 0:45 as 45 minutes; only cells
    of minutes and seconds within the hour are mm:ss."""
    is_time = _kind_of_format(form) == "time" and ("h" in form or "s" in form)
    if not 0 <= days < (YEAR if is_time else DAYS_OF_TIMES):
        return str(from_excel(days, epoch))[:16].removesuffix(" 00:00")
    minutes, rest = divmod(round(days * 24 * 3600), 60)
    seconds_shown = is_time and "h" not in form
    if seconds_shown and days <= HOUR:
        return f"{minutes}:{rest:02d}"
    return f"{minutes // 60}:{minutes % 60:02d}" + (f":{rest:02d}" if rest or seconds_shown else "")
