"""Notifications for a player: the seat, a call at their table, the final place; nothing of a frozen stage."""

import pytest

from tests.support.factories import Event, add_stage, event, recorded_round, running_match
from tournament import actions
from tournament.models import Entry, Stage
from tournament.pages.public.player import Telling, player_page, tellings

pytestmark = pytest.mark.django_db


def told(made: Event, index: int = 0) -> list[Telling]:
    made.refresh()
    stages = list(Stage.objects.filter(tournament=made.tournament).order_by("number"))
    entry = Entry.objects.get(uid=made.uids[index])
    return list(tellings(made.tournament, player_page(made.tournament, stages, entry)))


def test_a_seat_is_told_and_told_again_once_play_begins() -> None:
    made = add_stage(event("mattel-108", 3), "match", start=False)
    (ready,) = told(made, 1)
    assert ready == Telling(
        slot=f"seat-{made.stage.uid}",
        value="1-2-planned",
        title="Your seat is ready. Table 1, seat 2",
        text=f"{made.stage}, {made.tournament.name}",
    )
    made.act(actions.start_stage, stage=made.stage.uid)
    (begun,) = told(made, 1)
    assert (begun.slot, begun.value) == (ready.slot, "1-2-running")
    assert begun.title == "Play begins. Table 1, seat 2"


def test_a_call_at_the_own_table_is_told_while_it_waits() -> None:
    made = running_match(players=6, tables=2)
    made.act(actions.call_referee, table=made.tables[0].uid)
    assert [each.title for each in told(made, 0)][1:] == ["Table 1 has called a referee"]
    assert len(told(made, 1)) == 1


def test_the_final_place_is_told_unless_the_stage_is_frozen() -> None:
    made = running_match(players=3, ruleset="tite-2022", target=250)
    recorded_round(made, made.uids[0])
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    (over,) = told(made)
    assert (over.slot, over.value) == (f"over-{made.stage.uid}", "1")
    made.act(actions.freeze_standings, stage=made.stage.uid)
    assert told(made) == []
