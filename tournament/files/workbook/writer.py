"""A writer of workbooks, sheet by sheet: titles, headings, widths, input rules, print settings, charts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast
from zoneinfo import ZoneInfo

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.chart import LineChart, Reference, Series
from openpyxl.chart.data_source import StrRef
from openpyxl.chart.series import SeriesLabel
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from openpyxl.formatting.rule import CellIsRule, FormulaRule
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side
from openpyxl.utils import absolute_coordinate, get_column_letter, quote_sheetname
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.filters import AutoFilter
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.table import Table, TableColumn, TableStyleInfo

from tournament.files.workbook.addresses import Rows, quoted
from tournament.files.workbook.cells import (
    IN_MEMORY,
    LINE_POINTS,
    NARROWEST,
    WIDEST,
    Row,
    SheetRows,
    assemble,
    literal,
    safe_text,
    sheet_title,
)

PAGE_ROWS, PAGE_COLUMNS, PAGE_WIDTH = (
    32,
    10,
    13.7,
)  # that lie under a chart; the width of each column in characters
TARGET = "B00020"  # the colour of the line to reach in a chart


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chart: the cell of its name and those of its values, as formulas of other sheets name them."""

    name: str
    values: str
    is_target: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over the same `steps` (cells, like a line's values), with the words of both axes."""

    title: str
    across: str
    upwards: str
    steps: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Coloured:
    """Rows of a sheet that stand out in this colour where the formula, written for the first of them, is true."""

    rows: Rows
    formula: str
    colour: str


@dataclass(frozen=True, slots=True)
class Looks:
    """The look of a sheet, by the index of a column: which are `hidden`, the `words` that may be typed, the hint for a
    time of more than an hour, the word that is `marked`, the name by which a program knows the column. Where there are
    `typed` columns (each with one of FORMATS) the sheet is protected but for them, and they are coloured. The first
    `kept` columns stay in sight, only the first `printed` are printed (None: all), on `tall` paper or across it. A line
    is ruled above each row that says something else in the `groups` columns than the one before: another table. A
    `large` sheet is read on a wall; `coloured` rows stand out."""

    hidden: Sequence[int] = ()
    words: Mapping[int, Sequence[str]] = field(default_factory=dict)
    times: Mapping[int, str] = field(default_factory=dict)
    marked: Mapping[int, str] = field(default_factory=dict)
    named: Mapping[int, str] = field(default_factory=dict)
    typed: Mapping[int, str] = field(default_factory=dict)
    kept: int = 0
    printed: int | None = None
    groups: Sequence[int] = ()
    large: bool = False
    tall: bool = False
    coloured: Sequence[Coloured] = ()


PLAIN = Looks()
TALL = Looks(tall=True)

LONGEST_CHOICE = 255  # characters of all words that may be typed in a cell
MARKED = "FFB00020"  # the colour of what stands out
TO_TYPE = PatternFill("solid", start_color="FFFFF8DC")  # behind cells to fill in
MEDALS = ("FFF5D76E", "FFD9DEE2", "FFE3B78A")  # behind the first three: gold, silver, bronze
GREEN = "FF1F5C3D"  # behind headings
TABLE_STYLE = TableStyleInfo("TableStyleLight1", showRowStripes=True)
SIZE, LARGE = 11, 14 / 11  # points of letters; how many times larger they are on a wall
A4 = 9  # as Excel numbers papers
MARGIN, MARGIN_TOP = 0.6, 0.9  # inches, the second with the header or footer in it
LONGEST_HEADER = 100  # characters of a name above each page
FIRST_ROW = 2  # below the headings
HAIR = Side("hair", color="FFB0B8B2")
LINE, RULE = Border(bottom=HAIR), Border(top=Side("thin", color="FF000000"), bottom=HAIR)  # of a row
ROOM = 3  # characters beside a value: its margins and the indent of a number
FILTER_ARROW = 3  # characters that the arrow of the filter hides
TOLD_EVERY = 500  # rows

FORMATS = {"text": "@", "whole": "0"}  # of what people type
STYLES = ("heading", "text", "word", "whole", "average", "day", "moment", "span")
DATE_FORMATS = {"fi": "d.m.yyyy", "sv": "d.m.yyyy"}
ISO_DATE = "yyyy-mm-dd"


class WorkbookWriter:
    """A workbook in the making. `zone` is where its times are shown, `language` how dates are written; `written` is
    called at intervals with the number of rows so far."""

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
        self._written, self._count = written, 0
        self._workbook = Workbook(write_only=True)
        self._reserved: set[str] = set()
        self._tables = 0
        self._sheets: list[SheetRows] = []
        properties = self._workbook.properties
        properties.title = self._title = safe_text(title)
        properties.creator = properties.lastModifiedBy = "Lastcard"
        properties.language = language
        properties.created = properties.modified = made.astimezone(ZoneInfo("UTC")).replace(tzinfo=None)
        day = DATE_FORMATS.get(language, ISO_DATE)
        # Indented, so that a number and the name beside it do not touch.
        number = Alignment(horizontal="right", vertical="top", indent=1)
        for name, form, alignment in (
            ("heading", "@", Alignment(horizontal="left", vertical="center", indent=1, wrap_text=True)),
            ("text", "@", Alignment(horizontal="left", vertical="top", indent=1, wrap_text=True)),
            # A word that a formula finds: in a cell of text, Excel leaves a formula's text when it is edited.
            ("word", "General", Alignment(horizontal="left", vertical="top", indent=1)),
            ("whole", "0", number),
            ("average", "0.00", number),
            ("day", day, number),
            ("moment", f"{day} hh:mm:ss", number),
            ("span", "[mm]:ss", number),
        ):
            style = NamedStyle(f"lastcard {name}", number_format=form, alignment=alignment, font=_font(SIZE))
            if name == "heading":
                style.font, style.fill = _font(SIZE, heading=True), PatternFill("solid", GREEN)
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
        """Add a sheet with bold, frozen headings. One without a filter is read line by line: its values stand to the
        left, beside the words that say what they are."""
        if title not in self._reserved:
            title = self.reserve(title)
        self._reserved.remove(title)
        sheet = self._workbook.create_sheet(title)
        scale = LARGE if looks.large else 1
        styles = self._styles(sheet, to_the_left=not filtered, scale=scale)
        written = SheetRows(styles, self.zone, looks.hidden, round(LINE_POINTS * scale))
        self._sheets.append(written)
        written.add_headings(headings, FILTER_ARROW if filtered else 0)
        for row in rows():
            written.add(row)
            self._count += 1
            if self._written and self._count % TOLD_EVERY == 0:
                self._written(self._count)
        for index, width in enumerate(written.widths, 1):
            column = sheet.column_dimensions[get_column_letter(index)]
            widths = (width, *map(len, looks.words.get(index - 1, ())))
            column.width = scale * min(WIDEST, max(NARROWEST, max(widths) + ROOM))
        if filtered:
            self._filter(sheet, headings, written.count, protected=bool(looks.typed))
        self._lay_out(sheet, looks, written.count, len(written.widths))
        self._dress(sheet, looks, written.count, len(written.widths))
        sheet.close()

    def add_charts(self, title: str, charts: Sequence[Chart]) -> None:
        """Add a sheet of this reserved title that its charts fill, a page each."""
        self._reserved.remove(title)
        sheet: Any = self._workbook.create_sheet(title)
        self._sheets.append(SheetRows(self._styles(sheet, to_the_left=True, scale=1), self.zone))
        for first in range(0, PAGE_ROWS * len(charts), PAGE_ROWS):
            drawn: Any = line_chart(charts[first // PAGE_ROWS])
            end = AnchorMarker(col=PAGE_COLUMNS, row=first + PAGE_ROWS)
            drawn.anchor = TwoCellAnchor(_from=AnchorMarker(row=first), to=end)
            sheet.add_chart(drawn)
            if first:
                sheet.row_breaks.append(Break(first))
        for column in range(1, PAGE_COLUMNS + 1):
            sheet.column_dimensions[get_column_letter(column)].width = PAGE_WIDTH
        sheet.sheet_view.showGridLines = False
        self._page(sheet, PAGE_COLUMNS, PAGE_ROWS * len(charts))
        sheet.close()

    def save(self, file: IO[bytes]) -> None:
        """Write the workbook; nothing can be added after it."""
        with cast("IO[bytes]", SpooledTemporaryFile(IN_MEMORY)) as empty:
            self._workbook.save(empty)
            assemble(empty, self._sheets, file)

    def _styles(self, sheet: WriteOnlyWorksheet, *, to_the_left: bool, scale: float) -> dict[str, int]:
        """The number of each style, with that of text which would be taken for a formula; its letters are `scale` of
        the usual size."""
        cells: dict[str, Any] = {style: WriteOnlyCell(sheet) for style in (*STYLES, "quoted")}
        for style, cell in cells.items():
            cell.style = f"lastcard {'text' if style == 'quoted' else style}"
            if to_the_left and style not in {"heading", "quoted"}:
                cell.alignment = Alignment(horizontal="left", vertical="top", indent=1, wrap_text=True)
            if scale != 1:
                cell.font = _font(round(SIZE * scale), heading=style == "heading")
        cells["quoted"].quotePrefix = True
        return {style: cell.style_id for style, cell in cells.items()}

    def _filter(self, sheet: Any, headings: Sequence[str], last: int, *, protected: bool) -> None:
        """Make the rows a table of Excel's, which bands and filters them; where it cannot be one, let them be filtered
        alone: without rows, in a protected sheet, or where two headings are the same."""
        area = f"A1:{get_column_letter(len(headings))}{last}"
        names = [literal(safe_text(heading)) for heading in headings]
        if protected or last < FIRST_ROW or len({name.casefold() for name in names}) < len(names):
            sheet.auto_filter.ref = area
            return
        self._tables += 1
        name = f"lastcard_{self._tables}"
        table = Table(id=self._tables, name=name, displayName=name, ref=area, tableStyleInfo=TABLE_STYLE)
        table.autoFilter = AutoFilter(ref=area)
        table.tableColumns = [TableColumn(id=at, name=heading) for at, heading in enumerate(names, 1)]
        sheet.tables.add(table)

    def _lay_out(self, sheet: Any, looks: Looks, last: int, columns: int) -> None:
        """Set what stays in sight, what is printed and how wide, and which cells people fill in. The stubs of openpyxl
        leave out most of what a write-only sheet has."""
        sheet.freeze_panes, sheet.print_title_rows = f"{get_column_letter(looks.kept + 1)}2", "1:1"
        self._page(sheet, looks.printed or columns, last, tall=looks.tall)
        for index in looks.hidden:
            sheet.column_dimensions[get_column_letter(index + 1)].hidden = True
        for index, style in looks.typed.items():
            column = sheet.column_dimensions[get_column_letter(index + 1)]  # of cells that nobody wrote yet
            column.number_format, column.fill = FORMATS[style], TO_TYPE
            column.protection = Protection(locked=False)

    def _page(self, sheet: Any, columns: int, last: int, *, tall: bool = False) -> None:
        """Print these columns and rows on A4, as wide as the page, with the workbook's title and the sheet's above and
        the page's number below."""
        sheet.print_area = f"A1:{get_column_letter(columns)}{last}"
        sheet.page_setup.orientation, sheet.page_setup.paperSize = "portrait" if tall else "landscape", A4
        sheet.page_setup.fitToHeight, sheet.sheet_properties.pageSetUpPr.fitToPage = 0, True
        sheet.page_margins = PageMargins(MARGIN, MARGIN, MARGIN_TOP, MARGIN_TOP, MARGIN / 2, MARGIN / 2)
        sheet.print_options.horizontalCentered = True
        sheet.oddHeader.left.text = self._title[:LONGEST_HEADER].replace("&", "&&")
        sheet.oddHeader.right.text, sheet.oddFooter.left.text = "&A", "Lastcard"
        sheet.oddFooter.right.text = "&P / &N"

    def _dress(self, sheet: Any, looks: Looks, last: int, columns: int) -> None:
        if looks.typed:
            sheet.protection.sheet = True
            sheet.protection.autoFilter = sheet.protection.sort = sheet.protection.formatColumns = (
                False  # are allowed
            )
        rules = [
            (index, DataValidation("list", formula1=quoted(choice), allow_blank=True))
            for index, words in looks.words.items()
            if len(choice := ",".join(words)) <= LONGEST_CHOICE
        ]
        rules += [
            (
                index,
                DataValidation(
                    "time",
                    operator="between",
                    formula1="0",
                    formula2="TIME(1,0,0)",
                    allow_blank=True,
                    error=said,
                    showErrorMessage=True,
                ),
            )
            for index, said in looks.times.items()
        ]
        for index, rule in rules:
            rule.add(_column(index, last))
            sheet.data_validations.append(rule)
        for index, word in looks.marked.items():
            mark: Any = CellIsRule("equal", [quoted(word)], font=Font(bold=True, color=MARKED))  # type: ignore[no-untyped-call]
            sheet.conditional_formatting.add(_column(index, last), mark)
        for each in looks.coloured:
            where = f"A{each.rows.first}:{get_column_letter(columns)}{each.rows.last}"
            fill = PatternFill(bgColor=each.colour)
            look = FormulaRule([each.formula], fill=fill, font=Font(bold=True), border=LINE)  # type: ignore[no-untyped-call]
            sheet.conditional_formatting.add(where, look)
        # Lines below rows go on where a cell is empty. LibreOffice applies the first true rule of a range alone.
        whole = f"A{FIRST_ROW}:{get_column_letter(columns)}{max(last, FIRST_ROW)}"
        if looks.groups:
            letters = [get_column_letter(index + 1) for index in looks.groups]
            changed = ",".join(f"${each}{FIRST_ROW}<>${each}{FIRST_ROW - 1}" for each in letters)
            formula = f"AND(ROW()>{FIRST_ROW},OR({changed}))"
            sheet.conditional_formatting.add(whole, FormulaRule([formula], border=RULE))  # type: ignore[no-untyped-call]
        sheet.conditional_formatting.add(whole, FormulaRule(["TRUE"], border=LINE))  # type: ignore[no-untyped-call]
        for index, name in looks.named.items():
            area = f"{quote_sheetname(sheet.title)}!{absolute_coordinate(_column(index, last))}"
            self._workbook.defined_names[name] = DefinedName(name, attr_text=area)


def _font(size: int, *, heading: bool = False) -> Font:
    return Font(name="Calibri", sz=size, bold=heading, color="FFFFFFFF" if heading else None)


def line_chart(chart: Chart) -> LineChart:
    """The chart as openpyxl writes it."""
    drawn = LineChart()
    drawn.title, drawn.x_axis.title, drawn.y_axis.title = chart.title, chart.across, chart.upwards
    drawn.x_axis.delete = drawn.y_axis.delete = False  # else Excel shows no numbers beside them
    titles: tuple[Any, ...] = (drawn.title, drawn.x_axis.title, drawn.y_axis.title)
    for title in titles:
        title.overlay = False  # else Excel draws the lines over it
    for line in chart.lines:
        series = Series(Reference(range_string=line.values))
        series.tx, series.smooth = SeriesLabel(strRef=StrRef(line.name)), False
        if line.is_target:
            series.graphicalProperties.line.solidFill, series.graphicalProperties.line.dashStyle = (
                TARGET,
                "dash",
            )
        drawn.series.append(series)
    drawn.set_categories(Reference(range_string=chart.steps))
    return drawn


def _column(index: int, last: int) -> str:
    """The cells of a column below the heading."""
    letter = get_column_letter(index + 1)
    return f"{letter}2:{letter}{max(2, last)}"
