"""Each minute: end practice, check ledgers, erase old contacts, free memory."""

import gc
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from django.core.checks import Tags, run_checks
from django.db import IntegrityError
from django.utils import timezone

from tournament.actions.people import personal_data
from tournament.actions.upkeep import delete_practice, sessions_over, take_check, to_check, write_check
from tournament.ledger.look import Known, Look, Seen, look, remember_heads, seen_heads
from tournament.models import LASTS, LedgerCheck, Tournament
from tournament.server.background import Every
from tournament.server.exports import take_away_all
from tournament.server.machine import hold_little, memory

logger = logging.getLogger("tournament.upkeep.timer")
checks = logging.getLogger("tournament.upkeep.checking")

MINUTE = 60.0  # seconds
PAUSE_S = 0.005  # seconds: answers come first
FORGETS_EVERY = timedelta(hours=1)
GREW = 1.05  # memory growth before a collection, which stalls all


class Upkeep(Every):
    """Thread of the upkeep; failures are logged and retried a minute later."""

    def __init__(self) -> None:
        super().__init__("upkeep", MINUTE, self.look)
        self._checker = Checker(lambda: self._stop.wait(PAUSE_S))
        self._forgot: datetime | None = None
        self._left = memory()

    def look(self) -> None:
        """Do what is due."""
        for work, failed in (
            (end_practice, "practice events could not be deleted"),
            (self._checker.check, "the ledgers could not be checked"),
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

    def _forget(self, now: datetime) -> None:
        if self._forgot is None or now - self._forgot >= FORGETS_EVERY:
            personal_data.erase_old_contacts(now)
            self._forgot = now


# ---- Checks of the running events for changes without an action ----


class Checker:
    """Checks events, remembering their state; `rest` yields to other threads."""

    def __init__(self, rest: Callable[[], object] = lambda: None) -> None:
        self._known: dict[UUID, Known] = {}
        self._rest = rest
        self._noted = True  # the last ends are on disk

    def check(self, now: datetime) -> None:
        """Check due events; findings go to board and log."""
        seen = seen_heads()
        events = to_check(now)
        self._known = {row.uid: self._known[row.uid] for row in events if row.uid in self._known}
        for tournament in events:
            with suppress(Tournament.DoesNotExist, IntegrityError):  # an event deleted meanwhile
                if check := take_check(tournament, now):
                    self._check(tournament, check, seen.get(tournament.uid), now)

    def _check(self, tournament: Tournament, check: LedgerCheck, end: Seen | None, now: datetime) -> None:
        if end is None and self._noted:  # a restore dropped it
            self._known.pop(tournament.uid, None)
        known = self._known.get(tournament.uid, Known())
        before = [each for each in (end, Seen(check.rows, check.head)) if each and each.rows]
        made: Look = look(tournament.pk, known, before, self._rest)
        write_check(check, made.findings, made.end, now)
        if made.findings:
            if check.found_at is None:
                said = "; ".join(f"{finding.code} {finding.where}" for finding in made.findings[:5])
                checks.error("%s was changed outside Lastcard: %s", tournament.slug, said)
            return
        self._known[tournament.uid] = made.known
        try:
            remember_heads({tournament.uid: made.end})
            self._noted = True
        except OSError as error:
            self._noted = False
            checks.warning("The ends of the ledgers could not be stored: %s", error.strerror)


# ---- The end of practice ----


def end_practice(now: datetime) -> None:
    """Delete expired practice and sessions."""
    delete_practice_of(Tournament.objects.practice(made_by=now - LASTS))
    sessions_over()


def delete_practice_of(events: Iterable[Tournament]) -> None:
    """Delete these practice events for good."""
    for uid in delete_practice(events):
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
