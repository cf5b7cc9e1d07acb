"""How sheets look beside their values."""

from datetime import date, datetime

from tests.files.workbook.conftest import written
from tournament.files.workbook.writer import Looks


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


def test_the_workbook_names_its_title_and_maker() -> None:
    properties = written(["a"], []).parent.properties
    assert (properties.title, properties.creator) == ("=Title", "Lastcard")
    assert properties.created == datetime(2026, 5, 9, 9, 30)  # noqa: DTZ001 - in UTC, without saying so
