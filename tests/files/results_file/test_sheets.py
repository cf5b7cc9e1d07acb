"""Sheets for people: widths, styles, paper."""

from datetime import UTC, date, datetime
from fractions import Fraction
from io import BytesIO
from typing import Any
from zoneinfo import ZoneInfo

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from tournament.files.results_file.sheets import LINE_POINTS, Column, Look, ResultsBook, Row

MADE = datetime(2026, 5, 9, 9, 30, tzinfo=UTC)


def written(columns: list[Column], rows: list[Row], *above: Row, **how: Any) -> Worksheet:
    language = how.pop("language", "en")
    book = ResultsBook(
        title="Cup & Co", author="Club", language=language, zone=ZoneInfo("Europe/Helsinki"), made=MADE
    )
    book.add("Sheet", above or [["Sheet"]], columns, rows, **how)
    return load_workbook(BytesIO(book.content())).worksheets[0]


def test_values_are_numbers_and_dates_of_the_zone_in_the_readers_notation() -> None:
    columns = [Column(heading) for heading in ("a", "b", "c", "d")]
    sheet = written(columns, [[date(2026, 5, 9), MADE, Fraction(7, 2), 3]], language="fi")
    assert [(cell.value, cell.number_format) for cell in sheet[4]] == [
        (datetime(2026, 5, 9), "d.m.yyyy"),  # noqa: DTZ001 - a cell has no zone
        (datetime(2026, 5, 9, 12, 30), "d.m.yyyy hh:mm"),  # noqa: DTZ001
        (3.5, "0.00"),
        (3, "0"),
    ]


def test_long_texts_wrap_in_a_column_of_at_most_its_width_and_empty_columns_are_left_out() -> None:
    columns = [Column("name", 20), Column("club"), Column("place", stays=True), Column("name")]
    sheet = written(columns, [["long name " * 9, None, None, "x"], ["y", None, None, "z"]])
    assert [cell.value for cell in sheet[3]] == ["name", "place", "name 2"]
    assert sheet.column_dimensions["A"].width == 20
    assert (sheet.row_dimensions[4].height or 0) >= 5 * (sheet.row_dimensions[5].height or 0) > 0


def test_columns_of_a_portrait_page_narrow_until_it_prints_at_full_size() -> None:
    columns = [Column("place", 6), *(Column(name) for name in ("player", "club", "reached", "note", "more"))]
    rows: list[Row] = [[1, *["several words that wrap"] * 5], [2, "Long-Hyphenatedname", *["short"] * 4]]
    tall, wide = written(columns, rows), written(columns, rows, wide=True)
    widths, usual = ([sheet.column_dimensions[letter].width for letter in "ABCDEF"] for sheet in (tall, wide))
    assert (sum(widths), sum(usual)) == (102, 126)
    assert widths[1] > max(widths[2:])  # a word is not broken


def test_paper_is_a4_with_the_headings_on_each_page_and_one_page_where_asked() -> None:
    tall, wide = (written([Column("a")], [[1]], **how) for how in ({"one_page": True}, {"wide": True}))
    assert [sheet.page_setup.orientation for sheet in (tall, wide)] == ["portrait", "landscape"]
    assert [sheet.page_setup.fitToHeight for sheet in (tall, wide)] == [1, 0]
    assert (tall.page_setup.paperSize, tall.print_title_rows) == (9, "$3:$3")
    assert not wide.print_title_rows  # nor above a chart on the second page
    assert written([Column("a")], [[1]] * 40, wide=True).print_title_rows == "$3:$3"
    footer: Any = tall.oddFooter
    assert footer.left.text == "Cup && Co"


def test_a_long_line_above_the_table_goes_on_below_instead_of_beyond_it() -> None:
    sheet = written([Column("a", 40)], [["x" * 35]], ["Title"], ["word " * 14])
    assert [sheet[f"A{row}"].value for row in (2, 3)] == ["word word word word word word word"] * 2


def test_a_line_breaks_at_spaces_alone() -> None:
    sheet = written([Column("a", 40)], [[1]], ["Title"], [f"{'x' * 40}\N{NO-BREAK SPACE}· UNO-tournament"])
    assert [sheet[f"A{row}"].value for row in (2, 3)] == ["x" * 40, "UNO-tournament"]


def test_headings_are_aligned_like_their_columns() -> None:
    rows: list[Row] = [[1, Look("Aino", "name"), Look("yes", "through"), "text"]]
    sheet = written([Column(heading) for heading in "abcd"], rows)
    found = [[(cell.alignment.horizontal, cell.alignment.indent) for cell in sheet[row]] for row in (3, 4)]
    assert found == [[("center", 0), ("left", 0), ("left", 1), ("left", 1)]] * 2


def test_names_stay_on_one_line_where_another_column_can_be_narrower() -> None:
    rows: list[Row] = [["Aleksanteri Hämäläinen", "through by a decision", *["fifteen letters"] * 4]]
    columns = [Column("Player", whole=True), *(Column(f"Heading {at}") for at in range(5))]
    sheet = written(columns, rows)
    assert sheet.row_dimensions[4].height == 2 * LINE_POINTS
    assert sheet.column_dimensions["A"].width > 22 > sheet.column_dimensions["B"].width
