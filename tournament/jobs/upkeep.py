"""The upkeep of a server's events, each minute: ends practice, checks the ledgers, erases old contacts and gives
memory back."""

import gc
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.models import LASTS, Tournament
from tournament.server.background import Every
from tournament.server.first_use import on_first_use
from tournament.server.machine import hold_little, memory

with on_first_use():  # a minute after the start
    from tournament.actions.people import personal_data
    from tournament.actions.upkeep import practice
    from tournament.files.workbook import cache
    from tournament.jobs import ledger_check

logger = logging.getLogger("tournament.upkeep.timer")

MINUTE = 60.0  # seconds
REST = 0.005  # seconds that a check pauses now and then, so that answers come first
FORGETS_EVERY = timedelta(hours=1)
GREW = 1.05  # of the memory that was left: garbage is looked for, which takes a moment from everybody


class Upkeep(Every):
    """The thread that does it; what fails is logged and tried again a minute later."""

    def __init__(self) -> None:
        super().__init__("upkeep", MINUTE, self.look)
        self._checker: ledger_check.Checker | None = None
        self._forgot: datetime | None = None
        self._left = memory()

    def look(self) -> None:
        """Do everything that is due, once."""
        for work, failed in (
            (end_practice, "practice events could not be deleted"),
            (self._check, "the ledgers could not be checked"),
            (self._forget, "old contacts could not be erased"),
        ):
            try:
                work(timezone.now())
            except Exception:  # one's, and no other's; its turn comes again
                logger.exception(failed)
        self._give_back()

    def _give_back(self) -> None:
        if memory() > GREW * self._left:
            gc.collect()
        hold_little()
        self._left = memory()

    def _check(self, now: datetime) -> None:
        self._checker = self._checker or ledger_check.Checker(lambda: self._stop.wait(REST))
        self._checker.check(now)

    def _forget(self, now: datetime) -> None:
        if self._forgot is None or now - self._forgot >= FORGETS_EVERY:
            personal_data.erase_old_contacts(now)
            self._forgot = now


def end_practice(now: datetime) -> None:
    """Delete every practice event whose time is up, with its newcomer, and the sessions whose time is up."""
    delete_practice_of(Tournament.objects.practice(made_by=now - LASTS))
    practice.sessions_over(now)


def delete_practice_of(events: Iterable[Tournament]) -> None:
    """Delete these practice events with everything of theirs, for good."""
    for uid in practice.delete_practice(events):
        cache.take_away_all(uid)
