"""How far each stage is, and what the event waits for next."""

import pytest

from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament.pages.organiser.stages import StageView, stage_views

pytestmark = pytest.mark.django_db


def views(made: Event) -> list[StageView]:
    made.refresh()
    return stage_views(made.tournament)


def test_how_far_it_is() -> None:
    made = running_heats(players=9, tables=3)
    recorded_heat(made)
    assert views(made)[0].summary == "1 of 3 heats done, 2 to go"
    made = running_match(players=9, tables=3)
    recorded_round(made)
    assert views(made)[0].summary == "0 of 3 matches over, 1 running, 2 to start"
    made = running_session(players=8, tables=2)
    started_game(made)
    assert views(made)[0].summary == "0 games played, 1 running, 1 between games"
    made = add_stage(event("tite-2022", 8), "heats", tables=2, start=False)
    assert views(made)[0].summary == "2 tables, 8 players seated"
