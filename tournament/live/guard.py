"""Ends streams whose session lost its rights (sign-out, password change, closed account, removed role).

The last event makes open desk and board pages refetch.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping

from tournament.live.hub import Hub
from tournament.server.background import Beside

logger = logging.getLogger(__name__)

EVERY = 2.0  # seconds between checks


class Guard(Beside):
    """Periodic check, only while signed-in streams exist; `read`: comparable rights by session key, None if invalid."""

    name = "guard"

    def __init__(
        self,
        hub: Hub,
        read: Callable[[Collection[str]], Mapping[str, object]],
        *,
        every: float = EVERY,
    ) -> None:
        super().__init__()
        self._hub, self._every, self._read = hub, every, read
        self._known: Mapping[str, object] = {}

    async def look(self) -> None:
        """End streams whose session's rights changed; those of an initially invalid session are notified once."""
        sessions = self._hub.sessions
        if not sessions:
            self._known = {}
            return
        now = await self._in_thread(self._read, sessions)
        for session in sessions:
            if session in self._known and self._known[session] != now[session]:
                self._hub.end_session(session)
            elif session not in self._known and now[session] is None:
                self._hub.tell_session(session)
        self._known = now

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            try:
                await self.look()
            except Exception as error:  # the poller reports outages
                logger.debug("could not look at sessions: %s", error)
