"""The thread of a server that looks after its events each minute."""

import logging
import threading
from datetime import datetime, timedelta

from django.db import connections
from django.utils import timezone

from tournament.actions.forgetting import erase_old_contacts
from tournament.live.poller import own_connection
from tournament.upkeep.checking import Checker

logger = logging.getLogger(__name__)

EVERY = 60.0  # seconds
REST = 0.005  # seconds that a check pauses now and then, so that answers come first
FORGETS_EVERY = timedelta(hours=1)


class Upkeep:
    """Checks the ledgers and erases old contacts; what fails is said in the log and tried again a minute later."""

    def __init__(self, every: float = EVERY) -> None:
        self._every = every
        self._stop = threading.Event()
        self._checker = Checker(self._rest)
        self._forgot: datetime | None = None

    def start(self) -> None:
        """Begin, in a thread that the end of the process does not wait for."""
        threading.Thread(target=self._run, name="upkeep", daemon=True).start()

    def stop(self) -> None:
        """Begin no further look."""
        self._stop.set()

    def _rest(self) -> None:
        self._stop.wait(REST)

    def _run(self) -> None:
        own_connection()
        while not self._stop.wait(self._every):
            self.look()
            connections.close_all()

    def look(self) -> None:
        """Do once what is due."""
        try:
            self._checker.check()
        except Exception:
            logger.exception("the ledgers could not be checked")
        try:
            now = timezone.now()
            if self._forgot is None or now - self._forgot >= FORGETS_EVERY:
                erase_old_contacts(now)
                self._forgot = now
        except Exception:
            logger.exception("old contacts could not be erased")
