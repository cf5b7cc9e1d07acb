"""Wall times: what a clock on the wall shows, read as a moment in a time zone.

Where the clocks change, a wall time occurs twice, or not at all. Such a time is asked about, never guessed.
"""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo

from tournament.results.faults import Fault, Refused

# That people plan for: a time zone, an evening or a year more stays in the calendar.
YEARS = range(1900, 3000)
# As browsers and people write a day and a time; the last two name their moment by the offset.
WRITTEN = (
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H.%M",
    "%Y-%m-%d %H:%M:%S%z",
    "%Y-%m-%dT%H:%M:%S%z",
)


def readings(wall: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """Give the moments, in UTC, that a wall time can mean, the earlier first: one, or two where the clocks change. For
    a time that does not occur they are the times before and after the change that are as far from it."""
    both = (wall if wall.tzinfo else wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    return tuple(sorted({at.astimezone(UTC) for at in both}))


def unclear(wall: datetime, zone: tzinfo) -> str:
    """Give the code of why this wall time has no single reading, `time_twice` or `time_skipped`; "" if it has one."""
    found = readings(wall, zone)
    occurs = found[0].astimezone(zone).replace(tzinfo=None) == wall
    return "" if len(found) == 1 else "time_twice" if occurs else "time_skipped"


def moment_of(typed: str, zone: tzinfo, path: str = "", chosen: str = "") -> datetime:
    """Read a typed day and time of this zone as a moment in UTC. `chosen` is one of two readings in ISO; a text with an
    offset needs none. Raises Refused `not_a_moment`, `time_twice`, `time_skipped`."""
    wall = wall_time(typed)
    found = readings(wall, zone) if wall else ()
    for at in found:
        if len(found) == 1 or at.isoformat() == chosen:
            return at
    raise Refused(Fault(unclear(wall, zone) if wall else "not_a_moment", path))


def wall_time(typed: str) -> datetime | None:
    """Read a day and a time without a zone, or with an offset; None if they cannot be read."""
    for form in WRITTEN:
        with suppress(ValueError):
            if (at := datetime.strptime(typed.strip(), form)).year in YEARS:  # noqa: DTZ007 - has no zone yet
                return at
    return None


def same_time(at: datetime, zone: tzinfo, there: tzinfo, days: timedelta = timedelta(0)) -> datetime:
    """Give the moment at which the clocks of another zone show what those of this one show at this, days later."""
    local = at.astimezone(zone)
    return (local + days).replace(tzinfo=there, fold=local.fold).astimezone(UTC)
