"""How values become cells, and what names a sheet may have."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from io import BytesIO
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from tournament.files.workbook.cells import Row, display_width, safe_text, sheet_title
from tournament.files.workbook.writer import Looks, WorkbookWriter

MADE = datetime(2026, 5, 9, 9, 30, tzinfo=UTC)


def written(headings: Sequence[str], rows: Sequence[Row], *, title: str = "Sheet", **more: Any) -> Worksheet:
    book = WorkbookWriter(
        title="=Title\x00", language=more.pop("language", "en"), zone=ZoneInfo("Europe/Helsinki"), made=MADE
    )
    book.add_sheet(title, headings, lambda: rows, **more)
    file = BytesIO()
    book.save(file)
    return load_workbook(file).worksheets[0]


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+358 40 123",
        "-5",
        "@SUM(A1)",
        '=HYPERLINK("http://example.org","click")',
        " =1+1",
        "#N/A",
        "TRUE",
        "007",
        "1e5",
        "<b>Aino</b> & 'Co'",
        "محمد الأمين",
        "张伟 👩‍👩‍👧",
        "x" * 100,
    ],
)
def test_text_stays_text_as_it_was(text: str) -> None:
    cell = written(["Name"], [[text]])["A2"]
    assert (cell.value, cell.data_type) == (text, "s")
    assert cell.quotePrefix is text.lstrip().startswith(("=", "+", "-", "@"))


def test_a_tab_before_a_formula_is_taken_off_and_the_rest_is_text() -> None:
    cell = written(["Name"], [["\t=1+1"]])["A2"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == (" =1+1", "s", True)


def test_safe_text_drops_what_xml_cannot_hold() -> None:
    assert safe_text("A\x00i\x1bn\ud800o\ufffe\n1\u2028\t2") == "Aino 1 2"
    assert len(safe_text("x" * 40_000)) == 32_767


def test_what_excel_would_read_as_an_escape_is_escaped() -> None:
    assert written(["Name"], [["_x0041_ _y"]])["A2"].value == "_x005F_x0041_ _y"


def test_numbers_dates_and_times_are_what_they_are() -> None:
    row: Row = [
        7,
        Fraction(37, 3),
        date(2026, 5, 9),
        MADE,
        timedelta(minutes=60),
        timedelta(seconds=61),
        None,
    ]
    sheet = written(["a", "b", "c", "d", "e", "f", "g"], [row])
    assert [cell.value for cell in sheet[2]] == [
        7,
        pytest.approx(37 / 3),
        datetime(2026, 5, 9),  # noqa: DTZ001 - a cell has no zone
        datetime(2026, 5, 9, 12, 30),  # noqa: DTZ001 - Helsinki's summer time
        timedelta(hours=1),
        timedelta(seconds=61),
        None,
    ]
    assert [cell.number_format for cell in sheet[2]][:6] == [
        "0",
        "0.00",
        "yyyy-mm-dd",
        "yyyy-mm-dd hh:mm:ss",
        "[mm]:ss",
        "[mm]:ss",
    ]
    assert {cell.data_type for cell in sheet[2]} == {"n", "d"}


def test_dates_are_written_as_the_language_does() -> None:
    cell = written(["Päivä"], [[date(2026, 5, 9)]], language="fi")["A2"]
    assert cell.number_format == "d.m.yyyy"


def test_a_sheet_has_bold_frozen_headings_a_filter_and_widths() -> None:
    sheet = written(["Player", "Points"], [["張" * 20, 5], ["x" * 200, 10]])
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:B3"
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


def test_widths_count_what_is_seen() -> None:
    assert [display_width(text) for text in ("Aino", "張偉", "e\u0301", "👍")] == [4, 4, 1, 2]


def test_the_workbook_names_its_title_and_maker() -> None:
    properties = written(["a"], []).parent.properties
    assert (properties.title, properties.creator) == ("=Title", "Lastcard")
    assert properties.created == datetime(2026, 5, 9, 9, 30)  # noqa: DTZ001 - in UTC, without saying so


@pytest.mark.parametrize(
    ("wanted", "taken", "title"),
    [
        ("1 Final: A/B [x]*?\\", [], "1 Final A B x"),
        ("''", [], "-"),
        ("History", [], "History (2)"),
        ("final", ["Final", "FINAL (2)"], "final (3)"),
        ("x" * 40, [], "x" * 31),
        ("x" * 40, ["X" * 31], "x" * 27 + " (2)"),
        ("👍" * 20, [], "👍" * 15),
    ],
)
def test_sheet_titles_are_ones_that_excel_takes(wanted: str, taken: list[str], title: str) -> None:
    assert sheet_title(wanted, taken) == title
