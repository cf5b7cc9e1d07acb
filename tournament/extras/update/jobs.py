"""Daily request for a newer Lastcard at UPDATES_FROM, without data, only where webhooks may go."""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from tournament.extras.update.server.newest import is_due, newest_in, note
from tournament.server.background import Beside
from tournament.webhooks.posting import Resolve, get, resolved

logger = logging.getLogger("tournament.newest")

CLOCK_EVERY_S = 3600.0  # seconds between looks at the clock


class Asker(Beside):
    """Asks once a day, across restarts and failures. `now` and `resolve` (DNS) are for tests."""

    name = "newest"

    def __init__(self, *, now: Callable[[], datetime] = timezone.now, resolve: Resolve = resolved) -> None:
        super().__init__()
        self._now, self._resolve = now, resolve

    async def _run(self) -> None:
        while True:
            with suppress(OSError):  # disk full: do not ask
                await self.look()
            await asyncio.sleep(CLOCK_EVERY_S)

    async def look(self) -> None:
        """Ask if due. Raises OSError if the answer cannot be stored."""
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
