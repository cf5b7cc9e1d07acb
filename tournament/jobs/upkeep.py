"""Each minute: end practice, check ledgers, erase old contacts, free memory."""

import gc
import logging
import time
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.core.checks import Tags, run_checks
from django.utils import timezone

from tournament.actions.people import personal_data
from tournament.actions.upkeep import practice
from tournament.jobs import ledger_check
from tournament.models import LASTS, Tournament
from tournament.server.background import Every
from tournament.server.exports import take_away_all
from tournament.server.machine import hold_little, memory

logger = logging.getLogger("tournament.upkeep.timer")

MINUTE = 60.0  # seconds
PAUSE_S = 0.005  # seconds: answers come first
FORGETS_EVERY = timedelta(hours=1)
GREW = 1.05  # memory growth before a collection, which stalls all


class Upkeep(Every):
    """Thread of the upkeep; failures are logged and retried a minute later."""

    def __init__(self) -> None:
        super().__init__("upkeep", MINUTE, self.look)
        self._checker: ledger_check.Checker | None = None
        self._forgot: datetime | None = None
        self._left = memory()

    def look(self) -> None:
        """Do what is due."""
        for work, failed in (
            (end_practice, "practice events could not be deleted"),
            (self._check, "the ledgers could not be checked"),
            (self._forget, "old contacts could not be erased"),
        ):
            try:
                work(timezone.now())
            except Exception:  # must not stop the others
                logger.exception(failed)
        self._give_back()

    def _give_back(self) -> None:
        if memory() > GREW * self._left:
            gc.collect()
        hold_little()
        self._left = memory()

    def _check(self, now: datetime) -> None:
        self._checker = self._checker or ledger_check.Checker(lambda: self._stop.wait(PAUSE_S))
        self._checker.check(now)

    def _forget(self, now: datetime) -> None:
        if self._forgot is None or now - self._forgot >= FORGETS_EVERY:
            personal_data.erase_old_contacts(now)
            self._forgot = now


def end_practice(now: datetime) -> None:
    """Delete expired practice and sessions."""
    delete_practice_of(Tournament.objects.practice(made_by=now - LASTS))
    practice.sessions_over(now)


def delete_practice_of(events: Iterable[Tournament]) -> None:
    """Delete these practice events for good."""
    for uid in practice.delete_practice(events):
        take_away_all(uid)


# ---- Background loading of the API and the admin after the start ----


AFTER = 5.0  # seconds; first pages come first


def warm_up() -> None:
    """Load all addresses once; failures are logged and recur on use."""
    time.sleep(AFTER)
    try:
        run_checks(tags=[Tags.urls])
    except Exception:  # not needed yet
        logger.exception("not everything could be loaded")
    gc.freeze()  # as in live/server.py
