"""Names in the order of the alphabet, and the letter that a list has them under."""

import pytest

from tournament.text import OTHER, in_alphabet, initial


def test_letters_of_their_own_come_behind_z_and_accents_count_for_nothing() -> None:
    names = ["Öberg", "Zoë", "Ära", "Åke", "emil", "Émile", "Eva"]
    assert sorted(names, key=in_alphabet) == ["emil", "Émile", "Eva", "Zoë", "Åke", "Ära", "Öberg"]


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("aino", "A"),
        ("Émile", "E"),
        ("Åke", "Å"),
        ("öberg", "Ö"),
        ("محمد", "م"),
        ("7up", OTHER),
        ("{x", OTHER),
    ],
)
def test_initial_is_the_letter_that_a_name_is_looked_up_by(name: str, letter: str) -> None:
    assert initial(name) == letter
