"""Sheets for people: title, lines, one sortable table.

| action | safe because |
| --- | --- |
| sort, filter, delete a column | values only, no cell references |
| edit or paste a name like =1+1 | text with Excel's quote prefix |
| open on a phone | limited column widths, wrapped text |
| print | A4, page width, 12 points, repeated headings |
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from io import BytesIO
from math import ceil
from textwrap import wrap
from typing import Any
from xml.sax.saxutils import quoteattr
from zipfile import ZIP_DEFLATED, ZipFile
from zoneinfo import ZoneInfo

from openpyxl import Workbook
from openpyxl.chart import LineChart
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.worksheet import Worksheet
from xlsxwriter.utility import xl_pixel_width

from tournament.files.workbook.writer import (
    FORMULA_STARTS,
    display_width,
    literal,
    safe_text,
    sheet_title,
)
from tournament.words.text import numbered

A4, MARGIN, MARGIN_BELOW = 9, 0.35, 0.6  # Excel's paper code; margins in inches
POINTS, LINE_POINTS = 12, 15  # font size, line height
TITLE_POINTS, GAP_POINTS = 18, 8
ARROW_POINTS = 12  # heading's room for the filter arrow
# XlsxWriter's widths are pixels of 11 points; a column's unit has 7. Half of a Chinese letter is wider.
OF_WIDTHS, UNIT_PIXELS, WIDE_LETTER = 11, 7, 1.2
NARROWEST, USUAL, WIDE, ROOM = 6, 24, 34, 2  # widths: column, name, several names, padding
LONGEST_ABOVE = 50  # characters
SHORTEST, NAME_POINTS, NAME_LINES = 12, 8, 2  # narrowest column that wraps; least font, most lines of a name
NO_BREAK = "\N{NO-BREAK SPACE}"
PAGES = {"portrait": (102, 760), "landscape": (150, 510)}  # column widths, points of height at full size
CHART_CM = {"portrait": 19, "landscape": 25}  # a chart's width
CHART_POINTS, SMALLEST = 330, 0.75  # its height with a gap; the least scale of a sheet on one page
HEAD, LINE = PatternFill("solid", "FF1F5C3D"), Border(bottom=Side("hair", color="FFB0B8B2"))
BETWEEN = Border(left=Side("thin", color="FFFFFFFF"), right=Side("thin", color="FFFFFFFF"))
FILLS = {"gold": "FFF5D76E", "silver": "FFD9DEE2", "bronze": "FFE3B78A", "through": "FFDCEFE3"}
MEDALS = ("gold", "silver", "bronze")
DAYS = {"fi": "d.m.yyyy", "sv": "d.m.yyyy"}  # default: ISO 8601
_DRAWING = re.compile(r"xl/drawings/drawing(\d+)\.xml")


@dataclass(frozen=True, slots=True)
class Look:
    """A `value` with a `style`: a key of FILLS, "won" or "name"."""

    value: "Value"
    style: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of width `most` at most; longer text wraps, in one that is not `whole` also where the page would be too
    narrow. Dropped if empty, unless it `stays`."""

    heading: str
    most: int = USUAL
    stays: bool = False
    whole: bool = False


Value = str | int | float | Fraction | date | datetime | Look | None
Row = Sequence[Value]
Chart = tuple[LineChart, str]  # with its alternative text


class ResultsBook:
    """The workbook being written; times in `zone`."""

    def __init__(self, *, title: str, author: str, language: str, zone: ZoneInfo, made: datetime) -> None:
        self._title, self._zone = safe_text(title), zone
        self._descriptions: list[str] = []
        self._book = Workbook()
        self._book.remove(self._book.worksheets[0])
        properties = self._book.properties
        properties.title, properties.language = self._title, language
        properties.creator = properties.lastModifiedBy = safe_text(author)
        properties.created = properties.modified = made.astimezone(UTC).replace(tzinfo=None)
        for style in _styles(DAYS.get(language, "yyyy-mm-dd")):
            self._book.add_named_style(style)

    def add(
        self,
        title: str,
        above: Iterable[Row],
        columns: Sequence[Column],
        rows: Sequence[Row],
        *,
        wide: bool = False,
        kept: int | None = 0,
        chart: Chart | None = None,
        place: int | None = None,
    ) -> None:
        """Add a sheet (at `place`): lines `above`, the first as title, the table, a `chart`. `wide`: not narrowed for
        portrait; `kept`: frozen columns."""
        sheet: Worksheet = self._book.create_sheet(sheet_title(title, self._book.sheetnames), place)
        shown = [
            at
            for at, each in enumerate(columns)
            if each.stays or not rows or any(row[at] is not None for row in rows)
        ]
        columns, rows = [columns[at] for at in shown], [[row[at] for at in shown] for row in rows]
        widths = [_width(column, [row[at] for row in rows]) for at, column in enumerate(columns)]
        for at, line in enumerate(above):
            self._add_above(sheet, line, "title" if at == 0 else "line")
        if not wide:
            widths = _narrowed(widths, columns, rows, lines=sheet.max_row + len(rows))
        for index, width in enumerate(widths, 1):
            sheet.column_dimensions[get_column_letter(index)].width = width
        head = sheet.max_row + 2
        sheet.row_dimensions[head - 1].height = GAP_POINTS
        names = _unlike([column.heading for column in columns])
        for at, name in enumerate(names):
            self._put(sheet.cell(head, at + 1), name, _heading_style([row[at] for row in rows]))
        sheet.row_dimensions[head].height = LINE_POINTS * _lines(names, widths, 0) + ARROW_POINTS
        for number, row in enumerate(rows, head + 1):
            for index, value in enumerate(row, 1):
                self._put(sheet.cell(number, index), value)
                if _style_of(value) == "name":
                    sheet.cell(number, index).font = _font(_name_points(_text(value), widths[index - 1]))
            sheet.row_dimensions[number].height = LINE_POINTS * _lines(row, widths)
        if rows:
            area = f"A{head}:{get_column_letter(len(columns))}{head + len(rows)}"
            name, look = f"results_{len(self._book.worksheets)}", TableStyleInfo("TableStyleLight1")
            sheet.add_table(Table(displayName=name, ref=area, tableStyleInfo=look))
        if kept is not None:
            sheet.freeze_panes = f"{get_column_letter(kept + 1)}{head + 1}"
        self._lay_out(sheet, head, sum(widths), wide=wide or sum(widths) > PAGES["portrait"][0], chart=chart)

    def content(self) -> bytes:
        """The file. Alternative texts are patched into the drawings, for lack of an openpyxl API."""
        plain, file = BytesIO(), BytesIO()
        self._book.save(plain)
        texts = dict(enumerate(self._descriptions, 1))
        with ZipFile(plain) as book, ZipFile(file, "w", ZIP_DEFLATED) as full:
            for part in book.infolist():
                content = book.read(part)
                if drawing := _DRAWING.fullmatch(part.filename):
                    described = f'name="Chart 1" descr={quoteattr(texts[int(drawing[1])])}'
                    content = content.replace(b'name="Chart 1"', described.encode())
                full.writestr(part, content)
        return file.getvalue()

    def _add_above(self, sheet: Worksheet, line: Row, style: str) -> None:
        start = 1 if style == "title" else sheet.max_row + 1
        text = line[0] if len(line) == 1 else None
        parts: Sequence[Row] = [[part] for part in _balanced(text)] if isinstance(text, str) else [line]
        for number, part in enumerate(parts, start):
            for index, value in enumerate(part, 1):
                self._put(sheet.cell(number, index), value, style)
            sheet.row_dimensions[number].height = LINE_POINTS * (1.5 if style == "title" else 1)

    def _put(self, cell: Any, value: Value, style: str = "") -> None:
        """Set value and style; never a formula."""
        own = _style_of(value)
        if isinstance(value, Look):
            style, value = own, value.value
        if isinstance(value, str):
            cell.value, cell.data_type = literal(safe_text(value)), "s"
        elif isinstance(value, datetime):
            cell.value = value.astimezone(self._zone).replace(tzinfo=None, microsecond=0)
        elif value is not None:
            cell.value = float(value) if isinstance(value, Fraction) else value
        cell.style = f"Lastcard {style or own}"
        if isinstance(value, str) and value.lstrip().startswith(FORMULA_STARTS):
            cell.quotePrefix = True

    def _lay_out(self, sheet: Any, head: int, width: int, *, wide: bool, chart: Chart | None) -> None:
        """All on one page unless that is too small."""
        height = sum(each.height for each in sheet.row_dimensions.values())
        paper, scale = _paper(width, height + (CHART_POINTS if chart else 0), wide=wide)
        one_page = scale >= SMALLEST
        if not one_page:
            paper, _scale = _paper(width, 0, wide=wide)
        if chart:
            drawing, description = chart
            drawing.width = int(CHART_CM[paper] * max(1, width / PAGES[paper][0]))
            if not one_page:
                sheet.row_breaks.append(Break(sheet.max_row))
            sheet.add_chart(drawing, f"A{sheet.max_row + 2}")
            self._descriptions.append(description)
        if not chart or height > PAGES[paper][1]:  # not above a chart alone
            sheet.print_title_rows = f"{head}:{head}"
        sheet.page_setup.orientation, sheet.page_setup.paperSize = paper, A4
        sheet.page_setup.fitToHeight = int(one_page)
        sheet.sheet_properties.pageSetUpPr.fitToPage = True
        sheet.page_margins = PageMargins(MARGIN, MARGIN, MARGIN, MARGIN_BELOW, MARGIN / 2, MARGIN / 2)
        sheet.print_options.horizontalCentered, sheet.sheet_view.showGridLines = True, False
        sheet.oddFooter.left.text, sheet.oddFooter.right.text = self._title.replace("&", "&&"), "&P / &N"


def _paper(width: float, height: float, *, wide: bool) -> tuple[str, float]:
    """Orientation and scale that print largest, on one page if a `height` is given."""
    scales = {
        paper: min(1.0, units / width, points / height if height else 1.0)
        for paper, (units, points) in PAGES.items()
    }
    paper = max(scales, key=scales.__getitem__) if wide else "portrait"
    return paper, scales[paper]


def _styles(day: str) -> list[NamedStyle]:
    left = Alignment(horizontal="left", vertical="center", wrap_text=True, indent=1)
    middle = Alignment(horizontal="center", vertical="center", wrap_text=True)
    above: dict[str, Any] = {"vertical": "top", "wrap_text": True}
    heading: dict[str, Any] = {
        "font": _font(bold=True, color="FFFFFFFF"),
        "fill": HEAD,
        "border": BETWEEN,
        "number_format": "@",
    }
    plain: dict[str, Any] = {"alignment": left, "border": LINE, "font": _font()}
    number = {**plain, "alignment": middle}
    looks: dict[str, dict[str, Any]] = {
        "title": {"font": _font(TITLE_POINTS, bold=True)},
        "line": {"font": _font()},
        "heading": {**heading, "alignment": Alignment(**above, horizontal="left", indent=1)},
        "heading of names": {**heading, "alignment": Alignment(**above, horizontal="left")},
        "heading of numbers": {**heading, "alignment": Alignment(**above, horizontal="center")},
        "text": {**plain, "number_format": "@"},
        "whole": {**number, "number_format": "0"},
        "average": {**number, "number_format": "0.00"},
        "day": {**number, "number_format": day},
        "moment": {**number, "number_format": f"{day} hh:mm"},
        "name": {
            **plain,
            "alignment": Alignment(horizontal="left", vertical="center", wrap_text=True),
            "number_format": "@",
        },
        "won": {**number, "font": _font(bold=True, underline="single")},
        **{name: {**number, "fill": PatternFill("solid", FILLS[name])} for name in MEDALS},
        "through": {**plain, "fill": PatternFill("solid", FILLS["through"])},
    }
    return [NamedStyle(f"Lastcard {name}", **look) for name, look in looks.items()]


def _font(size: int = POINTS, **more: Any) -> Font:
    return Font(name="Calibri", sz=size, **more)


def _style_of(value: Value) -> str:
    if isinstance(value, Look):
        return value.style
    styles = {int: "whole", Fraction: "average", float: "average", date: "day", datetime: "moment"}
    return styles.get(type(value), "text")


def _heading_style(values: Sequence[Value]) -> str:
    found = {_style_of(value) for value in values if value is not None}
    if "name" in found:
        return "heading of names"
    return "heading" if found & {"text", "through"} else "heading of numbers"


def _text(value: Value) -> str:
    if isinstance(value, Look):
        return _text(value.value)
    if isinstance(value, float | Fraction):
        return f"{float(value):.2f}"
    return "" if value is None else str(value)[:16] if isinstance(value, datetime) else str(value)


def _units(text: str) -> float:
    cells = display_width(text)
    return (
        cells * WIDE_LETTER if cells > len(text) else xl_pixel_width(text) * POINTS / OF_WIDTHS / UNIT_PIXELS
    )


def _width(column: Column, values: Sequence[Value]) -> int:
    widest = max((_units(_text(value)) for value in values), default=0)
    words = max((_units(word) + 1 for word in column.heading.split()), default=0)  # bold
    return max(NARROWEST, min(ceil(max(widest, words)) + ROOM, column.most))


def _narrowed(
    widths: Sequence[int], columns: Sequence[Column], rows: Sequence[Row], *, lines: int
) -> list[int]:
    """Widths for a portrait page, as far as words allow; columns with the fewest long texts give first. Many `lines`
    print smaller."""
    least: list[int] = []
    for at, column in enumerate(columns):
        texts = (_text(value) for value in (column.heading, *(row[at] for row in rows)))
        word = max(_units(word) for text in texts for word in text.split(" "))
        least.append(widths[at] if column.whole else min(widths[at], max(SHORTEST, ceil(word) + ROOM)))
    needs = [[_units(_text(row[at])) + ROOM for row in rows] for at in range(len(columns))]
    narrowed = [*widths]
    page, height = PAGES["portrait"]
    room = page * min(1 / SMALLEST, max(1.0, lines * LINE_POINTS / height))
    while sum(narrowed) > room and narrowed != least:
        wide = [at for at, width in enumerate(narrowed) if width > least[at]]
        wrapped = {at: sum(need > narrowed[at] - 1 for need in needs[at]) for at in wide}
        narrowed[min(wide, key=lambda at: (wrapped[at], least[at] - narrowed[at]))] -= 1
    return narrowed


def _balanced(text: str) -> list[str]:
    """Fewest lines, of even length, without separators at breaks."""
    widths = range(max(map(len, text.split(" "))), LONGEST_ABOVE)
    most, *tried = (wrap(text, width, break_on_hyphens=False) for width in (LONGEST_ABOVE, *widths))
    lines = next((each for each in tried if len(each) <= len(most)), most)
    return [line.rstrip(f"·{NO_BREAK}").replace(NO_BREAK, " ") for line in lines]


def _lines(row: Row, widths: Sequence[int], room: int = ROOM) -> int:
    return max(
        _lines_of(text, width * POINTS / _name_points(text, width) if style == "name" else width - room)
        for value, width in zip(row, widths, strict=True)
        for text, style in [(_text(value), _style_of(value))]
    )


def _name_points(text: str, width: float) -> int:
    """Largest font that keeps words whole and lines few, else the smallest."""
    longest = max(_units(word) for word in text.split(" "))
    rooms = {points: width * POINTS / points for points in range(POINTS, NAME_POINTS, -1)}
    fits = (at for at, room in rooms.items() if longest <= room and _lines_of(text, room) <= NAME_LINES)
    return next(fits, NAME_POINTS)


def _lines_of(text: str, room: float) -> int:
    lines, used = 1, 0.0
    for word in text.split(" "):
        wide = _units(f"{word} ")
        if used and used + wide > room + _units(" "):
            lines, used = lines + 1, 0.0
        used += wide
        lines, used = lines + int(used // max(room + 1, 1)), used % max(room + 1, 1)
    return lines


def _unlike(headings: Sequence[str]) -> list[str]:
    names: list[str] = []
    for heading in headings:
        taken = {other.casefold() for other in names}
        wanted = numbered(" ".join(safe_text(heading).split()) or "-")
        names.append(next(name for name in wanted if name.casefold() not in taken))
    return names
