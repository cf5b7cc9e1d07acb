"""Sheets for people: widths, styles, paper."""

from datetime import UTC, date, datetime
from fractions import Fraction
from io import BytesIO
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook
from openpyxl.chart import LineChart
from openpyxl.worksheet.worksheet import Worksheet

from tournament.files.results_file.ranking import KEPT_NAME
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


def test_a_page_gets_its_room_from_the_column_with_the_fewest_long_texts() -> None:
    rows: list[Row] = [["Computer Club", "Physics Guild", "left"]] * 9
    texts = ["through by decision: the winner left", "not through"]
    columns = [Column("Club"), Column("Other club"), *(Column(f"Note {at}") for at in range(4))]
    full: list[Row] = [
        ["Computer Club of Tampere", "Physics Guild of Tampere", *texts, *texts],
        *([*row, *["left"] * 3] for row in rows),
    ]
    sheet = written(columns, full)
    assert [sheet.row_dimensions[number].height for number in (5, 12)] == [LINE_POINTS] * 2


def test_paper_is_a4_with_the_headings_on_each_page_and_one_page_up_to_55_names() -> None:
    tall, wide = written([Column("a")], [[1]]), written([Column("a")], [[1]], wide=True)
    assert [written([Column("a")], [[1]] * rows).page_setup.fitToHeight for rows in (55, 75)] == [1, 0]
    assert (tall.page_setup.paperSize, tall.print_title_rows) == (9, "$3:$3")
    many = [Column(f"{at}") for at in range(30)]
    found = [sheet.page_setup.orientation for sheet in (tall, wide, written(many, [range(30)]))]
    assert found == ["portrait", "portrait", "landscape"]  # too many columns to narrow
    footer: Any = tall.oddFooter
    assert footer.left.text == "Cup && Co"


@pytest.mark.parametrize(
    ("rows", "columns", "paper", "pages", "titles"),
    [
        (8, 9, "portrait", 1, None),
        (4, 24, "landscape", 1, None),
        (14, 9, "portrait", 1, None),
        (22, 24, "landscape", 0, None),
        (70, 9, "portrait", 0, "$3:$3"),
    ],
)
def test_a_chart_is_on_the_page_of_its_table_or_whole_on_the_next(
    rows: int, columns: int, paper: str, pages: int, titles: str | None
) -> None:
    chart = LineChart(), "Points"
    sheet = written(
        [Column(f"{at}") for at in range(columns)], [[1] * columns] * rows, wide=True, chart=chart
    )
    page: Any = sheet.page_setup
    assert (page.orientation, page.fitToHeight, sheet.print_title_rows) == (paper, pages, titles)
    assert [each.id for each in sheet.row_breaks.brk] == ([] if pages else [rows + 3])
    (drawn,) = sheet._charts  # type: ignore[attr-defined]  # openpyxl has no other way to read them
    assert drawn.anchor._from.row == rows + 4


def test_names_in_a_narrow_column_become_smaller_so_that_two_lines_hold_them_and_words_stay_whole() -> None:
    names = ["Aino Aalto", "Maximiliana Wolfenberger", "Bo af Ugglas och Rosen", f"Al {'x' * 60}"]
    sheet = written([Column("Player", 11)], [[Look(name, "name")] for name in names])
    found = [(sheet[f"A{row}"].font.sz, sheet.row_dimensions[row].height) for row in range(4, 8)]
    assert found == [(12, LINE_POINTS), (9, 2 * LINE_POINTS), (11, 2 * LINE_POINTS), (8, 5 * LINE_POINTS)]


@pytest.mark.parametrize(
    "name",
    [
        "Maximiliana-Alexandrina Wolfeschlegelsteinhausenbergerdorff",
        "Anna-Karin Gudmundsdóttir-Þorvaldsson af Ugglas och von Rosen",
        "Nils-Erik Karl-Gustaf Hämäläinen-Kärkkäinen-Väisänen-Mäkelä",
        "x" * 60,
    ],
)
def test_a_frozen_name_of_60_letters_takes_three_lines(name: str) -> None:
    sheet = written([Column("Player", KEPT_NAME)], [[Look(name, "name")]])
    assert sheet["A4"].value == name
    assert sheet.row_dimensions[4].height <= 3 * LINE_POINTS


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
