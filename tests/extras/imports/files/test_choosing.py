"""Columns that nobody knows by their headings: guessed, chosen and remembered."""

from typing import Any

import pytest

from tests.extras.imports.files.opened import TODAY
from tournament.extras.imports.files.choosing import (
    guesses,
    keys_of,
    looks_headed,
    remembered,
    set_key,
    wrong_choice,
)
from tournament.extras.imports.files.lists import Known, ListRead, read_list, read_pasted, read_sheet

FORM = (
    "Aikaleima,Mikä on nimesi?,Email Address,Mitä syöt?,Synt.aika\n"
    "2026/05/01 10.11.12,Aino Mäkelä,aino@a.example,vegan,3.2.2001\n"
    "2026/05/01 10.12.13,Eetu Nieminen,eetu@a.example,,4.5.1999\n"
)


def read(text: str, **more: Any) -> ListRead:
    return read_list(text.encode(), "list.csv", today=TODAY, **more)


def test_a_foreign_form_shows_its_columns_with_samples_and_a_guess() -> None:
    found = read(FORM)
    assert found.unknown
    assert [(each.heading, each.choice, each.known) for each in found.columns] == [
        ("Aikaleima", "out", False),
        ("Mikä on nimesi?", "name", False),
        ("Email Address", "contact", True),
        ("Mitä syöt?", "out", False),
        ("Synt.aika", "birth_date", True),
    ]
    assert found.columns[1].samples == ("Aino Mäkelä", "Eetu Nieminen")


@pytest.mark.parametrize(
    ("text", "heading", "names"),
    [
        # A ticket that is called "player" stands in each row, in any language; so does a word for another column.
        ("Attendee name,Ticket\nAino A,Player\nVille V,Player\n", 1, ["Aino A", "Ville V"]),
        ("Lipun haltija;Lippu\nAino A;Pelaaja\nVille V;Pelaaja\n", 1, []),
        ("Biljettinnehavare;Biljett\nAino A;Deltagare\nVille V;Deltagare\n", 1, []),
        ("Holder;Ticket\nAino A;Player\n", 1, []),
        ("Holder;Ticket\nAino A;Player\nVille V;Spectator\n", 1, []),
        ("Holder;Ticket;Mail\nAino A;Player;a@b.fi\nVille V;Spectator;v@b.fi\n", 1, []),
        ("Holder;Kind;Ticket\nAino A;Team;Player\nVille V;Team;Player\n", 1, []),
        ("Aino A;Player\nVille V;Player\n", 0, ["Aino A", "Ville V"]),
        # Titles above the headings, and headings that each printed page repeats.
        ("UNO night;Helsinki\nName;Club\nAino;Noppa\n", 2, ["UNO night", "Aino"]),
        ("Pelaajat 2026\n\nNimi;Seura;Syntynyt\nAino;Noppa;\n", 3, ["Aino"]),
        ("Nimi;Seura\nAino;Noppa\nNimi;Seura\nVille;Arpa\n", 1, ["Aino", "Nimi", "Ville"]),
        ("Namn\nAino\nNamn\nVille\n", 1, ["Aino", "Namn", "Ville"]),
    ],
)
def test_the_headings_are_in_the_row_that_looks_like_them(text: str, heading: int, names: list[str]) -> None:
    found = read_list(text.encode(), "list.csv", today=TODAY)
    assert found.heading == heading
    if heading == 1 and not names:  # nobody knows which column has the names
        assert found.unknown
        names = [each.samples[0] for each in found.columns][:1]
        assert names == ["Aino A"]
    else:
        chosen = {each.number: each.choice for each in found.columns}
        again = read_sheet(found.sheet, known=Known({}, chosen, heading)) if found.sheet else found
        assert [row.name for row in again.rows] == names


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Aino Mäkelä\nName\nVille\n", {1: "above_headings"}),
        ("Aino;Noppa\nNimi;Seura\nVille;Arpa\n", {1: "above_headings"}),
        ("Pelaajat 2026\nNimi\nAino\n", {}),
        ("UNO night\nNimi;Seura;Puhelin\nAino;Noppa;1\n", {}),
        ("Name;Club\nAino;\nname;CLUB\nVille;\n", {3: "repeated_headings"}),
        ("Sukunimi;Etunimi\nMäki;Aino\nSukunimi;Etunimi\n", {3: "repeated_headings"}),
        ("Förnamn;Efternamn\nAino;Mäki\nFörnamn;\n", {3: "repeated_headings"}),
    ],
)
def test_rows_that_may_be_players_or_headings_are_asked_about(text: str, asked: dict[int, str]) -> None:
    rows = read(text).rows
    assert {row.number: row.problems[0].code for row in rows if row.asks} == asked


def test_what_somebody_chose_is_read() -> None:
    sheet = read(FORM).sheet
    assert sheet
    places = {1: "out", 2: "name", 3: "contact", 4: "answer-d1", 5: "birth_date"}
    found = read_sheet(sheet, known=Known(places=places))
    assert not found.problems
    assert [(row.number, row.name, row.contact, row.answers) for row in found.rows] == [
        (2, "Aino Mäkelä", "aino@a.example", {"d1": "vegan"}),
        (3, "Eetu Nieminen", "eetu@a.example", {}),
    ]


def test_a_first_row_that_is_a_player_is_read_as_one() -> None:
    for seen in (read_pasted("Aino?\tNoppa\nEetu\tArpa"), read("Aino?;Noppa\nEetu;Arpa")):
        assert seen.sheet
        found = read_sheet(seen.sheet, known=Known(places={1: "name", 2: "club"}, heading=0))
        assert [(row.name, row.club) for row in found.rows] == [("Aino?", "Noppa"), ("Eetu", "Arpa")]
        assert not found.problems, "which columns are read is chosen, not guessed"


def test_questions_are_known_by_their_labels() -> None:
    found = read("Name;Diet?\nAino;vegan\n", known=Known({"diet": "answer-d1"}))
    assert not found.unknown
    assert found.rows[0].answers == {"d1": "vegan"}


@pytest.mark.parametrize(
    ("rows", "headed"),
    [
        ([["Aino", "Noppa"], ["Eetu", "Arpa"]], False),
        ([["Who?", ""], ["Eetu", "Arpa"]], True),
        ([["Who:", "Where:"], ["Eetu", "Arpa"]], True),
        ([["A", "B"], ["Eetu", "e@a.fi"], ["Iida", "i@a.fi"]], True),
        ([["A", "a@a.fi"], ["Eetu", "e@a.fi"], ["Iida", "i@a.fi"]], False),
        ([["A", "B"], ["Eetu", "1.2.2001"], ["Iida", "1.2.2002"]], True),
        ([["A", "B"], ["Eetu", "e@a.fi"]], False),  # one row may be a slip
    ],
)
def test_a_row_of_unknown_headings_is_told_from_a_player(rows: list[list[str]], headed: bool) -> None:
    assert looks_headed(rows) is headed


@pytest.mark.parametrize(
    ("heading", "cells", "taken", "found"),
    [
        ("Vad heter du?", ["Åsa"], [], "name"),
        ("Vad heter du?", ["Åsa"], ["name"], "out"),
        ("Your team's name", ["Dice"], [], "club"),
        ("Pelaajanimimerkki", ["x"], [], "nickname"),
        ("How do we reach you", ["a@b.fi", "c@d.fi"], [], "contact"),
        ("When were you born (birth year)", ["2001"], [], "out"),
        ("Date of your birth", ["3.2.2001"], [], "birth_date"),
        ("T-shirt", ["L"], ["name"], "out"),
    ],
)
def test_a_column_is_guessed_by_its_cells_and_its_heading(
    heading: str, cells: list[str], taken: list[str], found: str
) -> None:
    assert guesses({1: heading}, {1: cells}, taken) == {1: found}


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        (  # ticket shops
            "Ticket ID,Ticket,Buyer name,Buyer email,Attendee name\n1,Player,Aino A,a@x.example,Aino A\n"
            "2,Player,Aino A,a@x.example,Ville V\n",
            ["out", "out", "out", "contact", "name"],
        ),
        (
            "Product,Attendee name,Attendee name: Given name,Attendee name: Family name\nPlayer,Aino A,Aino,A\n",
            ["out", "out", "first_name", "last_name"],
        ),
        ("Name,First name,Last name\nAino A,Aino,A\nVille V,Ville,V\n", ["name", "out", "out"]),
        ("Company name,First name,Surname\nNoppa Ky,Aino,A\n,Ville,V\n", ["out", "first_name", "last_name"]),
        ("Ilmot:\nAino\nVille + 1\n", ["name"]),
        ("Aeg,Kes tuleb?,Toit\n1.5.2026,Aino,vegan\n1.5.2026,Ville,vegan\n", ["out", "name", "out"]),
        ("Tilaajan nimi,Etunimesi,Sukunimesi\nPia P,Aino,A\n", ["out", "first_name", "last_name"]),
    ],
)
def test_the_columns_that_are_proposed_go_together(text: str, choices: list[str]) -> None:
    assert [column.choice for column in read_list(text.encode(), "list.csv").columns] == choices
    assert wrong_choice(choices) == ("", "")


@pytest.mark.parametrize(
    ("choices", "found"),
    [
        (["name", "contact", "contact", "out", "out"], ("", "")),
        (["first_name", "last_name"], ("", "")),
        (["name", "name"], ("column_twice", "name")),
        (["name", "last_name"], ("column_twice", "name")),
        (["answer-1", "answer-1", "name"], ("column_twice", "answer-1")),
        (["club", "out"], ("no_name_chosen", "")),
    ],
)
def test_choices_that_cannot_be_are_named(choices: list[str], found: tuple[str, str]) -> None:
    assert wrong_choice(choices) == found


def test_a_choice_is_remembered_for_the_same_headings_in_any_order_without_their_words() -> None:
    columns = read(FORM).columns
    headings = [each.heading for each in columns]
    chosen = dict(zip(keys_of(headings), ["out", "name", "contact", "out", "birth_date"], strict=True))
    sets: list[dict[str, Any]] = [{"headings": set_key(headings), "columns": chosen}]
    assert remembered(sets, columns) == {1: "out", 2: "name", 3: "contact", 4: "out", 5: "birth_date"}
    other = read(
        "Synt.aika;Mitä syöt?;Email Address;Mikä on nimesi?;Aikaleima\n1.1.2001;x;a@b.fi;Aino;x\n"
    ).columns
    assert remembered(sets, other) == {1: "birth_date", 2: "out", 3: "contact", 4: "name", 5: "out"}
    assert remembered(sets, columns[:4]) is None
    assert "nimesi" not in str(sets)
