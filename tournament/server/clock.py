"""Clock of games: in a server, `now` ignores jumps of the system clock while a game started before needs it."""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

JUMP_S = 2.0  # smaller offsets are drift

logger = logging.getLogger("tournament.clock")


class Clock:
    """System time checked against a monotonic clock."""

    def __init__(self) -> None:
        self._zero: datetime | None = None
        self._jumped = False
        self._needed: Callable[[datetime], bool] = lambda _now: False

    def hold(self, needed: Callable[[datetime], bool]) -> None:
        """Trust the system time from now on; after a jump, unless `needed(now)`."""
        self._needed = needed
        self._restart()

    def _restart(self) -> None:
        self._zero, self._jumped = timezone.now() - _steady(), False

    def now(self) -> datetime:
        """Current time for the tables."""
        told = timezone.now()
        if self._zero is None:
            return told
        kept = self._zero + _steady()
        jump_s = (told - kept).total_seconds()
        if abs(jump_s) < JUMP_S:
            self._jumped = False
            return told
        if not self._jumped:
            logger.warning("The computer's clock was set by %+.0f s; running games keep their time.", jump_s)
            self._jumped = True
        if self._needed(kept):
            return kept
        self._restart()
        return told


def _steady() -> timedelta:
    """Monotonic time, including sleep where supported."""
    boot: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return timedelta(seconds=time.monotonic() if boot is None else time.clock_gettime(boot))


clock = Clock()
now = clock.now
