"""Promises of tests/conftest.py to transactional tests."""

import pytest
from django.db import DatabaseError, connection

from tests.support.factories import event
from tournament.ledger import triggers
from tournament.models import LedgerRow

pytestmark = pytest.mark.both


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", [1, 2])
def test_transactional_test_finds_the_ledger_empty_and_guarded(turn: int) -> None:
    assert not LedgerRow.objects.exists()
    assert triggers.present(connection)
    event(players=2)
    assert LedgerRow.objects.exists()
    with pytest.raises(DatabaseError, match="append-only"):
        LedgerRow.objects.all().delete()
