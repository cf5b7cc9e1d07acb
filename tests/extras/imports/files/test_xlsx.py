"""Workbooks as spreadsheet programs save them."""

import io
import re
import zipfile
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from openpyxl.utils import column_index_from_string
from openpyxl.workbook.defined_name import DefinedName

from tests.depth import deep
from tests.extras.imports.files.opened import people, read
from tests.support.list_files import MAIN, NAMES, PARTS, package, relationship, sheet_xml, text_cell, workbook
from tournament.extras.imports.files.grid import column_letters
from tournament.extras.imports.files.xlsx import Xlsx


def test_cells_are_read_as_their_program_shows_them() -> None:
    rows: list[list[Any]] = [
        ["Start number", "Name", "Birth date", "Guardian agrees", "Contact details"],
        ["7", "Aino", date(2001, 2, 3), True, 401234567],
        [8.0, "Eetu", datetime(2001, 2, 3), False, "a@b.fi"],  # noqa: DTZ001 - a cell has no zone
        [None, 1234, "2001-02-03", None, None],
    ]
    found = read(workbook(rows), "list.xlsx")
    assert [
        (row.start_number, row.name, row.birth_date, row.guardian, row.contact) for row in found.rows
    ] == [
        (7, "Aino", date(2001, 2, 3), True, "401234567"),
        (8, "Eetu", date(2001, 2, 3), False, "a@b.fi"),
        (None, "1234", date(2001, 2, 3), None, ""),
    ]


@pytest.mark.parametrize(
    ("form", "days", "text"),
    [
        # What Excel and LibreOffice make of minutes and seconds that are typed into a cell of no format ...
        ("h:mm", timedelta(minutes=45), "0:45"),
        ("h:mm", timedelta(hours=12, minutes=34), "12:34"),
        ("h:mm", timedelta(hours=1), "1:00"),
        ("[h]:mm:ss", timedelta(hours=45), "45:00"),
        ("[h]:mm:ss", timedelta(hours=24), "24:00"),
        ("[h]:mm:ss", timedelta(hours=99), "99:00"),
        ("HH:MM:SS", timedelta(minutes=45), "0:45"),
        ("[HH]:MM:SS", timedelta(hours=60), "60:00"),
        # ... and hours, minutes and seconds
        ("h:mm:ss", timedelta(minutes=12, seconds=34), "0:12:34"),
        # cells for minutes and seconds, as in our workbooks, and what is typed into them
        ("[mm]:ss", timedelta(minutes=45), "45:00"),
        ("mm:ss", timedelta(minutes=12, seconds=34), "12:34"),
        ("[mm]:ss", timedelta(minutes=60), "60:00"),
        ("[mm]:ss", timedelta(hours=12, minutes=34), "12:34:00"),
        ("[mm]:ss", timedelta(hours=48), "48:00:00"),
        # numbers and days
        ("h:mm", 12, "288:00"),
        ("h:mm", 46000, "2025-12-09"),
        ("yyyy-mm-dd", 12, "1900-01-12"),
        ("mmm", 37000, "2001-04-19"),
        ("0.0", 12, "12"),
    ],
)
def test_time_is_read_as_it_was_typed(form: str, days: timedelta | int, text: str) -> None:
    def change(book: Any) -> None:
        cell = book.active["A2"]
        cell.value, cell.number_format = days, form

    (grid,) = Xlsx(workbook([["Out after"], [""]], change)).sheets()
    (line,) = (each for each in grid.lines if each.number == 2)
    assert line.cells[1] == text


def test_dates_of_an_old_mac_are_its_own() -> None:
    def change(book: Any) -> None:
        from openpyxl.utils.datetime import CALENDAR_MAC_1904

        book.epoch = CALENDAR_MAC_1904

    found = read(workbook([["Name", "Born"], ["Aino", date(2001, 2, 3)]], change), "list.xlsx")
    assert found.rows[0].birth_date == date(2001, 2, 3)


def test_first_sheet_with_headings_is_read_and_named() -> None:
    def change(book: Any) -> None:
        book["Old"].sheet_state = "hidden"

    data = workbook(
        [["Budget"], [100]], change, Old=[["Name"], ["Otso"]], Pelaajat=[["Nimi"], ["Aino"]], Empty=[]
    )
    found = read(data, "list.xlsx")
    assert people(found) == [(2, "Aino", "", "", None)]
    assert [dict(problem.parameters) for problem in found.problems] == [
        {"sheet": "Pelaajat", "others": "Players, Old"}
    ]


def test_hidden_rows_are_read_and_asked_about() -> None:
    def change(book: Any) -> None:
        book.active.row_dimensions[3].hidden = True

    found = read(workbook([["Name"], ["Aino"], ["Eetu"]], change), "list.xlsx")
    assert [(row.name, [problem.code for problem in row.problems]) for row in found.rows] == [
        ("Aino", []),
        ("Eetu", ["hidden_row"]),
    ]


def test_kept_values_of_formulas_are_read() -> None:
    rows = (
        f"<row>{text_cell('Name')}{text_cell('Number')}{text_cell('Club')}</row>"
        '<row><c t="str"><f>UPPER("aino")</f><v>AINO</v></c><c><f>1+1</f><v>2</v></c>'
        '<c t="str"><f>""</f><v></v></c></row>'
    )
    found = read(package(sheet_xml(rows)), "list.xlsx")
    assert people(found) == [(2, "AINO", "", "", 2)]
    assert found.rows[0].problems == ()


def test_texts_in_several_runs_and_with_escapes_are_whole() -> None:
    strings = (
        f'<sst xmlns="{MAIN}"><si><t>Name</t></si><si><r><t>Ai</t></r><r><t>no</t></r>'
        '<rPh sb="0" eb="1"><t>x</t></rPh></si>'
        "<si><t>_x0041_b_x0000_</t></si></sst>"
    )
    cells = "".join(f'<row><c t="s"><v>{number}</v></c></row>' for number in range(3))
    found = read(package(sheet_xml(cells), **{"xl/sharedStrings.xml": strings}), "list.xlsx")
    assert [row.name for row in found.rows] == ["Aino", "Ab"]


def test_link_of_an_address_is_only_its_text() -> None:
    assert people(read(relationship("hyperlink", "mailto:a@b.fi"), "list.xlsx")) == [
        (2, "Aino", "", "Noppa", None)
    ]


def test_what_is_no_list_is_not_looked_at() -> None:
    """A sheet with a chart alone, a drawing that is no sound XML, a name for a column of a table, rules for cells."""

    def change(book: Any) -> None:
        book.create_chartsheet("Chart", 0)
        book.defined_names["all_names"] = DefinedName("all_names", attr_text="Table1[Name]")

    data = io.BytesIO(workbook([["Name"], ["Aino"]], change))
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr("xl/drawings/old.vml", "<xml><br></xml>")
    assert people(read(data.getvalue(), "list.xlsx")) == [(2, "Aino", "", "", None)]
    rules = package(sheet_xml(NAMES, after='<dataValidations><dataValidation type="x"/></dataValidations>'))
    assert people(read(rules, "list.xlsx")) == [(2, "Aino", "", "Noppa", None)]


def test_strict_workbook_is_read_as_the_usual_one() -> None:
    def strict(part: str) -> str:
        return re.sub(
            r"schemas\.openxmlformats\.org/(spreadsheetml|officeDocument)/2006/",
            r"purl.oclc.org/ooxml/\1/",
            part,
        )

    data = package(strict(sheet_xml(NAMES)), **{name: strict(part) for name, part in PARTS.items()})
    assert people(read(data, "list.xlsx")) == [(2, "Aino", "", "Noppa", None)]


def test_merged_title_fills_no_names() -> None:
    def change(book: Any) -> None:
        book.active.merge_cells("A1:C1")
        book.active.merge_cells("A3:A20")

    found = read(workbook([["Players 2026"], ["Name", "Club"], ["Aino"], [None, None]], change), "list.xlsx")
    assert people(found) == [(3, "Aino", "", "", None)]


CELLS = st.one_of(
    st.none(),
    st.integers(-(10**12), 10**12),
    st.booleans(),
    st.dates(date(1901, 1, 1), date(2100, 1, 1)),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029￾￿"), max_size=30),
)


@settings(max_examples=deep(100))
@given(rows=st.lists(st.lists(CELLS, min_size=1, max_size=5), min_size=1, max_size=8))
def test_cells_are_those_that_were_written(rows: list[list[Any]]) -> None:
    rows = [
        [None if isinstance(cell, str) and cell.startswith(("=", "#")) else cell for cell in row]
        for row in rows
    ]
    (grid,) = Xlsx(workbook(rows)).sheets()
    assert {(line.number, column): text for line in grid.lines for column, text in line.cells.items()} == {
        (number, column): _as_text(value)
        for number, row in enumerate(rows, 1)
        for column, value in enumerate(row, 1)
        if _as_text(value)
    }


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else " ".join(str(value).split())


@given(number=st.integers(1, 16_384))
def test_columns_are_lettered_as_in_a_spreadsheet(number: int) -> None:
    assert column_index_from_string(column_letters(number)) == number
    assert (column_letters(1), column_letters(27), column_letters(16_384)) == ("A", "AA", "XFD")
