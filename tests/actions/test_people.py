"""Players who leave before a stage began, and entries made by mistake."""

from uuid import uuid4

import pytest

from tests.factories import add_stage, event, recorded_heat, running_heats
from tournament import actions
from tournament.faults import Refused
from tournament.models import Decision, Entry

pytestmark = pytest.mark.django_db


def test_who_leaves_before_the_start_keeps_no_role_at_the_table() -> None:
    made = add_stage(event("kpgut-2016", 3), "session", start=False)
    oldest, youngest, starter = made.uids
    made.act(actions.name_roles, table=made.table.uid, oldest=oldest, youngest=youngest, starter=starter)
    made.act(actions.player_leaves, entry=oldest)
    table = made.refresh().table
    assert (table.oldest, table.youngest.uid, table.starter.uid) == (None, youngest, starter)
    made.act(actions.withdraw_entry, entry=oldest)
    assert not Entry.objects.filter(uid=oldest).exists()


def test_an_entry_that_a_decision_names_cannot_be_taken_out() -> None:
    made = running_heats(players=4, tables=1)
    recorded_heat(made)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final, decided=[made.uids[2]], reason="reserve")
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    made.act(actions.fill_stage, stage=final, decided=[late], reason="reserve")
    made.act(actions.player_leaves, entry=late)
    with pytest.raises(Refused) as refused:
        made.act(actions.withdraw_entry, entry=late)
    assert [fault.code for fault in refused.value.faults] == ["entry_in_use"]
    assert Decision.objects.get().entry.uid == late
