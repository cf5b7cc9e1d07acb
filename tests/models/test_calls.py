"""The database itself refuses impossible calls of a referee and proposed results, whoever writes them."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.support.factories import Event
from tournament.models import (
    Call,
    Proposal,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def call(made: Event, **more: Any) -> Call:
    return Call.objects.create(table=made.table, at=timezone.now(), **more)


def proposal(made: Event, **more: Any) -> Proposal:
    return Proposal.objects.create(table=made.table, number=3, play=uuid4(), at=timezone.now(), **more)


NEVER: dict[str, Callable[[Event], Any]] = {
    "two open calls of one kind at a table": lambda made: [call(made) for _ in range(2)],
    "a call of no kind": lambda made: call(made, kind="wave"),
    "a call answered by nobody": lambda made: call(made, answered_at=timezone.now()),
    "a call answered at no time": lambda made: call(made, answered_by=made.user),
    "two results that wait at a table": lambda made: [proposal(made) for _ in range(2)],
    "a proposed result in no state": lambda made: proposal(made, state="lost"),
}


@pytest.mark.parametrize("what", NEVER)
def test_what_must_never_be_is_refused(made: Event, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NEVER[what](made)
