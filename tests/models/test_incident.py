"""The database itself refuses impossible incidents, whoever writes them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.support.factories import Event
from tournament.models import (
    Incident,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def incident(made: Event, **more: Any) -> Incident:
    return Incident.objects.create(tournament=made.tournament, at=timezone.now(), by=made.user, **more)


NEVER: dict[str, Callable[[Event], Any]] = {
    "an incident of no kind": lambda made: incident(made, kind="party"),
    "an incident decided by nobody": lambda made: incident(made, kind="dispute", decided="dice"),
}


@pytest.mark.parametrize("what", NEVER)
def test_what_must_never_be_is_refused(made: Event, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NEVER[what](made)
