"""The database itself refuses impossible invites and ticks of the checklist, whoever writes them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.support.factories import Event
from tournament.models import (
    Invite,
    Tick,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


NEVER: dict[str, Callable[[Event], Any]] = {
    "an invite to no role": lambda made: Invite.objects.create(
        tournament=made.tournament, role="king", expires_at=timezone.now()
    ),
    "one point ticked twice": lambda made: [
        Tick.objects.create(tournament=made.tournament, item="decks", at=timezone.now(), by=made.user)
        for _ in range(2)
    ],
}


@pytest.mark.parametrize("what", NEVER)
def test_what_must_never_be_is_refused(made: Event, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NEVER[what](made)
