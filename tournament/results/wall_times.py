"""Local wall times to UTC; ambiguous or skipped ones are asked about, never guessed."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo

from tournament.results.faults import Fault, Refused

# Plausible years, with a margin for date arithmetic.
YEARS = range(1900, 3000)
# Browser and handwritten formats; the last two have an offset.
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
    """UTC readings of a wall time, earlier first: one, or two at clock changes.

    A skipped time is read as if before and after the change.
    """
    both = (wall if wall.tzinfo else wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    return tuple(sorted({at.astimezone(UTC) for at in both}))


def unclear(wall: datetime, zone: tzinfo) -> str:
    """`time_twice` or `time_skipped`, if a wall time has no single reading, else ""."""
    found = readings(wall, zone)
    occurs = found[0].astimezone(zone).replace(tzinfo=None) == wall
    return "" if len(found) == 1 else "time_twice" if occurs else "time_skipped"


def moment_of(typed: str, zone: tzinfo, path: str = "", chosen: str = "") -> datetime:
    """UTC time of local input.

    `chosen`: one of two readings, ISO; unneeded with an offset. Refused `not_a_moment`, `time_twice`,
    `time_skipped`.
    """
    wall = wall_time(typed)
    found = readings(wall, zone) if wall else ()
    for at in found:
        if len(found) == 1 or at.isoformat() == chosen:
            return at
    raise Refused(Fault(unclear(wall, zone) if wall else "not_a_moment", path))


def wall_time(typed: str) -> datetime | None:
    """Parsed date and time, possibly with offset, or None."""
    for form in WRITTEN:
        with suppress(ValueError):
            if (at := datetime.strptime(typed.strip(), form)).year in YEARS:  # noqa: DTZ007 - has no zone yet
                return at
    return None


def same_time(at: datetime, zone: tzinfo, there: tzinfo, days: timedelta = timedelta(0)) -> datetime:
    """Moment when zone `there` shows the wall time of `at` in `zone`, plus `days`."""
    local = at.astimezone(zone)
    return (local + days).replace(tzinfo=there, fold=local.fold).astimezone(UTC)
