"""Seatings that are impossible as asked, and those that could be."""

from collections.abc import Callable

import pytest

from tournament.seating import Impossible, levels, plan_tables
from tournament.words.seating import impossible_text, tables_text, way_text


def refusal(asked: Callable[[], object]) -> Impossible:
    with pytest.raises(Impossible) as refused:
        asked()
    return refused.value


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        ((1, 6, 6), "1 table of 6"),
        ((10, 6, 6), "10 tables of 6"),
        ((7, 8, 9), "7 tables of 8 or 9"),
    ],
)
def test_tables_are_said_with_their_sizes(sizes: tuple[int, int, int], text: str) -> None:
    assert tables_text(sizes[0], smallest=sizes[1], largest=sizes[2]) == text
    way = dict(zip(("more", "more_smallest", "more_largest"), sizes, strict=True))
    assert way_text(way, "more") == text


CASES: list[tuple[Callable[[], object], str]] = [
    (
        lambda: plan_tables(1, least=2, most=6),
        "1 player is too few. At least 2 are needed.",
    ),
    (
        lambda: plan_tables(9, least=7, most=6),
        "The minimum at a table, 7, is more than the maximum, 6.",
    ),
    (
        lambda: plan_tables(9, least=2, most=6, tables=0),
        "No table is left for anyone to sit at. If there are enough tables, leave the number of tables empty.",
    ),
    (
        lambda: plan_tables(13, least=2, most=6, tables=2),
        "13 players with at most 6 at a table need more than 2 tables. Possible: 2 tables of 6 or 7 or 3 tables of "
        "4 or 5.",
    ),
    (
        lambda: plan_tables(13, least=3, most=6, tables=5),
        "5 tables are too many for 13 players with at least 3 at each. Possible: 4 tables of 3 or 4 or 5 tables of "
        "2 or 3.",
    ),
    (
        lambda: plan_tables(7, least=5, most=6),
        "7 players cannot be divided into tables of 5 to 6. Possible: 1 table of 7 or 2 tables of 3 or 4.",
    ),
    (
        lambda: levels(12, most=6, advance=6, final_most=6),
        "Stage 1: fewer than 6 can go through from a table of 6, not 6.",
    ),
    (
        lambda: levels(12, most=6, final_most=2, final_least=3),
        "The final has 2 places, but it needs at least 3.",
    ),
]


@pytest.mark.parametrize(("asked", "said"), CASES, ids=[said[:30] for _, said in CASES])
def test_what_cannot_be_is_said_with_what_could(asked: Callable[[], object], said: str) -> None:
    assert impossible_text(refusal(asked)) == said


def test_tables_that_have_begun_are_told_apart() -> None:
    asked = {"players": 9, "most": 6, "have": 3, "begun": 2}
    said = "need more than 3 tables. Play has begun at 2 of them."
    more = {"more": 2, "more_smallest": 4, "more_largest": 5}
    text = impossible_text(Impossible("too_few_tables", asked | more))
    possible = "Possible for these players: 2 tables of 4 or 5."
    assert text == f"The other 9 players, at most 6 at a table, {said} {possible}"


def test_pairs_are_named_in_the_order_of_the_alphabet() -> None:
    refused = Impossible("cannot_keep_apart", {"pairs": 2}, [("b", "a"), ("a", "x")])
    assert impossible_text(refused, {"a": "Aino", "b": "Börje"}) == (
        "These pairs cannot all be kept apart: Aino – Börje and Aino – x. Use more tables, or leave "
        "out one of them."
    )
