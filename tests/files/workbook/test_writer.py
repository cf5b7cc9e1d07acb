"""How sheets look beside their values."""

from datetime import date, datetime
from io import BytesIO
from typing import Any
from zoneinfo import ZoneInfo

from openpyxl import load_workbook

from tests.files.workbook.conftest import MADE, written
from tournament.files.workbook.addresses import Rows
from tournament.files.workbook.cells import Row
from tournament.files.workbook.writer import Chart, Coloured, Line, Looks, WorkbookWriter


def test_dates_are_written_as_the_language_does() -> None:
    cell = written(["Päivä"], [[date(2026, 5, 9)]], language="fi")["A2"]
    assert cell.number_format == "d.m.yyyy"


def test_a_sheet_has_bold_frozen_headings_a_filter_and_widths() -> None:
    sheet = written(["Player", "Points"], [["張" * 20, 5], ["x" * 200, 10]])
    assert sheet.freeze_panes == "A2"
    assert sheet.tables["lastcard_1"].ref == "A1:B3"
    assert all(cell.font.bold for cell in sheet[1])
    assert sheet.print_title_rows == "$1:$1"
    assert sheet.column_dimensions["A"].width == 60
    assert sheet["A3"].alignment.wrap_text
    assert sheet.column_dimensions["B"].width == len("Points") + 6
    assert [sheet.row_dimensions[row].height for row in (1, 2, 3)] == [30, None, 60]


def test_headings_wrap_and_only_the_programs_columns_are_printed_on_one_page_across() -> None:
    looks = Looks(kept=1, printed=2, hidden=[2])
    sheet = written(["Player", "Rounds won by formula", "Id"], [["Aino", 1, "x" * 73]], looks=looks)
    assert sheet.column_dimensions["B"].width == len("by formula") + 6
    assert (sheet.freeze_panes, sheet.print_area) == ("B2", "'Sheet'!$A$1:$B$2")
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (None, 0)
    assert sheet.row_dimensions[2].height is None
    assert [sheet[cell].alignment.indent for cell in ("A2", "B2")] == [1, 1]  # name and number do not touch


def test_the_workbook_names_its_title_and_maker() -> None:
    book = written(["a"], []).parent
    assert book
    properties = book.properties
    assert (properties.title, properties.creator) == ("=Title", "Lastcard")
    assert properties.created == datetime(2026, 5, 9, 9, 30)  # noqa: DTZ001 - in UTC, without saying so


def test_every_sheet_is_printed_on_a4_under_the_events_name_with_the_pages_number() -> None:
    sheet = written(["Player"], [["Aino"]], title="Standings")
    assert (int(sheet.page_setup.paperSize or 0), sheet.page_setup.orientation) == (9, "landscape")
    assert sheet.print_area == "'Standings'!$A$1:$A$2"
    assert sheet.sheet_properties.pageSetUpPr
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    header: Any = sheet.oddHeader
    footer: Any = sheet.oddFooter
    assert (header.left.text, header.right.text) == ("=Title", "&A")
    assert footer.right.text == "&P / &N"


def test_rows_are_a_table_of_excels_unless_two_headings_are_the_same_or_there_are_none() -> None:
    table = written(["Player", "Points"], [["Aino", 5]]).tables["lastcard_1"]
    assert [column.name for column in table.tableColumns] == ["Player", "Points"]
    assert table.tableStyleInfo.name == "TableStyleLight1"
    for headings, rows in ((["Points", "points"], [[1, 2]]), (["Player"], [])):
        sheet = written(headings, rows)
        assert not sheet.tables
        assert sheet.auto_filter.ref


def test_a_large_sheet_has_larger_letters_in_wider_columns_and_rows_that_stand_out() -> None:
    rows: list[Row] = [["Aino", 1], ["Eetu", 2]]
    small = written(["Player", "Place"], rows)
    looks = Looks(large=True, coloured=[Coloured(Rows(2, 3), "$B2=1", "FFF5D76E")])
    large = written(["Player", "Place"], rows, looks=looks)
    assert [(small[cell].font.sz, large[cell].font.sz) for cell in ("A1", "A2", "B2")] == [(11, 14)] * 3
    assert large.column_dimensions["A"].width > small.column_dimensions["A"].width
    found = {str(each.sqref): [rule.formula for rule in each.rules] for each in large.conditional_formatting}
    assert found == {"A2:B3": [["$B2=1"], ["TRUE"]]}


def test_charts_fill_a_page_each_of_a_sheet_of_their_own() -> None:
    book = WorkbookWriter(title="x", language="en", zone=ZoneInfo("Europe/Helsinki"), made=MADE)
    title = book.reserve("Points over rounds")
    lines = [Line("'Values'!$B$1", "'Values'!$B$2:$B$4")]
    chart = Chart("Points", "Round", "Points", "'Values'!$A$2:$A$4", lines)
    book.add_charts(title, [chart, chart])
    file = BytesIO()
    book.save(file)
    sheet: Any = load_workbook(file)[title]  # the stubs know no charts
    ends = [(each.anchor._from.row, each.anchor.to.row) for each in sheet._charts]
    assert ends == [(0, 32), (32, 64)]
    assert sheet.print_area == f"'{title}'!$A$1:$J$64"
    assert [each.id for each in sheet.row_breaks.brk] == [32]
