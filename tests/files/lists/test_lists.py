"""Lists as people have them: headings in three languages and any order, what spreadsheet programs save, and the
problems of each row."""

from typing import Any

import pytest

from tests.files.lists.opened import codes, read
from tests.support.list_files import package, sheet_xml, text_cell
from tournament.files.lists.lists import read_pasted


@pytest.mark.parametrize(
    ("text", "rows", "said"),
    [
        ("Aino\nEetu\n", [(1, "Aino", ""), (2, "Eetu", "")], ["no_headings_club"]),
        ("Aino, Noppa\nEetu\n", [(1, "Aino", "Noppa"), (2, "Eetu", "")], ["no_headings_club"]),
        (
            "Aino;1;Noppa\nEetu;2;Arpa",
            [(1, "Aino", "Noppa"), (2, "Eetu", "Arpa")],
            ["no_headings", "ignored_columns"],
        ),
        (
            "Aino;Noppa;nuts\nEetu;Arpa;milk",
            [(1, "Aino", ""), (2, "Eetu", "")],
            ["no_headings", "ignored_columns"],
        ),
        ("Pelaajat 2026\n\nNimi\nAino", [(4, "Aino", "")], ["rows_above"]),
        ("Nick\nAino", [(1, "Nick", ""), (2, "Aino", "")], ["no_headings_club"]),
    ],
)
def test_headings_are_found_or_done_without(text: str, rows: list[Any], said: list[str]) -> None:
    found = read(text)
    assert [(row.number, row.name, row.club) for row in found.rows] == rows
    assert codes(found) == said


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Aino\nEetu, Noppa", [(1, "Aino", ""), (2, "Eetu", "Noppa")]),
        ("\n Aino Mäkelä\tNoppa, Vaasa ", [(2, "Aino Mäkelä", "Noppa, Vaasa")]),
        ("Aino, Noppa, Vaasa\nEetu, Arpa", [(1, "Aino", "Noppa, Vaasa"), (2, "Eetu", "Arpa")]),
        ("1. Aino\n 2) Eetu, Noppa", [(1, "Aino", ""), (2, "Eetu", "Noppa")]),
        ("- Aino\n• Eetu\n\n12.\tVenla", [(1, "Aino", ""), (2, "Eetu", ""), (4, "Venla", "")]),
        ("7\tAino\tNoppa", [(1, "Aino", "Noppa")]),
        ("2.0\n4ever\n-x-", [(1, "2.0", ""), (2, "4ever", ""), (3, "-x-", "")]),
        (
            "Aino;Noppa\nEetu;Arpa\nVenla, Noppa",
            [(1, "Aino", "Noppa"), (2, "Eetu", "Arpa"), (3, "Venla", "Noppa")],
        ),
        ("Nimi;Seura\nAino;Noppa", [(2, "Aino", "Noppa")]),
    ],
)
def test_pasted_list_needs_no_headings_and_no_bullets(text: str, rows: list[Any]) -> None:
    found = read_pasted(text)
    assert [(row.number, row.name, row.club) for row in found.rows] == rows
    assert found.problems == ()


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("Aino Mäkelä (Ansku), Noppa", ("Ansku", "Aino Mäkelä", "Noppa")),
        ("Aino ()", ("Aino ()", "Aino ()", "")),
        ("(Ansku)", ("(Ansku)", "(Ansku)", "")),
    ],
)
def test_nickname_in_brackets_is_the_public_name(typed: str, names: tuple[str, str, str]) -> None:
    (row,) = read_pasted(typed).rows
    assert (row.public_name, row.name, row.club) == names


def test_column_of_addresses_is_the_contact_and_never_public() -> None:
    (row, *_more) = read_pasted("Matti;TiTe;matti@example.org\nMaija;TiTe;maija@example.org").rows
    assert (row.public_name, row.club, row.contact) == ("Matti", "TiTe", "matti@example.org")


@pytest.mark.parametrize("text", ["https://uno.example/list", "aino@example.org", "Aino, www.noppa.example"])
def test_address_among_names_is_asked_about(text: str) -> None:
    address = read_pasted(f"Eetu, Noppa\nVenla, Noppa\nIida\n{text}").rows[-1]
    assert address.asks
    assert [problem.code for problem in address.problems] == ["address_is_public"]


@pytest.mark.parametrize("text", ["\n \n,\n", "\nA" * 1001, "Club,Born\nNoppa,2001"])
def test_pasted_text_that_is_no_list_is_refused(text: str) -> None:
    assert read_pasted(text).refusal


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
