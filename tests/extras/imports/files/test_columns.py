"""Headings as people write them, in three languages and any order."""

from datetime import date

import pytest

from tests.extras.imports.files.opened import codes, people, read
from tournament.extras.imports.files.columns import HEADINGS, column_of, headings_in


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
