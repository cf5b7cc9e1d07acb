"""Events that are built once are the same again, and only where the database holds nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from tests.support import built
from tests.support.factories import UserFactory, event, recorded_round, running_match
from tournament.actions.kernel import work
from tournament.ledger.verify import verify
from tournament.models import LedgerRow, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture(autouse=True)
def _nothing_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "_built", {})


@contextmanager
def as_a_test() -> Iterator[None]:
    """What is written inside is taken back, as after a test."""
    built.forget_events()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def ledger() -> list[tuple[object, ...]]:
    return list(LedgerRow.objects.order_by("pk").values_list("pk", "digest", "at", "actor__username"))


def test_an_event_is_the_same_again() -> None:
    with as_a_test():
        first = running_match(players=3)
        referee, written = first.referee(), ledger()
    assert not Tournament.objects.exists()
    with as_a_test():
        second = running_match(players=3)
        assert second.referee() == referee
        assert ledger() == written
        assert (second.uids, second.table) == (first.uids, first.table)
        assert second.table is not first.table
        recorded_round(second)
        assert verify(second.refresh().tournament) == []


def test_two_events_of_a_test_differ_and_are_the_same_again() -> None:
    uids = []
    for _ in range(2):
        with as_a_test():
            uids.append([event(players=2).uids, event(players=2).uids])
    one, other = uids
    assert one == other
    assert one[0] != one[1]


@pytest.mark.parametrize("what", ["a row more", "another clock", "another argument", "a minute later"])
def test_an_event_is_built_anew_where_anything_differs(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with as_a_test():
        event(players=2)
        before = ledger()
    with as_a_test():
        if what == "a row more":
            UserFactory()
        elif what == "another clock":
            monkeypatch.setattr(work, "now", lambda: timezone.now() + timedelta(days=1))
        elif what == "a minute later":
            monkeypatch.setattr(built, "NEW_S", 0)
        event(players=2, listed=what != "another argument")
        assert ledger() != before
