"""Places: 1 + how many are strictly better."""

from fractions import Fraction

import pytest

from scoring.hands import places


@pytest.mark.parametrize(
    ("ranks", "found"),
    [
        ([], []),
        ([3, 1, 2], [3, 1, 2]),
        ([1, 1, 0], [2, 2, 1]),
        ([Fraction(1, 2), Fraction(1, 3), Fraction(2, 4)], [2, 1, 2]),
        ([(1, 0), (0, 5)], [2, 1]),
    ],
)
def test_places_are_one_more_than_how_many_are_better(ranks: list[Fraction], found: list[int]) -> None:
    assert places(ranks) == found
