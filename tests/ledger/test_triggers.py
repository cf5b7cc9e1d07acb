"""The ledger is append-only: both databases refuse everybody who would change or delete its rows."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from tests.support.factories import event
from tournament.ledger import triggers
from tournament.models import LedgerRow

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def sql(statement: str) -> Callable[[], Any]:
    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    return run


def first() -> LedgerRow:
    return LedgerRow.objects.all()[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda: LedgerRow.objects.update(action="nothing"),
        lambda: LedgerRow.objects.all().delete(),
        lambda: first().save(),
        lambda: first().delete(),
        sql("UPDATE tournament_ledgerrow SET digest = 'x'"),
        sql("DELETE FROM tournament_ledgerrow WHERE sequence = 1"),
    ],
    ids=["update", "delete", "save", "delete one", "SQL update", "SQL delete"],
)
def test_a_ledger_row_cannot_be_changed_or_deleted(change: Callable[[], Any]) -> None:
    event(players=1)
    before = list(LedgerRow.objects.values())
    with pytest.raises(DatabaseError, match=triggers.WORDS), transaction.atomic():
        change()
    assert list(LedgerRow.objects.values()) == before


def test_triggers_are_there_until_they_are_dropped() -> None:
    assert triggers.present(connection)
    triggers.create(connection)
    assert triggers.present(connection)
    triggers.drop(connection)
    assert not triggers.present(connection)
    triggers.drop(connection)
    triggers.create(connection)
    assert triggers.present(connection)
