"""Commits of other processes: polls all versions every EVERY seconds, on PostgreSQL also listens."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Future

from django.db import Error, connection

from tournament.live.store import PROGRAM, Versions
from tournament.server.background import Beside, asking

logger = logging.getLogger(__name__)

# Seconds; with hub.APART, changes arrive within a second.
EVERY = 0.4
HUNG_S = 10.0  # seconds until a hung query is abandoned to its thread
MOST_HUNG = 3  # abandoned threads; more would exhaust database connections
LISTENS_S = 0.3  # seconds at a time, so that a stopping server need not wait


class Poller(Beside):
    """The polling task: calls `read` for the version of each scope; retries during outages."""

    name = "versions"

    def __init__(
        self, versions: Versions, read: Callable[[], Mapping[str, int]], every: float = EVERY
    ) -> None:
        super().__init__()
        self._versions, self._read, self._every = versions, read, every
        self._away = False
        self._hung: list[Future[None]] = []

    async def start(self) -> None:
        """Read once, then poll in the background."""
        self._thread = self._new_thread()
        await self.look()
        self._task = asyncio.create_task(self._run())

    async def look(self) -> None:
        """Poll once; never raises on database failure."""
        assert self._thread is not None, "start() first"
        self._hung = [each for each in self._hung if not each.done()]
        try:
            looking = self._thread.submit(
                asking, lambda: self._versions.settle(self._versions.all(), {**self._read(), PROGRAM: 0})
            )
            async with asyncio.timeout(HUNG_S):
                await asyncio.shield(asyncio.wrap_future(looking))
        except Exception as error:
            if isinstance(error, BrokenExecutor):
                self._thread = self._new_thread()
            elif isinstance(error, TimeoutError) and len(self._hung) < MOST_HUNG:
                self._hung.append(looking)
                self._thread.shutdown(wait=False)
                self._thread = self._new_thread()
            if not self._away:
                logger.warning("The database does not answer (%s); live pages wait for it.", error)
            self._away = True
        else:
            if self._away:
                logger.warning("The database answers again.")
            self._away = False

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            await self.look()


class Listener(Beside):
    """Announces versions of which PostgreSQL notifies at commit (migration 0029); without it the poll does."""

    name = "listener"

    def __init__(self, versions: Versions) -> None:
        super().__init__()
        self._versions = versions

    async def _run(self) -> None:
        while True:
            try:
                await self._in_thread(self._hear)
            except Error:  # the poll logs it
                await asyncio.sleep(EVERY)

    def _hear(self) -> None:
        if connection.connection is None:
            with connection.cursor() as cursor:
                cursor.execute("LISTEN versions")
        with connection.wrap_database_errors:  # the driver's own otherwise
            for notice in connection.connection.notifies(timeout=LISTENS_S):
                scope, version = notice.payload.split()
                self._versions.announce({scope: int(version)})
