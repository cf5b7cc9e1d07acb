"""Whether another device than this computer ever reached this server.

In a venue the first phone tells whether the others will get through. A server that listens to the network notes it
here; one that only this computer can reach, such as behind a proxy, misses nobody.
"""

import time
from uuid import uuid4

from django.conf import settings

from tournament.server.venue import is_loopback

PATIENCE_S = 120.0  # until nobody's coming is worth a word


class Reach:
    """The knowledge of one server process; `run` names the process's own run."""

    def __init__(self) -> None:
        self.run = uuid4().hex
        self._since: float | None = None
        self._reached = False

    def begin(self, host: str) -> None:
        """Wait for others from now on, if they can reach the address that the server listens on."""
        self._since = None if is_loopback(host) else time.monotonic()

    def met(self, peer: str, own: str) -> None:
        """Note a connection from the address `peer` to the server's address `own`: one from this computer's own
        network address is its own."""
        if not self._reached and peer and peer != own and not is_loopback(peer):
            self._reached = True

    @property
    def nobody(self) -> bool:
        """Tell whether nobody else came in PATIENCE_S, in a venue; with https another network lies between."""
        return (
            not self._reached
            and not settings.HTTPS
            and self._since is not None
            and time.monotonic() - self._since >= PATIENCE_S
        )


reach = Reach()
