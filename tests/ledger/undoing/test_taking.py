"""Which rows are taken back, by whom, and until when."""

from datetime import timedelta
from typing import get_args
from uuid import uuid4

import pytest

from tests.support.asking_actions import refusal, state_of
from tests.support.factories import (
    event,
    recorded_round,
    running_match,
)
from tests.support.undoing import fault, last_row, planned, seated
from tournament import actions
from tournament.ledger.undoing import History, undoing_of
from tournament.models import (
    LedgerRow,
    Table,
)
from tournament.permissions import ACTIONS, Undo
from tournament.results.faults import Forbidden
from tournament.words.faults import WHY_NOT

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_every_action_is_undone_or_says_why_not() -> None:
    assert {declared.undo for declared in ACTIONS.values()} == {"ledger", *WHY_NOT}
    assert set(get_args(Undo)) == {"ledger", *WHY_NOT}


def test_there_is_no_such_row() -> None:
    made = event()
    assert refusal(made, actions.undo, row=99) == [("unknown_row", "/row")]
    assert refusal(made, actions.undo, row="1") == [("malformed", "/row")]


def test_after_a_day_it_is_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    at = LedgerRow.objects.get(tournament=made.tournament, sequence=row).at
    history = History(made.tournament)
    in_time = undoing_of(history, row, at + timedelta(hours=24))
    assert in_time
    assert in_time.fault is None
    too_late = undoing_of(history, row, at + timedelta(hours=24, seconds=1))
    assert too_late
    assert too_late.fault
    assert too_late.fault.code == "too_old"


def test_a_result_is_corrected_at_its_table() -> None:
    made = running_match(players=3)
    recorded_round(made)
    assert fault(made, last_row(made)) == {"code": "cannot_be_undone", "why": "at_table"}


def test_the_event_itself_is_not_undone() -> None:
    assert fault(event(), 1) == {"code": "cannot_be_undone", "why": "whole_event"}


def test_who_may_not_do_it_may_not_undo_it() -> None:
    made = planned()
    head = made.referee("head_referee")
    row = made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made)).sequence
    checked = made.act(actions.check_in, entries=made.uids).sequence
    with pytest.raises(Forbidden):
        actions.undo(actions.Command(uuid4(), head), made.tournament.uid, row=row)
    actions.undo(actions.Command(uuid4(), head), made.tournament.uid, row=checked)
    assert state_of(made.uids[0]) == "registered"
    at_table = made.referee("table_referee", Table.objects.first())
    with pytest.raises(Forbidden):
        actions.undo(actions.Command(uuid4(), at_table), made.tournament.uid, row=row)
