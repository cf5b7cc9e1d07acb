"""The one way a value becomes an Excel cell: dates are dates, numbers are numbers, text is never a formula.

Values say what they are by their type, so a sheet is a list of headings and rows of values:

| type | cell | format |
| --- | --- | --- |
| str | text, also where it begins with = + - @ or looks like an error value | |
| int | whole number | 0 |
| Fraction | its nearest number | 0.00 |
| date, datetime (aware) | date, date and time in the book's time zone | as the book's language writes it |
| timedelta | time, minutes beyond the hour going on | [mm]:ss |
| Formula | what Excel works out, in the format that it names | |
| None | nothing | |

Sheets are written row by row (openpyxl's write-only mode), so a long one takes no memory.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import IO, Any
from zoneinfo import ZoneInfo

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side
from openpyxl.utils import absolute_coordinate, get_column_letter, quote_sheetname
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet.datavalidation import DataValidation

from tournament.exports.sheets import quoted


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, without its =, in the words of English Excel; `style` is one of STYLES."""

    text: str
    style: str = "whole"


Value = str | int | Fraction | date | datetime | timedelta | Formula | None
Row = Sequence[Value]


@dataclass(frozen=True, slots=True)
class Looks:
    """How a sheet looks beside its values, by the index of a column: which are `hidden`, the `words` that may be typed,
    what is said to a time of more than an hour, the word that is `marked`, the name by which a program knows it. Where
    there are `typed` columns (each with one of STYLES) the sheet is protected but for them, and they are coloured."""

    hidden: Sequence[int] = ()
    words: Mapping[int, Sequence[str]] = field(default_factory=dict)
    times: Mapping[int, str] = field(default_factory=dict)
    marked: Mapping[int, str] = field(default_factory=dict)
    named: Mapping[int, str] = field(default_factory=dict)
    typed: Mapping[int, str] = field(default_factory=dict)


PLAIN = Looks()

LONGEST_TEXT = 32_767  # characters that a cell holds
LONGEST_CHOICE = 255  # characters of all words that may be typed in a cell
LONGEST_TITLE = 31  # UTF-16 units of a sheet's name
WIDEST, NARROWEST = 60, 6  # characters; what is longer wraps
TOLD_EVERY = 500  # rows
MARKED = "FFB00020"  # the colour of what stands out
TO_TYPE = PatternFill("solid", start_color="FFFFF8DC")  # behind what is to be filled in
FILTER_ARROW = 3  # characters that the arrow of the filter hides

FORMATS = {"text": "@", "whole": "0"}  # of what people type
STYLES = ("text", "word", "whole", "average", "day", "moment", "span")
DATE_FORMATS = {"fi": "d.m.yyyy"}
ISO_DATE = "yyyy-mm-dd"

# What a spreadsheet may take for the beginning of a formula when somebody edits or pastes the cell.
_FORMULA_STARTS = ("=", "+", "-", "@")
# Excel reads _x0041_ as the character of that number; the first underscore written so keeps it as it is.
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\\s]+")
_RESERVED_TITLES = {"history"}


def safe_text(text: str) -> str:
    """The text as XML and a spreadsheet can hold it: white space in one line, without control characters, lone
    surrogates and the code points that are no characters."""
    if text.isascii() and text.isprintable():
        return text[:LONGEST_TEXT]
    spaced = re.sub(r"[\t\n\r\x0b\x0c\x85\u2028\u2029]+", " ", text)
    kept = (letter for letter in spaced if unicodedata.category(letter) not in {"Cc", "Cs"})
    return "".join(letter for letter in kept if ord(letter) & 0xFFFE != 0xFFFE)[:LONGEST_TEXT]


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
    """As much of the text as fits into so many UTF-16 units."""
    return text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore").rstrip(" '")


def display_width(text: str) -> int:
    """How many columns of a plain digit's width the text takes: wide scripts and emoji two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(letter) in {"Mn", "Me", "Cf"} else 2 if _is_wide(letter) else 1
        for letter in text
    )


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in {"W", "F"}


class Book:
    """A workbook in the making. `zone` is where its times are shown, `language` how dates are written; `written` is
    told how many rows there are so far, every so many of them."""

    def __init__(
        self,
        *,
        title: str,
        language: str,
        zone: ZoneInfo,
        made: datetime,
        written: Callable[[int], None] | None = None,
    ) -> None:
        self.zone = zone
        self._written, self._rows = written, 0
        self._workbook = Workbook(write_only=True)
        self._reserved: set[str] = set()
        properties = self._workbook.properties
        properties.title = safe_text(title)
        properties.creator = properties.lastModifiedBy = "Lastcard"
        properties.language = language
        properties.created = properties.modified = made.astimezone(ZoneInfo("UTC")).replace(tzinfo=None)
        day = DATE_FORMATS.get(language, ISO_DATE)
        top = Alignment(vertical="top")
        self._add_style("heading", "@", Alignment(vertical="center", wrap_text=True), heading=True)
        self._add_style("text", "@", Alignment(vertical="top", wrap_text=True))
        # A word that a formula finds: in a cell of text, Excel leaves a formula's text when it is edited.
        self._add_style("word", "General", top)
        self._add_style("whole", "0", top)
        self._add_style("average", "0.00", top)
        self._add_style("day", day, top)
        self._add_style("moment", f"{day} hh:mm:ss", top)
        self._add_style("span", "[mm]:ss", top)

    def _add_style(self, name: str, form: str, alignment: Alignment, *, heading: bool = False) -> None:
        style = NamedStyle(f"lastcard {name}", number_format=form, alignment=alignment)
        if heading:
            style.font = Font(bold=True)
            style.border = Border(bottom=Side("thin"))
        self._workbook.add_named_style(style)

    def reserve(self, wanted: str) -> str:
        """The title that a sheet like this will have, so that formulas can name it before it is added."""
        title = sheet_title(wanted, [*self._workbook.sheetnames, *self._reserved])
        self._reserved.add(title)
        return title

    def add_sheet(
        self,
        title: str,
        headings: Sequence[str],
        rows: Callable[[], Iterable[Row]],
        *,
        filtered: bool = True,
        looks: Looks = PLAIN,
    ) -> None:
        """Add a sheet with bold, frozen headings. `rows` is called twice: widths are set before the first row."""
        if title not in self._reserved:
            title = self.reserve(title)
        self._reserved.remove(title)
        sheet = self._workbook.create_sheet(title)
        sheet.freeze_panes = "A2"
        sheet.print_title_rows = "1:1"
        sheet.page_setup.orientation = "landscape"
        sheet.page_setup.fitToHeight = 0
        sheet.sheet_properties.pageSetUpPr.fitToPage = True
        for index, width in enumerate(self._widths(headings, rows(), filtered=filtered), 1):
            sheet.column_dimensions[get_column_letter(index)].width = width
        for index in looks.hidden:
            sheet.column_dimensions[get_column_letter(index + 1)].hidden = True
        for index, style in looks.typed.items():
            column: Any = sheet.column_dimensions[
                get_column_letter(index + 1)
            ]  # of cells that nobody wrote yet
            column.number_format, column.fill = FORMATS[style], TO_TYPE
            column.protection = Protection(locked=False)
        cells = _Cells(sheet, self.zone)
        sheet.append([cells.heading(heading) for heading in headings])
        count = 1
        for count, row in enumerate(rows(), 2):  # noqa: B007 - the last one is the sheet's end
            sheet.append(cells.of(value) for value in row)
            self._count_row()
        if filtered:
            sheet.auto_filter.ref = f"A1:{get_column_letter(len(headings))}{count}"
        self._dress(sheet, looks, count)
        sheet.close()

    def _count_row(self) -> None:
        self._rows += 1
        if self._written and self._rows % TOLD_EVERY == 0:
            self._written(self._rows)

    def _dress(self, sheet: WriteOnlyWorksheet, looks: Looks, last: int) -> None:
        has: Any = sheet  # these attributes as well, as every sheet
        if looks.typed:
            has.protection.sheet = True
            has.protection.autoFilter = has.protection.sort = has.protection.formatColumns = (
                False  # are allowed
            )
        for index, words in looks.words.items():
            choice = ",".join(words)
            if len(choice) <= LONGEST_CHOICE:
                rule = DataValidation("list", formula1=quoted(choice), allow_blank=True)
                rule.add(_column(index, last))
                has.data_validations.append(rule)
        for index, said in looks.times.items():
            rule = DataValidation("time", operator="between", formula1="0", formula2="TIME(1,0,0)")
            rule.allow_blank, rule.error, rule.showErrorMessage = True, said, True
            rule.add(_column(index, last))
            has.data_validations.append(rule)
        for index, word in looks.marked.items():
            mark: Any = CellIsRule("equal", [quoted(word)], font=Font(bold=True, color=MARKED))  # type: ignore[no-untyped-call]
            has.conditional_formatting.add(_column(index, last), mark)
        for index, name in looks.named.items():
            area = f"{quote_sheetname(sheet.title)}!{absolute_coordinate(_column(index, last))}"
            self._workbook.defined_names[name] = DefinedName(name, attr_text=area)

    def save(self, file: IO[bytes]) -> None:
        """Write the workbook; nothing can be added after it."""
        self._workbook.save(file)

    def _widths(self, headings: Sequence[str], rows: Iterable[Row], *, filtered: bool) -> list[int]:
        arrow = FILTER_ARROW if filtered else 0
        widths = [display_width(heading) + arrow for heading in headings]
        for row in rows:
            for index, value in enumerate(row):
                if value is not None:
                    widths[index] = max(widths[index], _value_width(value))
        return [min(WIDEST, max(NARROWEST, width + 2)) for width in widths]


def _column(index: int, last: int) -> str:
    """The cells of a column below the heading."""
    letter = get_column_letter(index + 1)
    return f"{letter}2:{letter}{max(2, last)}"


class _Cells:
    """The cells of one sheet. There is one cell for each style: a row is written cell by cell as it is asked for, and
    making and styling each cell anew would take most of the time."""

    def __init__(self, sheet: WriteOnlyWorksheet, zone: ZoneInfo) -> None:
        self._sheet, self._zone = sheet, zone
        self._by_style = {style: self._new(style) for style in STYLES}
        self._quoted = self._new("text")
        self._quoted.quotePrefix = True

    def heading(self, text: str) -> Cell:
        """A heading; its own cell, since headings are not written one by one."""
        cell = self._new("heading")
        _set_text(cell, safe_text(text))
        return cell

    def of(self, value: Value) -> Cell | None:
        """The cell of a value, to be written before the next one is asked for."""
        if value is None:
            return None
        if isinstance(value, str):
            text = safe_text(value)
            cell = self._quoted if text.lstrip().startswith(_FORMULA_STARTS) else self._by_style["text"]
            _set_text(cell, text)
            return cell
        if isinstance(value, Formula):
            cell = self._by_style[value.style]
            cell.value = f"={value.text}"
            return cell
        cell = self._by_style[_style_of(value)]
        if isinstance(value, Fraction):
            cell.value = float(value)
        elif isinstance(value, datetime):
            cell.value = value.astimezone(self._zone).replace(tzinfo=None, microsecond=0)
        else:
            cell.value = value
        return cell

    def _new(self, style: str) -> Cell:
        cell: Cell = WriteOnlyCell(self._sheet)
        cell.style = f"lastcard {style}"
        return cell


def _set_text(cell: Cell, text: str) -> None:
    cell.value = _ESCAPE.sub("_x005F_", text) if "_x" in text else text
    cell.data_type = "s"


def _style_of(value: int | Fraction | date | timedelta) -> str:
    if isinstance(value, int):
        return "whole"
    if isinstance(value, datetime):
        return "moment"
    if isinstance(value, date):
        return "day"
    return "span" if isinstance(value, timedelta) else "average"


def _value_width(value: Value) -> int:
    if isinstance(value, str):
        return display_width(value)
    if isinstance(value, Formula):
        return NARROWEST
    if isinstance(value, datetime):
        return len("2026-01-01 00:00:00")
    if isinstance(value, date):
        return len("2026-01-01")
    if isinstance(value, timedelta):
        return len("60:00")
    return len(f"{float(value):.2f}") if isinstance(value, Fraction) else len(str(value))
