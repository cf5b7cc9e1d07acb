"""Check of every running event for changes without an action."""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError

from tournament.actions.upkeep.checks import take_check, to_check, write_check
from tournament.ledger import seen_heads
from tournament.ledger.look import Known, Look, Seen, look
from tournament.models import LedgerCheck, Tournament

logger = logging.getLogger("tournament.upkeep.checking")


class Checker:
    """Checks events, remembering their state; `rest` yields to other threads."""

    def __init__(self, rest: Callable[[], object] = lambda: None) -> None:
        self._known: dict[UUID, Known] = {}
        self._rest = rest
        self._noted = True  # the last ends are on disk

    def check(self, now: datetime) -> None:
        """Check due events; findings go to board and log."""
        seen = seen_heads.seen()
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
                logger.error("%s was changed outside Lastcard: %s", tournament.slug, said)
            return
        self._known[tournament.uid] = made.known
        try:
            seen_heads.remember({tournament.uid: made.end})
            self._noted = True
        except OSError as error:
            self._noted = False
            logger.warning("The ends of the ledgers could not be stored: %s", error.strerror)
