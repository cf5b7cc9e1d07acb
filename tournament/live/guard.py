"""Ends streams of whoever lost what they were opened with: a session that ended, a password that was changed, an
account that was closed, a role that was taken away.

Streams carry versions only, which everybody may know. But a page of the desk or the board stays on a phone as long as
nothing tells it to look again; the last word of its stream does, and the page finds the sign-in, or nothing, in its
place. Whichever server process the change was made in, each asks the database for the sessions of its own streams.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hmac import compare_digest
from itertools import islice

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import connections
from django.utils import timezone

from tournament.live.hub import Hub
from tournament.live.poller import own_connection
from tournament.models import Membership, User

logger = logging.getLogger(__name__)

EVERY = 2.0  # seconds between two looks
PART = 500  # sessions of one question; SQLite takes so many values at least

# What the holder of a session may; None for nobody.
Standing = tuple[object, ...] | None


def standings(sessions: Collection[str]) -> dict[str, Standing]:
    """What the holder of each session may now, as something that can be compared."""
    holders: dict[str, tuple[str, str]] = {}
    for keys in _parts(sessions):
        for row in Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()):
            said = row.get_decoded()
            if SESSION_KEY in said:
                holders[row.session_key] = said[SESSION_KEY], said.get(HASH_SESSION_KEY, "")
    users: dict[str, User] = {}
    roles: defaultdict[str, list[tuple[object, ...]]] = defaultdict(list)
    for pks in _parts({user for user, _ in holders.values()}):
        users |= {str(user.pk): user for user in User.objects.filter(pk__in=pks, is_active=True)}
        rows = Membership.objects.filter(user__in=pks).order_by("pk")
        for holder, *role in rows.values_list("user", "tournament", "role", "table"):
            roles[str(holder)].append(tuple(role))
    found: dict[str, Standing] = dict.fromkeys(sessions)
    for key, (pk, proof) in holders.items():
        user = users.get(pk)
        if user is not None and compare_digest(proof, user.get_session_auth_hash()):
            found[key] = (pk, user.is_staff, user.is_superuser, *roles[pk])
    return found


class Guard:
    """Looks in a thread of its own, on a connection of its own; where nobody who signed in listens it asks nothing."""

    def __init__(
        self,
        hub: Hub,
        *,
        every: float = EVERY,
        read: Callable[[Collection[str]], Mapping[str, Standing]] = standings,
    ) -> None:
        self._hub = hub
        self._every = every
        self._read = read
        self._known: Mapping[str, Standing] = {}
        self._thread: ThreadPoolExecutor | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Go on in the background until `stop`."""
        self._thread = ThreadPoolExecutor(1, "guard", initializer=own_connection)
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End, and close the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._thread is not None:
            with suppress(TimeoutError):  # a query that hangs is left to end by itself
                async with asyncio.timeout(0.3):
                    await asyncio.get_running_loop().run_in_executor(self._thread, connections.close_all)
            self._thread.shutdown(wait=False)

    async def look(self) -> None:
        """Compare once. A stream that began with a session that does not hold is told so, once, and goes on as
        anybody's does."""
        sessions = self._hub.sessions
        if not sessions:
            self._known = {}
            return
        assert self._thread is not None, "start() first"
        now = await asyncio.get_running_loop().run_in_executor(self._thread, self._ask, sessions)
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
            except Exception as error:  # the poller says that the database is away; sessions wait for it
                logger.debug("could not look at sessions: %s", error)

    def _ask(self, sessions: Collection[str]) -> Mapping[str, Standing]:
        try:
            return self._read(sessions)
        except Exception:
            connections["default"].close()  # the next look opens a new one
            raise


def _parts(values: Collection[str]) -> Iterator[list[str]]:
    rest = iter(sorted(values))
    while part := list(islice(rest, PART)):
        yield part
