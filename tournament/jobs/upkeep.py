"""The thread of a server that looks after its events each minute."""

import logging
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.actions.people.personal_data import erase_old_contacts
from tournament.jobs.ledger_check import Checker
from tournament.jobs.practice import end_what_is_over
from tournament.server.background import Every

logger = logging.getLogger("tournament.upkeep.timer")

MINUTE = 60.0  # seconds
REST = 0.005  # seconds that a check pauses now and then, so that answers come first
FORGETS_EVERY = timedelta(hours=1)


class Upkeep(Every):
    """Ends practice, checks the ledgers and erases old contacts; what fails is said in the log and tried again a minute
    later."""

    name = "upkeep"

    def __init__(self, seconds: float = MINUTE) -> None:
        super().__init__(seconds)
        self._checker = Checker(self._rest)
        self._forgot: datetime | None = None

    def _rest(self) -> None:
        self._stop.wait(REST)

    def look(self) -> None:
        """Do once what is due."""
        for work, failed in (
            (self._end_practice, "practice events could not be deleted"),
            (self._checker.check, "the ledgers could not be checked"),
            (self._forget, "old contacts could not be erased"),
        ):
            try:
                work()
            except Exception:  # one's, and no other's; its turn comes again
                logger.exception(failed)

    def _end_practice(self) -> None:
        end_what_is_over(timezone.now())

    def _forget(self) -> None:
        now = timezone.now()
        if self._forgot is None or now - self._forgot >= FORGETS_EVERY:
            erase_old_contacts(now)
            self._forgot = now
