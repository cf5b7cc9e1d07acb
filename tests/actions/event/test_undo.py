"""Undo: a row of the ledger is taken back, as long as nobody built on it; nothing is lost, and the ledger agrees."""

from uuid import uuid4

import pytest

from tests.support.factories import (
    add_stage,
    event,
)
from tests.support.undoing import agrees, facts, fault, undo
from tournament import actions
from tournament.models import (
    LedgerNote,
    Player,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


# ---- which ----


# ---- what is deleted by it ----


def test_players_entered_by_mistake_are_gone_with_what_was_known_of_them() -> None:
    made = event(players=2)
    Player.objects.create(name="Known", organiser=made.tournament.organiser)
    before = facts(made)
    rows = [{"entry": uuid4(), "name": f"Mistake {n}", "contact": "0401"} for n in range(60)]
    made.act(actions.enter_players, players=rows)
    back = undo(made)
    assert facts(made) == before
    assert set(Player.objects.values_list("name", flat=True)) == {"Aino", "Börje", "Known"}
    assert agrees(made)
    assert fault(made, back) == {"code": "cannot_be_undone", "why": "names_gone"}


def test_a_player_of_earlier_events_stays_known() -> None:
    made = event(players=1)
    known = Player.objects.get()
    again = event(organiser=made.tournament.organiser.uid, organiser_name="", user=made.user)
    again.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Aino", "player": known.uid}])
    undo(again)
    assert Player.objects.get() == known


def test_walk_in_with_a_seat() -> None:
    made = add_stage(event("mattel-108", 4), "match", start=False)
    before = facts(made)
    made.act(actions.walk_in, entry=uuid4(), name="Late", table=made.table.uid)
    undo(made)
    assert facts(made) == before
    assert agrees(made)


# ---- refused ----


def test_an_undo_keeps_why() -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    back = made.act(actions.undo, row=row, reason="Not here yet").sequence
    assert LedgerNote.objects.get(row__sequence=back).text == "Not here yet"


def test_sent_twice_it_is_undone_once() -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    command = actions.Command(uuid4(), made.user)
    first = actions.undo(command, made.tournament.uid, row=row)
    second = actions.undo(command, made.tournament.uid, row=row)
    assert (second.sequence, second.replayed) == (first.sequence, True)
