"""People whose names read the same are told apart by their club, else by their start number; all others keep the bare
name."""

import pytest

from tournament.models import shown_name
from tournament.words.text import name_suffixes

HERE = "registered"


def names(*people: tuple[str, ...]) -> list[str]:
    """How these are shown, (name, club) or (name, club, state), with start numbers from 1."""
    rows = [(number, each[0], each[1], (*each[2:], HERE)[0]) for number, each in enumerate(people, 1)]
    suffixes = name_suffixes(rows)
    return [shown_name(name, suffixes[number], club, number) for number, name, club, _state in rows]


@pytest.mark.parametrize(
    ("people", "shown"),
    [
        ([("Aino", "Noppa"), ("Matti", "")], ["Aino", "Matti"]),
        ([("Matti", "Noppa"), ("Matti", "Kruunu")], ["Matti (Noppa)", "Matti (Kruunu)"]),
        (
            [("Matti", "Noppa"), ("Matti", "Noppa"), ("Matti", ""), ("Matti", "Kruunu")],
            ["Matti #1", "Matti #2", "Matti #3", "Matti (Kruunu)"],
        ),
        ([("Matti", "Noppa"), ("Matti", "NOPPA ")], ["Matti #1", "Matti #2"]),  # one club, written twice
        ([("Matti", "Nöppa"), ("Matti", "Noppa")], ["Matti #1", "Matti #2"]),
        ([("Anna", "Noppa"), ("Anna", ""), ("ANNA (Nöppa)", "")], ["Anna #1", "Anna #2", "ANNA (Nöppa)"]),
        (
            [("Anna", ""), ("ANNA", ""), ("An\u00adna", ""), ("A\u200bnna\ufe0f", ""), ("Änna", "")],
            ["Anna #1", "ANNA #2", "An\u00adna #3", "A\u200bnna\ufe0f #4", "Änna #5"],
        ),
        ([("Łukasz", ""), ("Lukasz", "")], ["Łukasz #1", "Lukasz #2"]),
        # Who cancelled makes nobody ambiguous, but is not the other one.
        ([("Matti", ""), ("Matti", "", "cancelled")], ["Matti", "Matti #2"]),
        ([("Matti", "Noppa"), ("Matti", "Kruunu", "cancelled")], ["Matti", "Matti (Kruunu)"]),
        ([("Matti", "", "cancelled"), ("Matti", "", "waiting"), ("Matti", "")], ["Matti #1", "Matti #2", "Matti #3"]),
    ],
)  # fmt: skip
def test_names_that_read_the_same(people: list[tuple[str, str]], shown: list[str]) -> None:
    assert names(*people) == shown
