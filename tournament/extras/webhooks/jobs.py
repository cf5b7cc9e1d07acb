"""Sender of webhook messages; several servers share the work.

Reads the ledger after the commit, so no save waits.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random, SystemRandom

from django.utils import timezone

from tournament.extras.webhooks.actions.deliveries import (
    forget_old,
    take_due,
    write_answer,
    write_what_is_due,
)
from tournament.extras.webhooks.live import headers_of, post
from tournament.models import Delivery
from tournament.server.background import Beside

logger = logging.getLogger("tournament.webhooks.sender")

QUEUE_EVERY_S = 1.0  # seconds between looks
DELIVERIES_AT_ONCE = 8  # one per webhook: a slow receiver delays no other
TIDY_EVERY = timedelta(hours=1)


class Sender(Beside):
    """Uses the database in a thread and sends in the event loop; retries while the database is away. A message
    interrupted by a stop is resent after its lease. `now` and `chance` are for tests."""

    name = "webhooks"

    def __init__(
        self,
        *,
        every: float = QUEUE_EVERY_S,
        now: Callable[[], datetime] = timezone.now,
        chance: Random | None = None,
    ) -> None:
        super().__init__()
        self._every, self._now, self._chance = every, now, chance or SystemRandom()
        self._under_way: dict[int, asyncio.Task[None]] = {}  # by webhook
        self._news = asyncio.Event()
        self._tidied: datetime | None = None
        self._away = False

    def _tasks(self) -> Iterable[asyncio.Task[None]]:
        return [*super()._tasks(), *self._under_way.values()]

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except Exception as error:  # retried at the next look
                if not self._away:
                    logger.warning("Webhooks are waiting: %s", error)
                self._away = True
            else:
                self._away = False
            with suppress(TimeoutError):
                async with asyncio.timeout(self._every):
                    await self._news.wait()
            self._news.clear()

    async def look(self) -> None:
        """Store new messages, start sending due ones."""
        for taken in await self._in_thread(self._look):
            self._under_way[taken.webhook_id] = asyncio.create_task(self._send(taken))

    def _look(self) -> list[Delivery]:
        now = self._now()
        if self._tidied is None or now - self._tidied >= TIDY_EVERY:
            self._tidied = now
            forget_old(now)
        write_what_is_due(now)
        free = DELIVERIES_AT_ONCE - len(self._under_way)
        return take_due(now, free, list(self._under_way)) if free else []

    async def _send(self, taken: Delivery) -> None:
        try:
            body = taken.body.encode()
            headers = headers_of(taken.uid, self._now(), body, taken.webhook.secret)
            answer = await post(taken.webhook.address, body, headers)
            await self._in_thread(write_answer, taken, answer, self._now(), self._chance)
        except Exception:  # one message's; due again later
            logger.exception("could not send a webhook's message")
        finally:
            del self._under_way[taken.webhook_id]
            self._news.set()  # the next may be due
