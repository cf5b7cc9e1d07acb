"""Streaming workbook writer (XlsxWriter, `constant_memory`)."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil
from typing import IO
from zoneinfo import ZoneInfo

from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from tournament.words.text import numbered

# ---- Cell values ----

LONGEST_TEXT = 32_767  # characters per cell
LONGEST_TITLE = 31  # UTF-16 units

# Text with these starts becomes a formula when edited or pasted.
FORMULA_STARTS = ("=", "+", "-", "@")

# Excel decodes _x0041_.
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\\s]+")
_RESERVED_TITLES = {"history"}

# Excel 2019 functions by their file names. XlsxWriter scans other formulas for future functions, tripling the time.
IFS, MAXIFS = "_xlfn.IFS", "_xlfn.MAXIFS"

Plain = str | int | Fraction | date | datetime | timedelta | None


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in English Excel without =, and its cached `value`. [key]: the row's own cell; table_key: a whole
    column. Survives sorting."""

    text: str
    value: Plain = None


Value = Plain | Formula
Row = Sequence[Value]


def safe_text(text: str) -> str:
    """Text valid in XML and spreadsheets, on one line."""
    if text.isascii() and text.isprintable():
        return text[:LONGEST_TEXT]
    return "".join(
        letter
        for letter in re.sub(r"[\t\n\r\x0b\x0c\x85\u2028\u2029]+", " ", text)
        if unicodedata.category(letter) not in {"Cc", "Cs"} and ord(letter) & 0xFFFE != 0xFFFE
    )[:LONGEST_TEXT]


def csv_text(text: str) -> str:
    """Text for CSV; an apostrophe prevents formula injection."""
    text = safe_text(text)
    return f"'{text}" if text.lstrip().startswith(FORMULA_STARTS) else text


def literal(text: str) -> str:
    """Escape what Excel would decode."""
    return _ESCAPE.sub("_x005F_", text) if "_x" in text else text


def sheet_title(wanted: str, taken: Iterable[str] = ()) -> str:
    """Valid sheet name, unlike those `taken`."""
    text = _NOT_IN_TITLES.sub(" ", _ESCAPE.sub(" ", safe_text(wanted))).strip(" '") or "-"
    others = {title.casefold() for title in taken} | _RESERVED_TITLES
    units = text.encode("utf-16-le")
    titles = (
        units[: 2 * (LONGEST_TITLE - len(ending))].decode("utf-16-le", "ignore").rstrip(" '") + ending
        for ending in numbered("", " ({})")
    )
    return next(title for title in titles if title.casefold() not in others)


def display_width(text: str) -> int:
    """Width in digits: wide scripts and emoji 2, combining marks 0."""
    if text.isascii():
        return len(text)
    return sum(
        1 + (unicodedata.east_asian_width(letter) in {"W", "F"})
        for letter in text
        if unicodedata.category(letter) not in {"Mn", "Me", "Cf"}
    )


WIDEST, NARROWEST = 60, 6  # characters; longer text wraps
LINE_POINTS = 15  # height of a line of 11 points
ROOM = 5  # characters, with the filter arrow
LONGEST_CHOICE = 255  # characters
A4 = 9  # Excel's paper code
LONGEST_HEADER = 100  # characters
TOLD_EVERY = 500  # rows per progress call

DATE_FORMATS = {"fi": "d.m.yyyy", "sv": "d.m.yyyy"}
ISO_DATE = "yyyy-mm-dd"
_OWN_CELL = re.compile(r"\[(\w+)\]")
_RICH = re.compile(r"<r>.*</r>", re.DOTALL)  # XlsxWriter writes such text as raw XML


@dataclass(frozen=True, slots=True)
class Looks:
    """Layout by column key. `hidden` columns; `words`: validation lists; `named`: prefix of defined names; `typed`:
    input columns ("text" or "whole"), the rest protected; `kept`: last frozen column; `groups`: a rule above rows that
    change them; `widest`: characters in a line."""

    hidden: Sequence[str] = ()
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    named: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    kept: str = ""
    groups: Sequence[str] = ()
    widest: int = WIDEST


PLAIN = Looks()
STYLES = {
    str: "text",
    int: "whole",
    Fraction: "average",
    timedelta: "span",
    date: "day",
    datetime: "moment",
}


class WorkbookWriter:
    """Writes a workbook to a binary file. `zone` for times, `language` for date formats; `written` gets the number of
    rows at intervals."""

    def __init__(
        self,
        file: IO[bytes],
        *,
        title: str,
        language: str,
        zone: ZoneInfo,
        made: datetime,
        written: Callable[[int], None] | None = None,
    ) -> None:
        self._zone, self._title = zone, safe_text(title)
        self._written, self._count = written, 0
        self._book = Workbook(file, {"constant_memory": True})
        created = made.astimezone(ZoneInfo("UTC")).replace(tzinfo=None)
        self._book.set_properties({"title": self._title, "author": "Lastcard", "created": created})
        day = DATE_FORMATS.get(language, ISO_DATE)
        self._formats = {
            "heading": self._format(bold=True, font_color="#FFFFFF", bg_color="#1F5C3D", text_wrap=True),
            "title": self._format(bold=True),
            "line": self._format(),
            "text": self._format(text_wrap=True),
            "quoted": self._format(text_wrap=True, quote_prefix=True),
            "whole": self._format(num_format="0", align="center"),
            "average": self._format(num_format="0.00", align="center"),
            "day": self._format(num_format=day, align="center"),
            "moment": self._format(num_format=f"{day} hh:mm:ss", align="center"),
            "span": self._format(num_format="[mm]:ss", align="center"),
            "typed text": self._format(num_format="@", bg_color="#FFF8DC", locked=False),
            "typed whole": self._format(num_format="0", bg_color="#FFF8DC", locked=False),
        }
        self._rule = self._book.add_format({"top": 1})

    def _format(self, **properties: object) -> Format:
        return self._book.add_format({"valign": "top", "font_name": "Calibri", "font_size": 11, **properties})

    def add_sheet(
        self,
        title: str,
        headings: Mapping[str, str] | Sequence[str],
        rows: Iterable[Row],
        looks: Looks = PLAIN,
        above: Sequence[str] = (),
    ) -> None:
        """Add a sheet: text lines `above`, frozen headings (by column key if a mapping), rows."""
        columns = headings if isinstance(headings, Mapping) else {each: each for each in headings}
        sheet, first = self._book.add_worksheet(title), len(above)
        for at, line in enumerate(above):
            sheet.write_string(at, 0, safe_text(line), self._formats["line" if at else "title"])
        letters = {key: xl_col_to_name(index) for index, key in enumerate(columns)}
        widths = [
            self._put(sheet, first, index, heading, "heading")
            for index, heading in enumerate(columns.values())
        ]
        last = self._add_rows(sheet, first, rows, letters, widths, widest=looks.widest)
        for (key, letter), width in zip(letters.items(), widths, strict=True):
            words = looks.words.get(key, ())
            wide = min(looks.widest, max(NARROWEST, width, *map(len, words)) + ROOM)
            typed = self._formats[f"typed {looks.typed[key]}"] if key in looks.typed else None
            sheet.set_column(f"{letter}:{letter}", wide, typed, {"hidden": key in looks.hidden})
            if words and len(",".join(words)) <= LONGEST_CHOICE:
                rule = {"validate": "list", "source": [*words]}
                sheet.data_validation(f"{letter}{first + 2}:{letter}{last + 1}", rule)
            if looks.named:
                area = f"='{title}'!${letter}${first + 2}:${letter}${last + 1}"
                self._book.define_name(f"{looks.named}_{key}", area)
        self._lay_out(sheet, first, last, letters, looks)

    def _add_rows(
        self,
        sheet: Worksheet,
        first: int,
        rows: Iterable[Row],
        letters: Mapping[str, str],
        widths: list[int],
        *,
        widest: int,
    ) -> int:
        """Returns the last row number, at least one below the headings; updates `widths`."""
        in_row = cache(lambda text: _OWN_CELL.sub(lambda own: f"${letters[own[1]]}\0", text))
        last = first
        for last, row in enumerate(rows, first + 1):
            longest = 0
            for index, value in enumerate(row):
                if value is None:
                    continue
                if isinstance(value, Formula):
                    wide = self._put_formula(sheet, last, index, value, in_row(value.text))
                else:
                    wide = self._put(sheet, last, index, value)
                    longest = max(longest, wide)
                widths[index] = max(widths[index], wide)
            if longest > widest:  # LibreOffice would print wrapped lines over the next row
                sheet.set_row(last, LINE_POINTS * ceil(longest / widest))
            self._count += 1
            if self._written and self._count % TOLD_EVERY == 0:
                self._written(self._count)
        return max(last, first + 1)

    def finish(self) -> None:
        """Write the file; final. Raises OSError."""
        try:
            self._book.close()
        except FileCreateError as error:
            raise error.args[0] from error

    def _put(self, sheet: Worksheet, row: int, column: int, value: Value, style: str = "") -> int:
        match value:
            case str():
                text, own, wide = _text_cell(value)
                sheet.write_string(row, column, text, self._formats[style or own])
                return wide
            case int() | Fraction():
                sheet.write_number(row, column, value, self._formats[STYLES[type(value)]])
                return NARROWEST
            case datetime():
                value = value.astimezone(self._zone).replace(tzinfo=None, microsecond=0)
        sheet.write_datetime(row, column, value, self._formats[STYLES[type(value)]])
        return len("2026-01-01 00:00:00" if isinstance(value, datetime) else "2026-01-01")

    def _put_formula(self, sheet: Worksheet, row: int, column: int, formula: Formula, in_row: str) -> int:
        value = "" if formula.value is None else formula.value
        text, style = in_row.replace("\0", str(row + 1)), self._formats[STYLES[type(value)]]
        sheet.write_formula(row, column, text, style, float(value) if isinstance(value, Fraction) else value)
        return display_width(value) if isinstance(value, str) else NARROWEST

    def _lay_out(
        self, sheet: Worksheet, first: int, last: int, letters: Mapping[str, str], looks: Looks
    ) -> None:
        keys = list(letters)
        sheet.freeze_panes(first + 1, keys.index(looks.kept) + 1 if looks.kept else 0)
        sheet.autofilter(first, 0, last, len(keys) - 1)
        if looks.typed:
            sheet.protect("", {"autofilter": True, "sort": True, "format_columns": True})
        if looks.groups:
            changed = ",".join(f"${letters[key]}3<>${letters[key]}2" for key in looks.groups)
            rule = {"type": "formula", "criteria": f"=OR({changed})", "format": self._rule}
            sheet.conditional_format(2, 0, max(last, 2), len(keys) - 1, rule)
        sheet.set_landscape()
        sheet.set_paper(A4)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(first)
        sheet.set_header(f"&L{self._title[:LONGEST_HEADER].replace('&', '&&')}&R&A")
        sheet.set_footer("&LLastcard&R&P / &N")


@lru_cache(maxsize=5000)
def _text_cell(value: str) -> tuple[str, str, int]:
    text = safe_text(value)
    if _RICH.fullmatch(text):
        text += " "
    return text, "quoted" if text.lstrip().startswith(FORMULA_STARTS) else "text", display_width(text)
