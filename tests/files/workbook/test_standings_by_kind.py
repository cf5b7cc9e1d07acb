"""A contest's decisions on the first sheet."""

from collections.abc import Callable

import pytest

from tests.files.workbook.conftest import Opened, recorded_game
from tests.support.factories import (
    running_session,
)
from tournament import actions

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]


def test_a_finished_session_names_its_winner_and_loser(opened: Open) -> None:
    made = running_session(players=2)
    a, b = made.uids
    recorded_game(
        made,
        {"entry": a, "outcome": "remaining", "hand": {"7": 1}},
        {"entry": b, "outcome": "remaining", "hand": {"7": 1, "draw2": 2}},
        ended="time",
    )
    made.act(actions.finish_stage, stage=made.stage.uid)
    facts = opened(made).facts()
    assert (facts["Session: winner"], facts["Session: loser"]) == ("Aino", "Börje")
