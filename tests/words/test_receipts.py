"""A receipt says what was stored."""

from uuid import uuid4

import pytest

from tests.support.factories import event
from tournament import actions
from tournament.models import LedgerRow
from tournament.permissions import ACTIONS
from tournament.words.seating import COUNTED, saved_text

pytestmark = pytest.mark.django_db


def test_what_many_were_is_counted() -> None:
    made = event("tite-2022", 2)
    players = [{"entry": uuid4(), "name": name} for name in ("Åsa", "Bo", "Cy")]
    receipt = made.act(actions.enter_players, players=players)
    row = LedgerRow.objects.get(tournament=made.tournament, sequence=receipt.sequence)
    assert saved_text(row) == "3 players entered"


def test_a_table_that_was_closed_is_not_counted() -> None:
    made = event("tite-2022", 6)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind="heats")
    three = [{"number": number, "entries": made.uids[number * 2 - 2 : number * 2]} for number in (1, 2, 3)]
    two = [{"number": number, "entries": made.uids[number * 3 - 3 : number * 3]} for number in (1, 2)]
    for tables, text in ((three, "Seats saved at 3 tables"), (two, "Seats saved at 2 tables")):
        receipt = made.act(actions.seat_stage, stage=stage, tables=tables)
        row = LedgerRow.objects.get(tournament=made.tournament, sequence=receipt.sequence)
        assert saved_text(row) == text


def test_one_thing_is_said_as_the_ledger_says_it() -> None:
    made = event("tite-2022", 2)
    receipt = made.act(actions.set_decks, decks=4)
    row = LedgerRow.objects.get(tournament=made.tournament, sequence=receipt.sequence)
    assert saved_text(row) == f"{made.user.display_name()} counted the decks"


def test_only_actions_are_counted() -> None:
    assert set(COUNTED) <= set(ACTIONS)
