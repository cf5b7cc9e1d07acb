"""What stands beside the standings."""

import pytest

from tournament.files.results_file.facts import fees_text


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
