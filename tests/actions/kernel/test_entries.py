"""The waiting list: who gets a place that became free."""

import pytest

from tests.support.arriving import opened, own, registered
from tests.support.asking_actions import agree, state_of
from tests.support.factories import add_stage, event
from tournament import actions
from tournament.models import Entry

pytestmark = pytest.mark.django_db


def test_over_the_limit_one_waits_and_moves_up_when_a_place_is_free() -> None:
    made = opened(most=2)
    first, second, third, fourth = (registered(made, name) for name in "ABCD")
    assert [state_of(uid) for uid in (first, second, third, fourth)] == ["registered"] * 2 + ["waiting"] * 2
    own(made, actions.cancel_self, first)
    assert [state_of(uid) for uid in (first, third, fourth)] == ["cancelled", "registered", "waiting"]
    made.act(actions.player_leaves, entry=second)
    assert state_of(fourth) == "registered"
    assert agree(made)


def test_each_event_has_places_and_a_waiting_list_of_its_own() -> None:
    full, made = opened(most=1), opened(most=3)
    first, waits = registered(full, "A"), registered(full, "B")
    assert [state_of(uid) for uid in (first, waits)] == ["registered", "waiting"]
    assert state_of(registered(made, "A")) == "registered"
    opened(made, most=9)
    opened(made)
    assert state_of(waits) == "waiting"
    own(full, actions.cancel_self, first)
    assert state_of(waits) == "registered"
    assert agree(full)
    assert agree(made)


def test_who_comes_back_to_a_full_event_is_last_on_the_list() -> None:
    made = opened(most=1)
    first, second, third = (registered(made, name) for name in "ABC")
    own(made, actions.cancel_self, first)
    own(made, actions.come_back_self, first)
    assert [state_of(uid) for uid in (first, second, third)] == ["waiting", "registered", "waiting"]
    assert Entry.objects.get(uid=first).start_number == 4
    own(made, actions.cancel_self, second)
    assert [state_of(uid) for uid in (first, third)] == ["waiting", "registered"]
    assert agree(made)


def test_raising_the_limit_moves_up_as_many_as_fit_and_lowering_it_takes_no_place() -> None:
    made = opened(most=1)
    people = [registered(made, name) for name in "ABCD"]
    opened(made, most=3)
    assert [state_of(uid) for uid in people] == ["registered"] * 3 + ["waiting"]
    opened(made, most=1)
    assert [state_of(uid) for uid in people] == ["registered"] * 3 + ["waiting"]
    own(made, actions.cancel_self, people[0])
    assert state_of(people[3]) == "waiting"
    opened(made)
    assert state_of(people[3]) == "registered"


def test_nobody_moves_up_by_themselves_once_play_began() -> None:
    made = add_stage(event("kpgut-2016", 3), "session", start=False)
    opened(made, most=3)
    waits = registered(made, "Late")
    made.act(actions.start_stage, stage=made.stage.uid)
    made.act(actions.player_leaves, entry=made.uids[0])
    assert state_of(waits) == "waiting"
    assert state_of(registered(made, "Later")) == "waiting"  # nobody passes who waits
    opened(made, most=9)
    assert state_of(waits) == "registered"


def test_nobody_moves_up_in_an_event_that_is_over() -> None:
    made = add_stage(event("kpgut-2016", 3), "session")
    opened(made, most=3)
    late = registered(made, "Late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    opened(made, most=9)
    assert state_of(late) == "waiting"
