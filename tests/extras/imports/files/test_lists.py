"""Lists as people have them: headings in three languages and any order, what spreadsheet programs save, and the
problems of each row."""

from typing import Any

import pytest

from tests.extras.imports.files.opened import codes, read
from tests.support.list_files import package, sheet_xml, text_cell
from tournament.actions.people.players import MOST_AT_ONCE
from tournament.extras.imports.files.lists import read_pasted
from tournament.extras.imports.files.problems import MOST_ROWS


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
    ("cell", "name", "left"),
    [
        ("☑ Pia P", "Pia P", "☑"),
        ("[x] Lauri L", "Lauri L", "[x]"),
        ("[ ] Lauri L", "Lauri L", "[ ]"),
        ("✓Åsa", "Åsa", "✓"),
        ("10 Anna A", "Anna A", "10"),
        ("10. Anna A", "Anna A", "10."),
        ("- [x] 3) Eva", "Eva", "- [x] 3)"),
        ("4ever", "4ever", ""),
        ("2.0", "2.0", ""),
        ("-x-", "-x-", ""),
        ("☑", "☑", ""),
        ("1234567 Aino", "1234567 Aino", ""),
    ],
)
def test_what_stands_before_a_name_is_left_out_with_a_word(cell: str, name: str, left: str) -> None:
    (row,) = read(f"Nimi;Seura\n{cell};Noppa\n").rows
    assert (row.name, row.public_name, row.is_sound) == (name, name, True)
    said = [problem.parameters["text"] for problem in row.problems if problem.code == "left_out_before"]
    assert said == ([left] if left else [])
    assert read_pasted(f"{cell}\tNoppa").rows[0].name == name


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("Yhteensä;2", True),
        ("8 Yhteensä;", True),
        ("Pelaajia yhteensä: 8;", True),
        ("Total;2", True),
        ("Total players 8;", True),
        ("Number of players in total;8", True),
        ("Summa;2", True),
        ("Yht. 2 hlö", True),
        ("Totalt antal spelare;2", True),
        ("Matti Summa;Noppa", False),
        ("Totti;Roma", False),
        ("Summanen;", False),
    ],
)
def test_a_line_of_totals_is_asked_about(line: str, asked: bool) -> None:
    row = read(f"Nimi;Seura\nAino;Noppa\n{line}\n").rows[-1]
    assert row.asks is asked
    assert row.is_sound


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Aino, Ville, Otso", [("Aino", "", ""), ("Ville", "", ""), ("Otso", "", "")]),
        ("Aino, Ville ja Otso\n", [("Aino", "", ""), ("Ville", "", ""), ("Otso", "", "")]),
        (
            "Aino Mäkelä <aino@a.example>; Ville <v@a.example>; Otso;",
            [("Aino Mäkelä", "", "aino@a.example"), ("Ville", "", "v@a.example"), ("Otso", "", "")],
        ),
        ("Aino, Noppa", [("Aino", "Noppa", "")]),
        ("Aino, Noppa, 12", [("Aino", "Noppa", "")]),
        ("Aino, Noppa, Salo\nVille", [("Aino", "Noppa, Salo", ""), ("Ville", "", "")]),
        ("Aino <aino@a.example>\nVille", [("Aino", "", "aino@a.example"), ("Ville", "", "")]),
        # A comma in a name is no club beside a column of clubs.
        ('"A, Aino";"Noppa"\n"V, Ville";', [("A, Aino", "Noppa", ""), ("V, Ville", "", "")]),
    ],
)
def test_names_on_one_line_and_with_addresses(text: str, rows: list[Any]) -> None:
    found = read_pasted(text).rows
    assert [(row.name, row.club, row.contact) for row in found] == rows
    assert not any(row.asks for row in found)


@pytest.mark.parametrize(
    "text", ["MÄKELÄ AINO\nVIRTANEN VILLE\nKORHONEN SANNA\nNIEMINEN IIDA", '"Mäkelä, Aino";A\n' * 3]
)
def test_whole_names_without_headings_that_begin_with_the_surname_are_asked_about(text: str) -> None:
    for found in (read_pasted(text), read(text)):
        assert [column.choice for column in found.columns if not column.known] == ["surname_first"]
        assert found.rows[0].name.casefold() == "aino mäkelä"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Mäkelä, Aino\nKorhonen, Sanna\nAf Forselles, Jan Erik", False),
        ("Mäkelä, Aino\nKorhonen, Sanna\nVirtanen, Jan Erik", True),
        ("Mäkelä;Aino\nKorhonen;Sanna\nLind;Åsa\nBerg;Bo\nHolm;Åsa", True),
        ("Mäkelä, Aino\nKorhonen, Sanna", False),
        ("Aino, Noppa\nVenla, Noppa\nEetu, Noppa\nIida, Arpa", False),
        ("Aino, Noppa\nVenla, Arpa\nEetu", False),
        ("Aino Mäki, Noppa\nVenla Viita, Arpa\nEetu Ek, Kortti", False),
    ],
)
def test_surnames_first_are_asked_about(text: str, asked: bool) -> None:
    found = read_pasted(text)
    assert found.unknown is asked
    if asked:
        assert [each.choice for each in found.columns] == ["last_name", "first_name"]
        assert found.rows[0].name == "Aino Mäkelä"


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


def test_a_file_holds_as_many_players_as_one_command_enters() -> None:
    assert MOST_ROWS == MOST_AT_ONCE


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


@pytest.mark.parametrize(
    ("names", "choice"),
    [
        (("Virtanen Ville", "Korhonen Sanna", "Nieminen Aki", "Aino"), "surname_first"),
        (("Mäkelä, Aino", "Niemi, Otso", "Salo, Pia", "Ahonen, Eetu"), "surname_first"),
        (("Ville Virtanen", "Sanna Korhonen", "Aki Nieminen", "Virtanen Una"), "name"),
        (("Virtanen Ville", "Korhonen Sanna"), "name"),
    ],
)
def test_names_that_seem_to_begin_with_the_surname_are_asked_about(
    names: tuple[str, ...], choice: str
) -> None:
    found = read("\n".join(["Nimi", *(f'"{name}"' for name in names)]))
    assert [(column.choice, column.known) for column in found.columns] == [(choice, choice == "name")]


def test_names_that_begin_with_the_surname_are_turned_round() -> None:
    found = read('Nimi;Kilta\nVirtanen Ville Matti;Noppa\nMäkelä, Aino;\nNIEMINEN Aki;\nUna;\n",";\n')
    assert [row.name for row in found.rows] == [
        "Ville Matti Virtanen",
        "Aino Mäkelä",
        "Aki NIEMINEN",
        "Una",
        "",
    ]


@pytest.mark.parametrize(
    ("heading", "state", "out"),
    [
        ("Status", "Cancelled", True),
        ("Order status", "refunded", True),
        ("Tila", "Peruttu 3.11.", True),
        ("Lipun tila", "palautettu", True),
        ("Status", "Avbokad", True),
        ("Status", "not taking part", True),
        ("Status", "Confirmed", False),
        ("Tila", "Perustettu", False),
        ("Tila", "", False),
    ],
)
def test_row_that_is_cancelled_is_asked_about(heading: str, state: str, out: bool) -> None:
    row, other = read(f"Name;{heading}\nAino;{state}\nVille;Paid\n").rows
    assert (row.name, row.asks, other.asks) == ("Aino", out, False)
    assert [problem.code for problem in row.problems] == ["cancelled"] * out


def test_state_in_merged_cells_is_that_of_each_row() -> None:
    rows = "".join(
        f"<row>{''.join(map(text_cell, cells))}</row>"
        for cells in (["Name", "Status"], ["Aino", "Cancelled"], ["Ville"])
    )
    merged = '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>'
    found = read(package(sheet_xml(rows, after=merged))).rows
    assert [(row.name, dict(row.marks)) for row in found] == [
        ("Aino", {"": "cancelled"}),
        ("Ville", {"": "cancelled"}),
    ]


@pytest.mark.parametrize("last", ["2 pelaajaa", "12 players.", "3 deltagare", "Yhteensä 8", "8 Yhteensä"])
def test_last_line_with_the_number_of_players_is_asked_about(last: str) -> None:
    rows = read(f"Nimi\nAino\n{last}\n").rows
    assert [row.asks for row in rows] == [False, True]


def test_table_drawn_with_bars_is_read() -> None:
    found = read("| Name | Club |\n| Aino | Noppa |\n| Ville | |\n")
    assert [(row.name, row.club) for row in found.rows] == [("Aino", "Noppa"), ("Ville", "")]
