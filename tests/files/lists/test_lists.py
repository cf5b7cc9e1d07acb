"""Lists as people have them: headings in three languages and any order, what spreadsheet programs save, and what is
said of each row."""

import io
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from tests.depth import deep
from tests.support.list_files import NAMES, PARTS, package, relationship, sheet_xml, text_cell, workbook
from tournament.files.lists import ListRead, read_list
from tournament.files.lists.columns import HEADINGS, column_of, headings_in
from tournament.files.lists.delimited import decoded
from tournament.files.lists.rows import LONGEST, read_row
from tournament.files.lists.workbook import column_letters, column_number, read_sheets
from tournament.models import Entry, Player

TODAY = date(2026, 5, 9)


def read(data: bytes | str, filename: str = "list.csv") -> ListRead:
    found = read_list(data.encode() if isinstance(data, str) else data, filename, today=TODAY)
    assert found.refusal is None, found.refusal
    return found


def people(found: ListRead) -> list[tuple[Any, ...]]:
    return [(row.number, row.name, row.nickname, row.club, row.start_number) for row in found.rows]


def codes(found: ListRead) -> list[str]:
    return [problem.code for problem in found.problems]


@pytest.mark.parametrize("language", HEADINGS)
def test_list_with_every_heading_is_read_in_each_language(language: str) -> None:
    lines = [headings_in(language), ["Aino Mäkelä", "Nelonen", "Noppa", "7", "3.2.2001", "a@b.fi", "x"]]
    found = read("\n".join(";".join(line) for line in lines))
    (row,) = found.rows
    assert (row.name, row.nickname, row.club, row.start_number) == ("Aino Mäkelä", "Nelonen", "Noppa", 7)
    assert (row.birth_date, row.contact, row.guardian) == (date(2001, 2, 3), "a@b.fi", True)
    assert row.public_name == "Nelonen"
    assert (row.problems, found.problems) == ((), ())


def test_no_word_names_two_columns() -> None:
    for headings in HEADINGS.values():
        for column, words in headings.items():
            assert {column_of(word) for word in words.split("|")} == {column}


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("  SYNTYMÄAIKA: ", "birth_date"),
        ("Birth date (yyyy-mm-dd)", "birth_date"),
        ("e-mail", "contact"),
        ("#", "start_number"),
        ("Start no.", "start_number"),
        ("Remarks", ""),
        ("", ""),
    ],
)
def test_heading_is_known_as_people_write_it(heading: str, column: str) -> None:
    assert column_of(heading) == column


def test_columns_stand_in_any_order_and_others_are_named() -> None:
    found = read("Nro,Kommentti,Seura,Nimi,,Puhelin,Sähköposti\n5,hei,Noppa,Aino,,040 1,a@b.fi\n")
    assert people(found) == [(2, "Aino", "", "Noppa", 5)]
    assert found.rows[0].contact == "040 1, a@b.fi"
    assert [problem.parameters for problem in found.problems] == [{"columns": "Kommentti"}]


def test_first_and_last_names_make_the_name() -> None:
    assert people(read("Sukunimi;Etunimi;Nikki\nMäkelä;Aino;\nNieminen;Eetu;Ee\n")) == [
        (2, "Aino Mäkelä", "", "", None),
        (3, "Eetu Nieminen", "Ee", "", None),
    ]
    both = read("First name;Name\nAino;Aino Mäkelä\n")
    assert people(both) == [(2, "Aino Mäkelä", "", "", None)]
    assert codes(both) == ["ignored_columns"]


@pytest.mark.parametrize(
    ("text", "rows", "said"),
    [
        ("Aino\nEetu\n", [(1, "Aino", ""), (2, "Eetu", "")], ["no_headings_club"]),
        ("Aino, Noppa\nEetu\n", [(1, "Aino", "Noppa"), (2, "Eetu", "")], ["no_headings_club"]),
        ("Aino;1;Noppa\nEetu;2;Arpa", [(1, "Aino", ""), (2, "Eetu", "")], ["no_headings", "ignored_columns"]),
        ("Pelaajat 2026\n\nNimi\nAino", [(4, "Aino", "")], ["rows_above"]),
        ("Nick\nAino", [(1, "Nick", ""), (2, "Aino", "")], ["no_headings_club"]),
    ],
)
def test_headings_are_found_or_done_without(text: str, rows: list[Any], said: list[str]) -> None:
    found = read(text)
    assert [(row.number, row.name, row.club) for row in found.rows] == rows
    assert codes(found) == said


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "utf-32"]
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_text_of_any_program_is_read(encoding: str, delimiter: str, end: str) -> None:
    lines = [["Nimi", "Kerho"], ["Aino Mäkelä", '"Noppa, ""ja""; Åbo"'], [], ["Börje"]]
    found = read(end.join(delimiter.join(line) for line in lines).encode(encoding))
    assert people(found) == [(2, "Aino Mäkelä", "", 'Noppa, "ja"; Åbo', None), (4, "Börje", "", "", None)]


def test_excels_own_first_line_names_the_delimiter() -> None:
    assert people(read("sep=;\r\nName;Club\r\nMäkelä, Aino;Noppa\r\n")) == [
        (3, "Mäkelä, Aino", "", "Noppa", None)
    ]


def test_unclosed_quotation_mark_is_said_at_its_row() -> None:
    found = read('Name;Club\nAino;"Noppa\nEetu;\nIida;\nOtso;\nPihla;\n')
    assert [(problem.row, problem.code) for row in found.rows for problem in row.problems] == [
        (2, "open_quote")
    ]


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+358 40", "-x", "@SUM(A1)", "<b>x</b>", "%s {{ x }}"]
)
def test_what_looks_like_a_formula_or_markup_is_text(text: str) -> None:
    for data, name in (
        (f"Name;Club\n{text};{text}\n".encode(), "list.csv"),
        (
            package(
                sheet_xml(f"<row>{text_cell('Name')}</row><row>{text_cell(text.replace('<', '&lt;'))}</row>")
            ),
            "l.xlsx",
        ),
    ):
        assert read(data, name).rows[0].name == text


@pytest.mark.parametrize(
    ("text", "born"),
    [
        ("2001-02-03", date(2001, 2, 3)),
        ("20010203", date(2001, 2, 3)),
        ("2001/2/3", date(2001, 2, 3)),
        ("3.2.2001", date(2001, 2, 3)),
        ("03.02.2001.", date(2001, 2, 3)),
        (" 3. 2. 2001", date(2001, 2, 3)),
        ("13/2/2001", date(2001, 2, 13)),
        ("2/2/2001", date(2001, 2, 2)),
        ("3/2/2001", "date_ambiguous"),
        ("3.2.01", "bad_date"),
        ("2001", "bad_date"),
        ("31.2.2001", "bad_date"),
        ("36925", "bad_date"),
        ("soon", "bad_date"),
        ("٣.٢.٢٠٠١", "bad_date"),
        ("10.5.2026", "date_out_of_range"),
        ("1.1.1899", "date_out_of_range"),
    ],
)
def test_birth_date_as_people_write_it(text: str, born: Any) -> None:
    row = read_row(2, {"name": "Aino", "birth_date": text}, {}, TODAY)
    assert (row.birth_date or row.problems[0].code) == born
    assert row.is_sound is isinstance(born, date)


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), ("007", 7), ("#7", 7), ("7.0", 7), ("7,", 7), ("100000", 100_000)]
)
def test_start_number_as_people_write_it(text: str, number: int) -> None:
    assert read_row(2, {"name": "A", "start_number": text}, {}, TODAY).start_number == number


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "x", "100001", "9" * 30, "٧"])
def test_no_start_number_is_said(text: str) -> None:
    row = read_row(2, {"name": "A", "start_number": text}, {}, TODAY)
    assert [(problem.row, problem.column, problem.code) for problem in row.problems] == [
        (2, "start_number", "bad_number")
    ]


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("x", True),
        ("Kyllä", True),
        ("JA", True),
        ("yes", True),
        ("no", False),
        ("ei", False),
        ("-", False),
        ("", None),
    ],
)
def test_consent_as_people_write_it(text: str, agrees: bool | None) -> None:
    row = read_row(2, {"name": "A", "guardian": text}, {}, TODAY)
    assert (row.guardian, row.problems) == (agrees, ())


def test_name_of_a_guardian_is_no_consent() -> None:
    assert not read_row(2, {"name": "A", "guardian": "Outi Mäkelä"}, {}, TODAY).is_sound


def test_lengths_are_those_of_the_database() -> None:
    fields = {
        "name": Player._meta.get_field("name"),
        "nickname": Entry._meta.get_field("public_name"),
        "club": Entry._meta.get_field("club"),
        "contact": Player._meta.get_field("contact"),
    }
    assert {column: field.max_length for column, field in fields.items()} == LONGEST


def test_a_row_that_only_asks_is_sound() -> None:
    for texts, marks in (
        ({"name": "1234"}, {}),
        ({"name": "MÃ¤kelÃ¤"}, {}),
        ({"name": "A"}, {"": "hidden_row"}),
    ):
        row = read_row(2, texts, marks, TODAY)
        assert (row.is_sound, row.asks) == (True, True)


# ---- workbooks ----


def test_cells_are_read_as_their_program_shows_them() -> None:
    rows = [
        ["Start number", "Name", "Birth date", "Guardian agrees", "Contact"],
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
        "<sst><si><t>Name</t></si><si><r><t>Ai</t></r><r><t>no</t></r><rPh><t>x</t></rPh></si>"
        "<si><t>_x0041_b_x0000_</t></si></sst>"
    )
    cells = "".join(f'<row><c t="s"><v>{number}</v></c></row>' for number in range(3))
    found = read(package(sheet_xml(cells), **{"xl/sharedStrings.xml": strings}), "list.xlsx")
    assert [row.name for row in found.rows] == ["Aino", "Ab"]


def test_link_of_an_address_is_only_its_text() -> None:
    assert people(read(relationship("hyperlink", "mailto:a@b.fi"), "list.xlsx")) == [
        (2, "Aino", "", "Noppa", None)
    ]


def test_strict_workbook_is_read_as_the_usual_one() -> None:
    strict = {
        name: part.replace("schemas.openxmlformats.org/", "purl.oclc.org/ooxml/")
        for name, part in PARTS.items()
    }
    data = package(sheet_xml(NAMES).replace("schemas.openxmlformats.org/", "purl.oclc.org/ooxml/"), **strict)
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
def test_cells_are_those_that_openpyxl_reads(rows: list[list[Any]]) -> None:
    """The reader of one's own beside the library that reads everything."""
    rows = [
        [None if isinstance(cell, str) and cell.startswith("=") else cell for cell in row] for row in rows
    ]
    data = workbook(rows)
    ((_sheet, grid),) = read_sheets(data)
    sheet = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
    theirs = {
        (number, column): _as_text(value)
        for number, row in enumerate(sheet.iter_rows(values_only=True), 1)
        for column, value in enumerate(row, 1)
        if _as_text(value)
    }
    assert {
        (line.number, column): text for line in grid.lines for column, text in line.cells.items()
    } == theirs


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.date().isoformat()
    return "" if value is None else " ".join(str(value).split())


@given(number=st.integers(1, 16_384))
def test_columns_are_lettered_as_in_a_spreadsheet(number: int) -> None:
    assert column_number(column_letters(number)) == number
    assert (column_letters(1), column_letters(27), column_letters(16_384)) == ("A", "AA", "XFD")


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_any_text_survives_its_encoding(text: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert decoded(text.encode(encoding)).lstrip("\ufeff") == text.lstrip("\ufeff")
