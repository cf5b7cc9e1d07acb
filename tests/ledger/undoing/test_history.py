"""The history of actions since a row: who took them, and which were taken back."""

import pytest

from tests.support.asking_actions import state_of
from tests.support.factories import (
    event,
    running_match,
)
from tests.support.undoing import fault, planned, seated, undo
from tournament import actions
from tournament.models import (
    Table,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_what_was_undone_is_not_undone_again() -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    back = undo(made, row)
    assert fault(made, row)["code"] == "already_undone"
    assert fault(made, row)["number"] == back


def test_undone_again_after_it_was_done_again() -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    undo(made, undo(made, row))
    undo(made, row)
    assert state_of(made.uids[0]) == "registered"


def test_whoever_changed_the_same_since_is_named() -> None:
    made = event(players=3)
    row = made.act(actions.check_in, entries=made.uids).sequence
    later = made.act(actions.player_leaves, entry=made.uids[1]).sequence
    said = fault(made, row)
    assert (said["code"], said["number"], said["did"]) == ("changed_since", later, "player_leaves")
    assert said["who"] == made.user.display_name()
    assert state_of(made.uids[0]) == "checked_in"


def test_what_was_undone_since_does_not_stand_in_the_way() -> None:
    made = planned()
    first = made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made)).sequence
    other = [{"number": 1, "entries": made.uids}]
    second = made.act(actions.seat_stage, stage=made.stage.uid, tables=other).sequence
    assert fault(made, first)["number"] == second
    undo(made, second)
    undo(made, first)
    assert not Table.objects.exists()


def test_an_undo_is_read_in_its_own_event_only() -> None:
    other = running_match(players=2)
    seen = other.refresh().stage.version
    made = running_match(players=2)
    made.act(actions.set_decks, decks=2)
    assert undo(made) != seen
    assert other.refresh().stage.version == seen
