"""The sheet of heats, and what follows from them."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from tests.files.workbook.conftest import Opened
from tests.support.factories import (
    recorded_heat,
    running_heats,
)
from tournament import actions

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]


def test_heats_and_final_are_sheets_of_their_own(opened: Open) -> None:
    made = running_heats(players=6, tables=2, advance=1)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", name="Final: [1/2]", settings={"target": 300})
    reserve = made.at(made.tables[0])[2]
    made.act(actions.fill_stage, stage=final, decided=[reserve], reason="best loser")
    made.act(actions.start_stage, stage=final)
    book = opened(made)
    assert book.titles == [
        "Event", "1 Heats", "2 Final 1 2", "Heats", "Settings", "Bracket", "Rulings used", "Players",
    ]  # fmt: skip
    assert [tuple(row.values())[:6] for row in book.rows("1 Heats")] == [
        (1, 1, "Aino", None, 1, "yes"),
        (1, None, "Cécile", None, 3, None),
        (1, None, "Eeva", None, 5, "by decision"),
        (2, 1, "Börje", None, 2, "yes"),
        (2, None, "Dima", None, 4, None),
        (2, None, "Fatima", None, 6, None),
    ]
    assert [(row["Heat"], row["Outcome"], row["Finishing order"]) for row in book.rows("Heats")][:2] == [
        (1, "out of cards", 1),
        (1, "playing", None),
    ]
    assert book.facts()["Heats: goes through"] == "Aino, Börje, Eeva"
    assert [row["Player"] for row in book.rows("2 Final 1 2")] == ["Aino", "Börje", "Eeva"]
    named_final = "Final: [1/2]"
    assert [tuple(row.values()) for row in book.rows("Bracket")] == [
        ("Heats", 1, 1, 1, "Aino", named_final, 1, "through from the heat", None),
        ("Heats", 1, None, 5, "Eeva", named_final, 1, "by decision", None),
        ("Heats", 2, 1, 2, "Börje", named_final, 1, "through from the heat", None),
    ]
    named = {row["Player"]: row for row in opened(made, made.user).rows("Bracket")}
    assert (named["Eeva"]["Decided by"], named["Eeva"]["Reason given"]) == (
        made.user.display_name(),
        "best loser",
    )
    assert (named["Aino"]["Decided by"], named["Aino"]["Reason given"]) == (None, None)
