"""The clock of games: setting the computer's clock during a game makes nobody's minutes wrong.

In a server, `now` goes on as before when the system's clock jumps, as long as a game runs that began before the jump;
then it is the system's again. Everywhere else it is the system's time.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

JUMP_S = 2.0  # by which the system's clock is off at least when it was set, and not only put right a little

logger = logging.getLogger("tournament.clock")


class Clock:
    """The time, compared with a clock that nobody sets."""

    def __init__(self) -> None:
        self._zero: datetime | None = None  # when that clock was at 0, by the system's time
        self._jumped = False
        self._needed: Callable[[datetime], bool] = lambda _now: False

    def hold(self, needed: Callable[[datetime], bool]) -> None:
        """Take the system's time as right from here on, in a server that starts. After a jump `needed(now)` says
        whether anything still depends on the time as it went on."""
        self._needed = needed
        self._restart()

    def _restart(self) -> None:
        self._zero, self._jumped = timezone.now() - _steady(), False

    def now(self) -> datetime:
        """The time of what happens at the tables now."""
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
    """The age of a clock that goes on while the computer sleeps, where there is one."""
    boot: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return timedelta(seconds=time.monotonic() if boot is None else time.clock_gettime(boot))


clock = Clock()
now = clock.now
