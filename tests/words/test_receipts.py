"""A receipt says what was stored."""

from uuid import uuid4

import pytest

from tests.support.factories import event
from tournament import actions
from tournament.models import LedgerRow
from tournament.permissions import ACTIONS
from tournament.words.receipts import COUNTED, saved_text

pytestmark = pytest.mark.django_db


def test_what_many_were_is_counted() -> None:
    made = event("tite-2022", 2)
    players = [{"entry": uuid4(), "name": name} for name in ("Åsa", "Bo", "Cy")]
    receipt = made.act(actions.enter_players, players=players)
    row = LedgerRow.objects.get(tournament=made.tournament, sequence=receipt.sequence)
    assert saved_text(row) == "3 players entered"


def test_one_thing_is_said_as_the_ledger_says_it() -> None:
    made = event("tite-2022", 2)
    receipt = made.act(actions.set_decks, decks=4)
    row = LedgerRow.objects.get(tournament=made.tournament, sequence=receipt.sequence)
    assert saved_text(row) == f"{made.user.display_name()} counted the decks"


def test_only_actions_are_counted() -> None:
    assert set(COUNTED) <= set(ACTIONS)
