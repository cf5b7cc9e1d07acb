"""The standings of a stage in the workbook."""

from collections.abc import Callable

import pytest

from tests.files.workbook.conftest import Opened, recorded_game
from tests.support.factories import (
    recorded_round,
    running_match,
    running_session,
)
from tournament import actions

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]


def test_a_session_shows_averages_as_numbers_and_exactly(opened: Open) -> None:
    made = running_session(players=3)
    a, b, c = made.uids
    recorded_game(
        made,
        {"entry": a, "outcome": "out", "elapsed_s": 610},
        {"entry": b, "outcome": "out", "elapsed_s": 725},
        {"entry": c, "outcome": "last"},
    )
    for _ in range(2):
        recorded_game(
            made,
            {"entry": b, "outcome": "out", "elapsed_s": 300},
            {"entry": a, "outcome": "out", "elapsed_s": 420},
            {"entry": c, "outcome": "last"},
        )
    book = opened(made)
    assert book.titles == [
        "Event", "Standings", "Games", "Hands", "Cards", "Settings", "Average over games",
        "Chart values", "Rulings used", "Players",
    ]  # fmt: skip
    assert [tuple(row.values())[:9] for row in book.rows("Standings")] == [
        (1, "Börje", None, 2, 22, 3, pytest.approx(22 / 3), "ranked", "22/3"),
        (2, "Aino", None, 1, 24, 3, 8, "ranked", "8"),
        (3, "Cécile", None, 3, 26, 3, pytest.approx(26 / 3), "ranked", "26/3"),
    ]
    average = book.sheet("Standings")["G2"]
    assert (average.data_type, average.number_format) == ("n", "0.00")
    assert book.facts()["Session: leads"] == "Börje"


def test_each_table_of_a_match_stage_has_its_standings(opened: Open) -> None:
    made = running_match(players=4, tables=2)
    recorded_round(made)
    rows = opened(made).rows("Standings")
    assert [(row["Table"], row["Place"], row["Player"]) for row in rows] == [
        (1, 1, "Aino"),
        (1, 2, "Cécile"),
        (2, None, "Börje"),
        (2, None, "Dima"),
    ]


def test_a_player_who_was_removed_has_no_place(opened: Open) -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.remove_player, entry=made.uids[0], reason="disturbed the event")
    book = opened(made)
    last = book.rows("Standings")[-1]
    assert (last["Place"], last["Player"], last["Status"]) == (None, "Aino", "disqualified")
    assert book.rows("Players")[0]["State"] == "disqualified"


def test_the_first_places_that_were_played_for_have_the_colours_of_medals(opened: Open) -> None:
    made = running_match(players=4)
    recorded_round(made)
    sheet = opened(made).sheet("Standings")
    found = {
        str(each.sqref): [rule.formula[0] for rule in each.rules] for each in sheet.conditional_formatting
    }
    [medals] = [area for area, formulas in found.items() if formulas == ["$B2=1", "$B2=2", "$B2=3"]]
    assert medals.startswith("A2:")
    assert medals.endswith("2")  # the others have neither points nor a round
