"""The database itself refuses impossible messages to webhooks, whoever writes them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.support.factories import Event
from tournament.models import (
    Delivery,
    Webhook,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def webhook(made: Event) -> Webhook:
    return Webhook.objects.create(
        tournament=made.tournament, address="https://board.example/", cursor=0, made_at=timezone.now()
    )


def delivery(made: Event, hook: Webhook) -> Delivery:
    at = timezone.now()
    return Delivery.objects.create(
        webhook=hook, kind="results", sequence=1, subject=made.stage.uid, made_at=at, due_at=at
    )


NEVER: dict[str, Callable[[Event], Any]] = {
    "one message twice": lambda made: [delivery(made, hook) for hook in [webhook(made)] for _ in range(2)],
}


@pytest.mark.parametrize("what", NEVER)
def test_what_must_never_be_is_refused(made: Event, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NEVER[what](made)
