"""How values become cells, and what names a sheet may have."""

from datetime import date, datetime, timedelta
from fractions import Fraction

import pytest
from openpyxl.utils.escape import unescape

from tests.support.workbook_sheets import MADE, written
from tournament.files.workbook.writer import Row, display_width, safe_text, sheet_title


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
        "_x0041_ _y",
    ],
)
def test_text_stays_text_as_it_was(text: str) -> None:
    cell = written(["Name"], [[text]])["A2"]
    assert (unescape(str(cell.value)), cell.data_type) == (text, "s")
    assert cell.quotePrefix is text.lstrip().startswith(("=", "+", "-", "@"))


def test_a_tab_before_a_formula_is_taken_off_and_the_rest_is_text() -> None:
    cell = written(["Name"], [["\t=1+1"]])["A2"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == (" =1+1", "s", True)


def test_safe_text_drops_what_xml_cannot_hold() -> None:
    assert safe_text("A\x00i\x1bn\ud800o\ufffe\n1\u2028\t2") == "Aino 1 2"
    assert len(safe_text("x" * 40_000)) == 32_767


def test_a_text_that_looks_like_the_inside_of_a_file_is_text() -> None:
    """XlsxWriter writes a text between <r> and </r> into its file as it is."""
    cell = written(["Name"], [["<r><t>Aino</t></r>"]])["A2"]
    assert str(cell.value).rstrip() == "<r><t>Aino</t></r>"


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


def test_widths_count_what_is_seen() -> None:
    assert [display_width(text) for text in ("Aino", "張偉", "e\u0301", "👍")] == [4, 4, 1, 2]


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
