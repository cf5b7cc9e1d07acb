"""Text as spreadsheet programs save it."""

import pytest
from hypothesis import given, strategies as st

from tests.files.lists.opened import people, read
from tournament.files.lists.delimited import decoded


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
        assert decoded(text.encode(encoding)).lstrip("\ufeff") == text.lstrip("\ufeff")
