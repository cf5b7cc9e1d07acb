"""The task of a running server that sends the messages of webhooks; several servers share the work.

No save waits for this: the sender reads the ledger after the commit, in whichever server comes first. Changes by people
are written by actions/event/webhooks.py, those by the sender itself by actions/upkeep/deliveries.py.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random, SystemRandom

from django.utils import timezone

from tournament.actions.upkeep.deliveries import forget_old, take_due, write_answer, write_what_is_due
from tournament.models import Delivery
from tournament.server.background import Beside
from tournament.webhooks.posting import headers_of, post

logger = logging.getLogger("tournament.webhooks.sender")

EVERY = 1.0  # seconds between two looks
AT_ONCE = 8  # messages on their way; one of each webhook, so that a slow receiver holds up nobody else
TIDY_EVERY = timedelta(hours=1)


class Sender(Beside):
    """Looks into the database in its thread; the messages are sent by the event loop. While the database is away it
    keeps trying. `now` and `chance` are a clock and a random generator, which tests replace. A message that is on its
    way when the sender stops is sent again by the next one, after its lease."""

    name = "webhooks"

    def __init__(
        self,
        *,
        every: float = EVERY,
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
            except Exception as error:  # whatever it was, the next look may go better
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
        """Store new messages, and begin to send those that are due."""
        for taken in await self._in_thread(self._look):
            self._under_way[taken.webhook_id] = asyncio.create_task(self._send(taken))

    def _look(self) -> list[Delivery]:
        now = self._now()
        if self._tidied is None or now - self._tidied >= TIDY_EVERY:
            self._tidied = now
            forget_old(now)
        write_what_is_due(now)
        free = AT_ONCE - len(self._under_way)
        return take_due(now, free, list(self._under_way)) if free else []

    async def _send(self, taken: Delivery) -> None:
        try:
            body = taken.body.encode()
            headers = headers_of(taken.uid, self._now(), body, taken.webhook.secret)
            answer = await post(taken.webhook.address, body, headers)
            await self._in_thread(write_answer, taken, answer, self._now(), self._chance)
        except Exception:  # one message's, and no other's; it is due again
            logger.exception("could not send a webhook's message")
        finally:
            del self._under_way[taken.webhook_id]
            self._news.set()  # the next of this webhook may be due
