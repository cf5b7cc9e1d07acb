"""Text as spreadsheet programs save it."""

import pytest
from hypothesis import given, strategies as st

from tests.extras.imports.files.opened import people, read
from tournament.extras.imports.files import grid as delimited
from tournament.extras.imports.files.grid import Line, decoded
from tournament.extras.imports.files.lists import read_list
from tournament.extras.imports.files.problems import MOST_COLUMNS, MOST_SHEET_ROWS
from tournament.server.middleware import MOST_FILE_BYTES


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


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_any_text_survives_its_encoding(text: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert decoded(text.encode(encoding))[0].lstrip("\ufeff") == text.lstrip("\ufeff")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Name\n" + "\n" * MOST_FILE_BYTES, "no_rows"),
        ("Name\nAino\n" + "\n" * MOST_FILE_BYTES, "too_many_rows"),
        ("Name\n" + '"\n' * MOST_FILE_BYTES, "no_rows"),
        ("," * MOST_FILE_BYTES, "no_rows"),
        ("Name" + ";" * (MOST_FILE_BYTES - 5) + "x", "too_many_columns"),
    ],
    ids=["newlines", "a name and newlines", "quotation marks", "commas", "a column far to the right"],
)
def test_file_of_nothing_is_refused_after_the_rows_and_cells_of_a_sheet(
    text: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, cells = list[int](), list[str]()

    def line(number: int) -> Line:
        rows.append(number)
        return Line(number)

    def text_of(cell: str) -> str:
        cells.append(cell)
        return cell.strip()

    monkeypatch.setattr(delimited, "Line", line)
    monkeypatch.setattr(delimited, "text_of", text_of)
    found = read_list(text[:MOST_FILE_BYTES].encode(), "list.csv")
    assert found.refusal
    assert found.refusal.code == code
    assert len(rows) <= MOST_SHEET_ROWS + 1
    assert len(cells) <= MOST_SHEET_ROWS + MOST_COLUMNS


def test_separators_behind_the_last_column_are_no_columns() -> None:
    assert len(read("Name" + ";" * 600 + "\n" + ("Aino" + ";" * 600 + "\n") * 900).rows) == 900
