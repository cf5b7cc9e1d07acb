"""Calls of a referee to a table: one at a time, answered or taken back."""

from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import (
    recorded_round,
    running_match,
)
from tests.support.incidents import by
from tournament import actions
from tournament.models import Call, Membership
from tournament.results.faults import Forbidden

pytestmark = pytest.mark.django_db


def test_a_call_is_open_once_until_somebody_comes() -> None:
    made = running_match(4, tables=2)
    made.act(actions.call_referee, table=made.table.uid)
    assert refusal(made, actions.call_referee, table=made.table.uid) == [("called_already", "/table")]
    call = Call.objects.get()
    with pytest.raises(Forbidden):
        by(made.referee(Membership.Role.TABLE_REFEREE, made.table), actions.answer_call, made, call=call.uid)
    head = made.referee()
    by(head, actions.answer_call, made, call=call.uid)
    call.refresh_from_db()
    assert call.answered_by == head
    for action in (actions.answer_call, actions.take_back_call):
        assert refusal(made, action, call=call.uid) == [("answered_already", "/call")]
    made.act(actions.call_referee, table=made.table.uid)
    made.act(actions.call_referee, table=made.tables[1].uid)
    made.act(actions.take_back_call, call=Call.objects.get(answered_at=None, table=made.table).uid)
    assert list(Call.objects.order_by("pk").values_list("table", "answered_by")) == [
        (made.table.pk, head.pk),
        (made.tables[1].pk, None),
    ]
    assert refusal(made, actions.take_back_call, call=uuid4()) == [("unknown_call", "/call")]
    call = Call.objects.get(table=made.tables[1])
    for action in (actions.answer_call, actions.take_back_call):
        assert refusal(running_match(2), action, call=call.uid) == [("unknown_call", "/call")]
    recorded_round(made)
    assert agrees(made)


def test_a_table_referee_comes_where_a_result_is_contested_and_a_head_referee_to_help() -> None:
    made = running_match(4)
    play = recorded_round(made)
    made.act(actions.ask_second_look_at, play=play)
    made.act(actions.contest_play, play=play, version=made.play(play).version)
    made.act(actions.call_referee, table=made.table.uid)
    contest, help_ = Call.objects.order_by("pk")
    user = made.referee(Membership.Role.TABLE_REFEREE, made.table)
    by(user, actions.answer_call, made, call=contest.uid)
    with pytest.raises(Forbidden):
        by(user, actions.answer_call, made, call=help_.uid)
    contest.refresh_from_db()
    assert contest.answered_by == user
