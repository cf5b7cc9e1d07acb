"""Whether another device ever reached this server: a venue's first phone shows that others can. Loopback-only servers
(behind a proxy) never warn."""

import time
from uuid import uuid4

from django.conf import settings

from tournament.server.venue import is_loopback

PATIENCE_S = 120.0  # seconds before warning


class Reach:
    """State of one process; `run`: its unique id."""

    def __init__(self) -> None:
        self.run = uuid4().hex
        self._since: float | None = None
        self._reached = False

    def begin(self, host: str) -> None:
        """Start waiting, if other devices can reach `host`."""
        self._since = None if is_loopback(host) else time.monotonic()

    def met(self, peer: str, own: str) -> None:
        """Note a connection from `peer` to our address `own`; equal ones are local."""
        if not self._reached and peer and peer != own and not is_loopback(peer):
            self._reached = True

    @property
    def nobody(self) -> bool:
        """Whether no other device came in PATIENCE_S, without https (another network)."""
        return (
            not self._reached
            and not settings.HTTPS
            and self._since is not None
            and time.monotonic() - self._since >= PATIENCE_S
        )


reach = Reach()
