"""What stands beside the standings."""

from fractions import Fraction

import pytest

from tournament.files.results_file.facts import fee_amount, fees_text


@pytest.mark.parametrize(
    ("fee", "players", "said"),
    [
        ("5 €", 25, "125 €"),
        ("2,50 e", 3, "7,50 e"),
        ("€2.50", 4, "€10"),
        ("10 € (students 5 €)", 3, ""),
        ("free", 3, ""),
        ("", 3, ""),
    ],
)
def test_fees_are_added_up_where_the_fee_is_one_number(fee: str, players: int, said: str) -> None:
    assert fees_text(fee, players) == said


@pytest.mark.parametrize(
    ("fee", "found"),
    [
        ("4,50 €", (Fraction(9, 2), "€")),
        ("5", (5, "")),
        ("10 € (students 5 €)", (None, "")),
        ("free", (None, "")),
    ],
)
def test_a_fee_of_one_number_is_a_number_with_a_unit(
    fee: str, found: tuple[int | Fraction | None, str]
) -> None:
    assert fee_amount(fee) == found
