"""A tournament as it was after any row of its ledger."""

import pytest
from cachetools import LRUCache
from django.db import transaction

from tests.support.factories import Event, recorded_round, running_match
from tournament.ledger import past
from tournament.ledger.past import Past, past_of
from tournament.models import LedgerRow

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def after(made: Event, sequence: int) -> Past:
    return past_of(made.tournament, sequence)


def test_a_past_that_goes_on_from_another_is_as_one_folded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_match()
    recorded_round(made)
    early = LedgerRow.objects.filter(tournament=made.tournament).count()
    recorded_round(made)
    monkeypatch.setattr(past, "_kept", LRUCache(1))
    anew = {sequence: after(made, sequence) for sequence in range(early + 1, 0, -1)}
    monkeypatch.setattr(past, "_kept", LRUCache(past.CACHED_PASTS))
    for sequence in range(1, early + 2):
        assert after(made, sequence) == anew[sequence]
    first, then = after(made, early), after(made, early + 1)
    assert len(then.facts["play"]) == len(first.facts["play"]) + 1
    assert all(then.facts["play"][uid] is row for uid, row in first.facts["play"].items())


def test_a_past_does_not_go_on_from_what_a_restored_backup_took_away() -> None:
    made = running_match()
    with transaction.atomic():
        lost = recorded_round(made)
        number = LedgerRow.objects.filter(tournament=made.tournament).count()
        assert str(lost) in after(made, number).facts["play"]
        transaction.set_rollback(True)
    recorded_round(made)
    recorded_round(made)
    assert str(lost) not in after(made, number + 1).facts["play"]


def test_there_is_no_past_after_a_row_that_is_not_there() -> None:
    made = running_match()
    with pytest.raises(LedgerRow.DoesNotExist):
        after(made, 1_000)
