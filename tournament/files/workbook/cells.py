"""The one way a value becomes an Excel cell: dates are dates, numbers are numbers, text is never a formula.

Values say what they are by their type, so a sheet is a list of headings and rows of values:

| type | cell | format |
| --- | --- | --- |
| str | text, also where it begins with = + - @ or looks like an error value | |
| int | whole number | 0 |
| Fraction | its nearest number | 0.00 |
| date, datetime (aware) | date, date and time in the workbook's time zone | as the workbook's language writes it |
| timedelta | time, minutes beyond the hour going on | [mm]:ss |
| Formula | what Excel works out, in the format that it names | |
| None | nothing | |

Cells are written as they stand in the file (ECMA-376, part 1, 18.3.1), a line of text for each, and nothing is kept: a
long sheet takes no memory. openpyxl, which makes all the rest of a workbook, takes ten times as long for cells, most of
it for objects and namespaces that a value and its style do not need. `assemble` puts the rows into the workbook that
openpyxl wrote without any. Widths are measured on the way, so rows are asked for once.
"""

import re
import tempfile
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from shutil import copyfileobj
from typing import IO, cast
from zipfile import ZIP_DEFLATED, ZipFile
from zoneinfo import ZoneInfo

from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel

WIDEST = 60  # characters of a column; what is longer wraps
LINE_POINTS = 15  # a line's height
NARROWEST = 6  # characters
IN_MEMORY = 2 * 1024 * 1024  # bytes of a sheet; a longer one goes through a file
REMEMBERED = 20_000  # texts and times of a sheet: names and words return in many rows
TOGETHER = 200  # rows
LONGEST_TEXT = 32_767  # characters that a cell holds
LONGEST_TITLE = 31  # UTF-16 units of a sheet's name

# Characters that a spreadsheet may take for the beginning of a formula when somebody edits or pastes the cell.
_FORMULA_STARTS = ("=", "+", "-", "@")
# Excel reads _x0041_ as the character of that number; the first underscore written so keeps it as it is.
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\\s]+")
_RESERVED_TITLES = {"history"}
_NO_ROWS = re.compile(rb"<sheetData\s*/>|<sheetData></sheetData>")


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, without its =, in the words of English Excel; `style` is one of `writer.STYLES`, `width` that of its
    longest result, in characters."""

    text: str
    style: str = "whole"
    width: int = NARROWEST


Value = str | int | Fraction | date | datetime | timedelta | Formula | None
Row = Sequence[Value]
Element = tuple[str, int]  # what follows the cell's address in its element, and how wide it is shown


class SheetRows:
    """The rows of one sheet, in the order in which they are added. `styles` gives the number of each style in the
    workbook, `zone` is where times are shown, `hidden` are columns by their index, a line is so many `points` high.
    `widths` are those of the columns in characters, `count` the rows."""

    def __init__(
        self,
        styles: Mapping[str, int],
        zone: ZoneInfo,
        hidden: Collection[int] = (),
        points: int = LINE_POINTS,
    ) -> None:
        self.widths: list[int] = []
        self.count = 0
        self._styles, self._zone, self._hidden, self._line = styles, zone, hidden, points
        self._letters: list[str] = []
        self._file = cast("IO[bytes]", tempfile.SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115 - `copy_to` closes it
        self._waiting: list[str] = []
        self._text: Callable[[str, str], Element] = lru_cache(REMEMBERED)(self._text_anew)
        self._time: Callable[[date | timedelta], Element] = lru_cache(REMEMBERED)(self._time_anew)
        self._formula_starts = {style: f' s="{number}"><f>' for style, number in styles.items()}
        self._whole_start = f' s="{styles["whole"]}"><v>'

    def add_headings(self, headings: Sequence[str], room: int) -> None:
        """Add the first row, which wraps rather than make a column wider than its values; `room` is left in each column
        for the arrow of a filter."""
        self.add(headings, "heading", height=2 * self._line)
        self.widths = [_broken(heading) + room for heading in headings]

    def add(self, row: Row, style: str = "text", height: int = 0) -> None:
        """Add a row below the others, its texts in this style; as high as they need where no `height` is said, in
        points."""
        self.count += 1
        number, letters, widths = self.count, self._letters, self.widths
        while len(letters) < len(row):
            letters.append(get_column_letter(len(letters) + 1))
            widths.append(0)
        cells, widest = [""], 0
        for index, value in enumerate(row):
            if value is not None:
                rest, width = self._element(value, style)
                cells.append(f'<c r="{letters[index]}{number}"{rest}')
                if width > widest and index not in self._hidden:
                    widest = width
                widths[index] = max(widths[index], width)
        cells.append("</row>")
        if widest > WIDEST - 2 and not height:
            # As many lines as the text takes in the widest column; words leave a part of each empty.
            height = self._line * -(-widest // (WIDEST - 10))
        cells[0] = f'<row r="{number}" ht="{height}">' if height else f'<row r="{number}">'
        self._waiting.append("".join(cells))
        if len(self._waiting) == TOGETHER:
            self._flush()

    def copy_to(self, file: IO[bytes]) -> None:
        """Write the element that holds all rows; nothing can be added after it."""
        self._flush()
        self._file.seek(0)
        file.write(b"<sheetData>")
        with self._file as rows:
            copyfileobj(rows, file)
        file.write(b"</sheetData>")

    def _flush(self) -> None:
        self._file.write("".join(self._waiting).encode())
        self._waiting.clear()

    def _element(self, value: str | int | Fraction | date | timedelta | Formula, style: str) -> Element:
        if isinstance(value, str):
            return self._text(value, style)
        if isinstance(value, Formula):
            return f"{self._formula_starts[value.style]}{escaped(value.text)}</f></c>", value.width
        if isinstance(value, int):
            return f"{self._whole_start}{value}</v></c>", len(str(value))
        if isinstance(value, Fraction):
            number = float(value)
            return f' s="{self._styles["average"]}"><v>{number!r}</v></c>', len(f"{number:.2f}")
        return self._time(value)

    def _text_anew(self, value: str, style: str) -> Element:
        text = safe_text(value)
        if style == "text" and text.lstrip().startswith(_FORMULA_STARTS):
            style = "quoted"
        space = ' xml:space="preserve"' if text != text.strip() else ""
        element = (
            f' s="{self._styles[style]}" t="inlineStr"><is><t{space}>{escaped(literal(text))}</t></is></c>'
        )
        return element, display_width(text)

    def _time_anew(self, value: date | timedelta) -> Element:
        if isinstance(value, timedelta):
            style, width = "span", len("60:00")
        elif isinstance(value, datetime):
            value = value.astimezone(self._zone).replace(tzinfo=None, microsecond=0)
            style, width = "moment", len("2026-01-01 00:00:00")
        else:
            style, width = "day", len("2026-01-01")
        return f' s="{self._styles[style]}"><v>{to_excel(value)!r}</v></c>', width  # type: ignore[no-untyped-call]


def _broken(heading: str) -> int:
    """Give the width of a heading in two lines: its longest word, or the least width that has all words in two
    lines."""
    words = [display_width(word) for word in heading.split()]
    return min(
        (max(_joined(words[:cut]), _joined(words[cut:])) for cut in range(1, len(words) + 1)), default=0
    )


def _joined(words: Sequence[int]) -> int:
    return sum(words) + len(words) - 1 if words else 0


def assemble(workbook: IO[bytes], sheets: Iterable[SheetRows], file: IO[bytes]) -> None:
    """Copy a workbook whose sheets have no rows, with these rows in its sheets in their order."""
    of_part = {f"xl/worksheets/sheet{number}.xml": rows for number, rows in enumerate(sheets, 1)}
    with ZipFile(workbook) as empty, ZipFile(file, "w", ZIP_DEFLATED) as full:
        for part in empty.infolist():
            content, rows = empty.read(part), of_part.pop(part.filename, None)
            with full.open(part.filename, "w", force_zip64=rows is not None) as target:
                if rows is None:
                    target.write(content)
                else:
                    before, after = _NO_ROWS.split(content)
                    target.write(before)
                    rows.copy_to(target)
                    target.write(after)
    assert not of_part, "a sheet is not where openpyxl puts it"


def safe_text(text: str) -> str:
    """The text as XML and a spreadsheet can hold it: white space in one line, without control characters, lone
    surrogates and the code points that are no characters."""
    if text.isascii() and text.isprintable():
        return text[:LONGEST_TEXT]
    return "".join(
        letter
        for letter in re.sub(r"[\t\n\r\x0b\x0c\x85\u2028\u2029]+", " ", text)
        if unicodedata.category(letter) not in {"Cc", "Cs"} and ord(letter) & 0xFFFE != 0xFFFE
    )[:LONGEST_TEXT]


def literal(text: str) -> str:
    """The text as a cell holds it, so that Excel reads no escape in it."""
    return _ESCAPE.sub("_x005F_", text) if "_x" in text else text


def escaped(text: str) -> str:
    """A safe text as it stands between two tags of the file."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def sheet_title(wanted: str, taken: Iterable[str] = ()) -> str:
    """A name that Excel accepts for a sheet, like the wanted one and unlike those taken (case does not tell apart)."""
    text = _NOT_IN_TITLES.sub(" ", _ESCAPE.sub(" ", safe_text(wanted))).strip(" '") or "-"
    others = {title.casefold() for title in taken} | _RESERVED_TITLES
    title, number = _cut(text, LONGEST_TITLE), 1
    while title.casefold() in others:
        number += 1
        ending = f" ({number})"
        title = _cut(text, LONGEST_TITLE - len(ending)) + ending
    return title


def _cut(text: str, units: int) -> str:
    """Cut the text to so many UTF-16 units."""
    return text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore").rstrip(" '")


def display_width(text: str) -> int:
    """Count how many columns of a plain digit's width the text takes: wide scripts and emoji two, combining marks
    none."""
    if text.isascii():
        return len(text)
    return sum(
        1 + (unicodedata.east_asian_width(letter) in {"W", "F"})
        for letter in text
        if unicodedata.category(letter) not in {"Mn", "Me", "Cf"}
    )
