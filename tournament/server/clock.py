"""The time by which games are played: a computer whose clock is set meanwhile makes nobody's minutes wrong.

In a server, `now` goes on as before when the system's clock jumps, as long as a game runs that began before the jump;
then it is the system's again. Everywhere else it is the system's time.
"""

import logging
import time
from datetime import datetime, timedelta

from django.utils import timezone

from tournament.models import Play

JUMP_S = 2.0  # by which the system's clock is off at least when it was set, and not only put right a little
LONGEST = timedelta(hours=2)  # no game that is still played began before that

logger = logging.getLogger("tournament.clock")


class Clock:
    """The time, held against a clock that nobody sets."""

    def __init__(self) -> None:
        self._zero: datetime | None = None  # when that clock was at 0, by the system's time
        self._jumped = False

    def hold(self) -> None:
        """Take the system's time as right from here on; for a server that starts."""
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
            logger.warning("The computer's clock was set by %+.0f s; games that run keep their time.", jump_s)
            self._jumped = True
        if _is_played(kept):
            return kept
        self.hold()
        return told


def _steady() -> timedelta:
    """The age of a clock that goes on while the computer sleeps, where there is one."""
    boot: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return timedelta(seconds=time.monotonic() if boot is None else time.clock_gettime(boot))


def _is_played(now: datetime) -> bool:
    running = Play.objects.filter(state=Play.State.RUNNING, started_at__gt=now - LONGEST)
    return running.exists()


clock = Clock()
now = clock.now
