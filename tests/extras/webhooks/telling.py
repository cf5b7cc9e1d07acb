"""Webhooks of an event, what they were told, and tries of it, by the clock of the test."""

import hmac
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid4

from tests.support.factories import Event
from tournament.extras.webhooks.actions import add_webhook
from tournament.extras.webhooks.actions.deliveries import take_due, write_answer, write_what_is_due
from tournament.extras.webhooks.live import Answer
from tournament.models import Delivery

ROOT = Path(__file__).resolve().parents[3]
NOW = datetime(2026, 5, 9, 18, 0, tzinfo=UTC)


class NoLuck(Random):
    """Pauses as short as they get."""

    def random(self) -> float:
        return 0.0


def hooked(made: Event, address: str = "https://board.example/", kinds: list[str] | None = None) -> UUID:
    uid = uuid4()
    made.act(add_webhook, webhook=uid, address=address, kinds=kinds or ["results", "stages", "incidents"])
    return uid


def told(webhook: UUID | None = None) -> list[dict[str, Any]]:
    """Every message so far, the oldest first."""
    write_what_is_due(NOW)
    rows = Delivery.objects.filter(webhook__uid=webhook) if webhook else Delivery.objects.all()
    return [json.loads(row.body) for row in rows.order_by("pk")]


def tried(answer: Answer, now: datetime) -> Delivery:
    """Take the one message that is due, and have it answered so."""
    (taken,) = take_due(now, 9)
    write_answer(taken, answer, now, NoLuck())
    return taken


def as_documented() -> Callable[..., bool]:
    """The check of a message that docs/api.md shows."""
    page = (ROOT / "docs" / "api.md").read_text()
    (source,) = (
        each for each in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "webhook-signature" in each
    )
    found: dict[str, Any] = {}
    exec(source, found)
    check: Callable[..., bool] = found["is_from_lastcard"]
    return check


def signature(secret: str, text: str) -> str:
    """As standardwebhooks.com says, by other means than the program's."""
    mac = hmac.new(b64decode(secret.removeprefix("whsec_"), validate=True), text.encode(), sha256)
    return b64encode(mac.digest()).decode()
