"""When a message is tried again, and when its webhook is switched off."""

from datetime import datetime, timedelta
from random import Random

# After the first try, the second, and so on.
PAUSES = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(hours=24),
)
SPREAD = 0.2  # a pause is up to so much longer, so that what failed together does not come back together
PATIENCE = timedelta(days=3)  # how long everything may fail until the webhook is switched off
GONE = 410  # the status by which a receiver says that it wants no more


def next_try(tries: int, now: datetime, chance: Random) -> datetime | None:
    """When to try again after so many tries; None to give up."""
    if tries > len(PAUSES):
        return None
    return now + PAUSES[tries - 1] * (1 + SPREAD * chance.random())


def arrived(status: int | None) -> bool:
    """Whether a receiver's answer says that it has the message. A redirect does not: nobody follows it."""
    return status is not None and 200 <= status < 300
