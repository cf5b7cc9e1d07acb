"""Daily request for a newer Lastcard at UPDATES_FROM, without data, redirects or proxies."""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone

from tournament.extras.update.server.newest import is_due, newest_in, note
from tournament.server.background import Beside

logger = logging.getLogger("tournament.newest")

CLOCK_EVERY_S = 3600.0  # seconds between looks at the clock
TIMEOUT_S = 10.0
MOST_READ = 64 * 1024  # bytes


class Asker(Beside):
    """Asks once a day, across restarts and failures. `now` is for tests."""

    name = "newest"

    def __init__(self, *, now: Callable[[], datetime] = timezone.now) -> None:
        super().__init__()
        self._now = now

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
        try:
            said = await asyncio.to_thread(json_at, settings.UPDATES_FROM)
        except (OSError, HTTPException, ValueError) as error:
            said = None
            logger.warning("UPDATES_FROM did not answer: %s", error)
        if found := newest_in(said):
            note(now, found)
        else:
            logger.warning("UPDATES_FROM did not name a version")


def json_at(address: str) -> Any:
    """The JSON that a GET answers. Raises OSError, HTTPException or ValueError."""
    parts = urlsplit(address)
    to = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    with closing(to(parts.netloc, timeout=TIMEOUT_S)) as connection:
        path = address.partition(parts.netloc)[2]
        connection.request("GET", path or "/", headers={"User-Agent": "Lastcard"})
        answer = connection.getresponse()
        if answer.status != HTTPStatus.OK:
            raise OSError(f"status {answer.status}")
        return json.loads(answer.read(MOST_READ))
