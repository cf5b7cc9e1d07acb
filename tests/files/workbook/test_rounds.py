"""The sheet of rounds."""

from collections.abc import Callable

import pytest

from tests.files.workbook.conftest import Opened, held
from tests.support.factories import (
    recorded_round,
    running_match,
)
from tournament import actions

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]


def test_void_rounds_are_listed_without_points_and_do_not_count(opened: Open) -> None:
    made = running_match(players=3)
    void = recorded_round(made)
    recorded_round(made, winner=made.uids[1])
    made.act(actions.void_play, play=void, version=made.play(void).version, reason="wrong table")
    book = opened(made)
    rounds = [(row["Round"], row["State"], row["Player"], row["Points"]) for row in book.rows("Rounds")]
    assert rounds == [
        (1, "void", "Aino", None),
        (1, "void", "Börje", None),
        (1, "void", "Cécile", None),
        (2, "entered", "Aino", 0),
        (2, "entered", "Börje", 14),
        (2, "entered", "Cécile", 0),
    ]
    assert [(row["State"], *hand) for row, hand in zip(book.rows("Hands"), held(book), strict=True)] == [
        ("void", "Aino", {}),
        ("void", "Börje", {"7": 1}),
        ("void", "Cécile", {"7": 1}),
        ("entered", "Aino", {"7": 1}),
        ("entered", "Börje", {}),
        ("entered", "Cécile", {"7": 1}),
    ]
    standings = [
        (row["Place"], row["Player"], row["Points"], row["Rounds won"]) for row in book.rows("Standings")
    ]
    assert standings == [(1, "Börje", 14, 1), (2, "Aino", 0, 0), (2, "Cécile", 0, 0)]


def test_rounds_that_a_correction_made_impossible_are_set_aside(opened: Open) -> None:
    made = running_match(players=2, target=100)
    a, b = made.uids
    first = recorded_round(made, winner=a)
    recorded_round(made, winner=b)
    made.act(
        actions.correct_round,
        play=first,
        version=made.play(first).version,
        reason="counted again",
        winner=a,
        hands={str(b): {"wild": 2, "0": 1}},
        last_cards={"draw2": 1},
        drew=b,
    )
    book = opened(made)
    rows = book.rows("Rounds")
    assert [(row["Round"], row["State"], row["Player"], row["Points"]) for row in rows] == [
        (1, "entered", "Aino", 100),
        (1, "entered", "Börje", 0),
        (2, "on hold", "Aino", None),
        (2, "on hold", "Börje", None),
    ]
    assert (rows[0]["Last cards played"], rows[1]["Drew for the last cards"]) == ("1 × Draw 2", "yes")
    assert book.facts()["Match: winner"] == "Aino"
    assert book.facts()["Match: target"] == 100
