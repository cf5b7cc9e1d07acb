"""The database itself refuses an impossible event, entry or role, whoever writes it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.models.conftest import again
from tests.support.factories import Event, UserFactory
from tournament.models import (
    Apart,
    Entry,
    Membership,
    Tournament,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


NEVER: dict[str, Callable[[Event], Any]] = {
    "two entries of one player": again(Entry, "start_number"),
    "two entries of one start number": lambda _: Entry.objects.filter(start_number=2).update(start_number=1),
    "an entry in no state": lambda _: Entry.objects.update(state="lost"),
    "a tournament in no state": lambda _: Tournament.objects.update(state="lost"),
    "two tournaments of one address": again(Tournament),
    "one role twice": again(Membership),
    "one role at a table twice": lambda made: [
        Membership.objects.create(
            tournament=made.tournament, user=made.user, role="table_referee", table=made.table
        )
        for _ in range(2)
    ],
    "a head referee of one table": lambda made: Membership.objects.create(
        tournament=made.tournament, user=UserFactory(), role="head_referee", table=made.table
    ),
    "one pair kept apart twice": lambda made: [
        Apart.objects.create(tournament=made.tournament, first=made.entries[0], second=made.entries[1])
        for _ in range(2)
    ],
    "a player kept apart from themselves": lambda made: Apart.objects.create(
        tournament=made.tournament, first=made.entries[0], second=made.entries[0]
    ),
}


@pytest.mark.parametrize("what", NEVER)
def test_what_must_never_be_is_refused(made: Event, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NEVER[what](made)
