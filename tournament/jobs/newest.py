"""The task of a running server that asks once a day whether there is a newer Lastcard, where UPDATES_FROM names an
address. The request says nothing but that it is a Lastcard's, and goes where a webhook's message may go."""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from tournament.server.background import Beside
from tournament.server.newest import is_due, newest_in, note
from tournament.webhooks.posting import Resolve, get, resolved

logger = logging.getLogger("tournament.newest")

EVERY = 3600.0  # seconds between two looks at the clock


class Asker(Beside):
    """Asks when a day has passed, also over restarts; what fails is tried the next day. `now` and `resolve` are a clock
    and a way to look names up, which tests replace."""

    name = "newest"

    def __init__(self, *, now: Callable[[], datetime] = timezone.now, resolve: Resolve = resolved) -> None:
        super().__init__()
        self._now, self._resolve = now, resolve

    async def _run(self) -> None:
        while True:
            with suppress(OSError):  # the disk is full: nobody is asked
                await self.look()
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Ask, if it is time. Raises OSError where the answer cannot be kept."""
        now = self._now()
        if not is_due(now):
            return
        note(now)
        answer = await get(settings.UPDATES_FROM, resolve=self._resolve)
        said = None
        with suppress(ValueError):
            said = json.loads(answer.text)
        if found := newest_in(said) if answer.arrived else None:
            note(now, found)
        else:
            logger.warning("UPDATES_FROM did not name a version: %s", answer.fault or answer.status)
