"""Rows that the actions wrote agree with the ledger, in whatever order they come."""

from uuid import uuid4

import pytest

from tests.support.factories import add_stage, event, running_match, running_session
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Incident

pytestmark = pytest.mark.django_db


def test_a_planned_final_without_target_and_players_is_no_finding() -> None:
    made = add_stage(event("tite-2022", 1), "final", start=False)
    assert verify(made.tournament) == []


@pytest.mark.parametrize("ruleset", ["mattel-108", "kpgut-2016"])
def test_players_who_go_before_and_after_a_new_seating_are_no_finding(ruleset: str) -> None:
    made = running_session(players=2) if ruleset == "kpgut-2016" else running_match(players=2)
    gone, stays = made.uids
    late = [uuid4(), uuid4()]
    made.act(actions.enter_players, players=[{"entry": uid, "name": "Late"} for uid in late])
    made.act(actions.remove_player, entry=gone, reason="disturbed")
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=[*late, stays])
    made.act(actions.remove_player, entry=late[0], reason="disturbed")
    assert verify(made.refresh().tournament) == []


def test_a_table_without_play_may_go_though_a_player_of_it_was_removed() -> None:
    made = running_match(players=6, tables=2)
    goes, stays = ([seat.entry.uid for seat in table.seats.all()] for table in made.tables)
    for removed in (goes[0], stays[0]):
        made.act(actions.remove_player, entry=removed, reason="disturbed")
    made.act(
        actions.seat_stage, stage=made.stage.uid, tables=[{"number": 2, "entries": stays[1:] + goes[1:]}]
    )
    tables = Incident.objects.values_list("entry__uid", "table__number")
    assert dict(tables) == {goes[0]: None, stays[0]: 2}
    assert verify(made.refresh().tournament) == []
