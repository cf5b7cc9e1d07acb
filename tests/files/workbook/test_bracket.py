"""The sheet of the bracket."""

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


def test_who_steps_back_or_is_in_reserve_does_not_go_through(opened: Open) -> None:
    made = running_heats(players=6, tables=2, advance=1)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final)
    aino, dima, cecile = (made.uids[player] for player in (0, 3, 2))
    made.act(actions.swap_finalist, stage=final, out=aino, enters=cecile, reason="ill")
    made.act(actions.name_reserves, stage=final, entries=[dima], reason="by lot")
    through = {row["Player"]: row["Goes through"] for row in opened(made).rows("1 Heats")}
    assert through == {
        "Aino": "no, by decision",
        "Cécile": "by decision",
        "Eeva": None,
        "Börje": "yes",
        "Dima": None,
        "Fatima": None,
    }
    assert {
        row["Player"]: (row["Through to"], row["Why"], row["Seat"]) for row in opened(made).rows("Bracket")
    } == {
        "Aino": (None, "stands down, by decision", None),
        "Cécile": ("Final", "by decision", None),
        "Börje": ("Final", "through from the heat", None),
        "Dima": (None, "reserve (1)", None),
    }
    assert opened(made).facts()["Heats: goes through"] == "Börje, Cécile"
