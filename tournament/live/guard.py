"""Ends streams whose session lost its rights (sign-out, password change, closed account, removed role).

The last event makes open desk and board pages refetch.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tournament.live.hub import Hub
from tournament.models import Membership, User
from tournament.server.background import Beside

logger = logging.getLogger(__name__)

EVERY = 2.0  # seconds between checks
PART = 500  # sessions per query; within SQLite's parameter limit

Standing = tuple[object, ...] | None


def standings(sessions: Collection[str]) -> dict[str, Standing]:
    """Comparable rights by session key; None if invalid."""
    holders: dict[str, tuple[str, str]] = {
        row.session_key: (said[SESSION_KEY], said.get(HASH_SESSION_KEY, ""))
        for keys in _parts(sessions)
        for row in Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
        if SESSION_KEY in (said := row.get_decoded())
    }
    users: dict[str, User] = {}
    roles: defaultdict[str, list[tuple[object, ...]]] = defaultdict(list)
    for pks in _parts({user for user, _ in holders.values()}):
        users |= {str(user.pk): user for user in User.objects.filter(pk__in=pks, is_active=True)}
        for holder, *role in (
            Membership.objects.filter(user__in=pks)
            .order_by("pk")
            .values_list("user", "tournament", "role", "table")
        ):
            roles[str(holder)].append(tuple(role))
    return dict.fromkeys(sessions) | {
        key: (pk, user.is_staff, user.is_superuser, *roles[pk])
        for key, (pk, proof) in holders.items()
        if (user := users.get(pk)) and constant_time_compare(proof, user.get_session_auth_hash())
    }


class Guard(Beside):
    """Periodic check; queries only while signed-in streams exist."""

    name = "guard"

    def __init__(
        self,
        hub: Hub,
        *,
        every: float = EVERY,
        read: Callable[[Collection[str]], Mapping[str, Standing]] = standings,
    ) -> None:
        super().__init__()
        self._hub, self._every, self._read = hub, every, read
        self._known: Mapping[str, Standing] = {}

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


def _parts(values: Collection[str]) -> Iterator[list[str]]:
    ordered = sorted(values)
    return (ordered[begin : begin + PART] for begin in range(0, len(ordered), PART))
