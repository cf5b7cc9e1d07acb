"""How sheets look beside their values."""

from datetime import date, datetime
from typing import Any

from tests.support.workbook_sheets import MADE, written
from tournament.files.workbook.writer import Formula, Looks, Row


def test_dates_are_written_as_the_language_does() -> None:
    cell = written(["Päivä"], [[date(2026, 5, 9)]], language="fi")["A2"]
    assert cell.number_format == "d.m.yyyy"


def test_a_sheet_has_bold_frozen_headings_a_filter_and_widths() -> None:
    sheet = written(["Player", "Points"], [["張" * 20, 5], ["x" * 200, 10]], looks=Looks(kept="Player"))
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("B2", "A1:B3")
    assert all(cell.font.bold for cell in sheet[1])
    assert round(sheet.column_dimensions["A"].width) == 61
    assert sheet["A3"].alignment.wrap_text
    assert [sheet.row_dimensions[row].height for row in (2, 3)] == [None, 4 * 15]


def test_a_column_is_as_wide_as_its_sheet_allows() -> None:
    sheet = written(["Player"], [["x" * 60]], looks=Looks(widest=30))
    assert (sheet.column_dimensions["A"].width < 36, sheet.row_dimensions[2].height) == (True, 2 * 15)


def test_lines_above_the_headings_are_neither_filtered_nor_named() -> None:
    sheet = written(["a"], [[1]], above=["The event", "5 €"], looks=Looks(named="games"))
    assert [row[0].value for row in sheet.iter_rows()] == ["The event", "5 €", "a", 1]
    assert (sheet.freeze_panes, sheet.auto_filter.ref, sheet.print_title_rows) == ("A4", "A3:A4", "$3:$3")
    assert sheet.parent
    assert sheet.parent.defined_names["games_a"].value == "'Sheet'!$A$4:$A$4"


def test_a_formula_names_the_cells_of_its_own_row_and_keeps_its_value() -> None:
    rows: list[Row] = [[7, Formula("[a]+SUM(games_a)", 8)], [9, Formula("[a]+SUM(games_a)", 10)]]
    sheet = written(["a", "b"], rows, looks=Looks(named="games"))
    assert [cell.value for cell in sheet["B"][1:]] == ["=$A2+SUM(games_a)", "=$A3+SUM(games_a)"]


def test_the_workbook_names_its_title_and_maker() -> None:
    book = written(["a"], []).parent
    assert book
    properties = book.properties
    assert (properties.title, properties.creator) == ("=Title", "Lastcard")
    assert properties.created == MADE.replace(tzinfo=None) == datetime(2026, 5, 9, 9, 30)  # noqa: DTZ001 - UTC


def test_every_sheet_is_printed_on_a4_under_the_events_name_with_the_pages_number() -> None:
    sheet = written(["Player"], [["Aino"]], title="Standings")
    assert (int(sheet.page_setup.paperSize or 0), sheet.page_setup.orientation) == (9, "landscape")
    assert sheet.sheet_properties.pageSetUpPr
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (None, 0)
    header: Any = sheet.oddHeader
    footer: Any = sheet.oddFooter
    assert (header.left.text, header.right.text) == ("=Title", "&A")
    assert footer.right.text == "&P / &N"
