"""Players as forms: a pasted list, one of them, somebody at the door."""

from typing import Any
from uuid import UUID

import pytest
from django import forms

from tournament.forms.players import PasteForm, WalkInForm, lines_of, words_in_name
from tournament.results.faults import Fault


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n , \n\t\n", []),
        ("Aino\nEetu, Noppa", [(1, "Aino", ""), (2, "Eetu", "Noppa")]),
        ("\n Aino Mäkelä\tNoppa, Vaasa ", [(2, "Aino Mäkelä", "Noppa, Vaasa")]),
        (", Noppa", [(1, "", "Noppa")]),
        ("1. Aino\n 2) Eetu, Noppa", [(1, "Aino", ""), (2, "Eetu", "Noppa")]),
        ("- Aino\n• Eetu\n\n12.\tVenla", [(1, "Aino", ""), (2, "Eetu", ""), (4, "Venla", "")]),
        ("7\tAino\tNoppa", [(1, "Aino", "Noppa")]),
        ("2.0\n4ever\n-x-", [(1, "2.0", ""), (2, "4ever", ""), (3, "-x-", "")]),
    ],
)
def test_lines_of_a_pasted_list(text: str, lines: list[Any]) -> None:
    assert [(line.number, line.name, line.club) for line in lines_of(text)] == lines


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("Aino Mäkelä (Ansku), Noppa", [("Ansku", "Aino Mäkelä", "Noppa")]),
        ("Aino ()", [("Aino ()", "", "")]),
        ("(Ansku)", [("(Ansku)", "", "")]),
    ],
)
def test_nickname_in_brackets_is_the_public_name(typed: str, names: list[tuple[str, str, str]]) -> None:
    form = PasteForm(set(), {"players": typed})
    assert form.is_valid()
    sent = form.players_of(UUID(int=1))
    assert [(each["name"], each["real_name"], each["club"]) for each in sent] == names
    assert sent == form.players_of(UUID(int=1))


def test_namesakes_are_asked_about_once() -> None:
    form = PasteForm({"Aino"}, {"players": "aino\nEetu\nEetu"})
    assert not form.is_valid()
    assert len(form.errors["players"]) == 2
    assert isinstance(form.fields["namesakes"].widget, forms.CheckboxInput)
    assert PasteForm({"Aino"}, {"players": "aino\nEetu\nEetu", "namesakes": "on"}).is_valid()


def test_faults_of_the_action_are_said_at_their_lines() -> None:
    form = PasteForm(set(), {"players": "Aino\n\nEetu"})
    assert form.is_valid()
    form.add_faults((Fault("field_blank", "/players/1/name"), Fault("field_blank", "/elsewhere")))
    assert [each.partition(":")[0] for each in form.errors["players"]] == ["Line 3"]
    assert len(form.non_field_errors()) == 1


def test_walk_in_of_a_known_name_is_asked_about() -> None:
    names, tables = [words_in_name("Aino Mäkelä")], [("none", "No seat yet")]
    form = WalkInForm(names, tables, {"name": "makela aino", "table": "none"})
    assert not form.is_valid()
    assert isinstance(form.fields["namesake"].widget, forms.CheckboxInput)
    assert WalkInForm(names, tables, {"name": "makela aino", "namesake": "on"}).is_valid()
    assert form.fields["table"].initial == "none"


def test_of_a_list_that_is_too_long_no_line_is_looked_at() -> None:
    names = "\n".join(f"{number:x}" for number in range(36_000))
    form = PasteForm({f"{number:x}" for number in range(10)}, {"players": names})
    assert not form.is_valid()
    assert list(form.errors.as_data()) == ["players"]
    assert form.errors["players"] == ["At most 1000 players at a time; these are 36000."]
