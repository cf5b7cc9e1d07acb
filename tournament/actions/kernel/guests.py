"""Limits of guests (users without an account) in events that no account runs; off with `GUEST_LIMITS=0`.

No webhooks, roles by name or imported results (`account=True`), access tokens, chosen address or organiser's name
(`create_tournament`). Reading, exports and erasure are never limited.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db.models import Max

from tournament.actions.kernel.refusing import refuse_if
from tournament.models import Entry, Play, Tournament, User
from tournament.results import Fault, Refused
from tournament.server.rate_limits import GuestsThrottle, GuestThrottle, PageThrottle

MOST_ROWS = 3_000  # ledger rows of an event
# Players of an event, plays of a table. Rates: `EventThrottle`, `GuestThrottle`, `GuestsThrottle`
# (tournament/server/rate_limits.py).
MOST = {"guest_players": 60, "guest_plays": 100}


def count(code: str, *throttles: PageThrottle) -> None:
    """Count one use. Raises Refused with this code, and the seconds to wait, if it is too often."""
    for throttle in throttles:
        if not throttle.allows():
            raise Refused(Fault(code, parameters={"seconds": (wait := throttle.seconds())}), wait=wait)


@contextmanager
def within_limits(user: User, tournament: Tournament, arguments: Mapping[str, Any]) -> Iterator[None]:
    """Hold a guest's command to the limits. Refused `guest_writes`, `guest_rows` and the codes of MOST; existing
    excess passes."""
    count("guest_writes", GuestThrottle(f"{user.pk} {tournament.pk}"), GuestsThrottle())
    refuse_if(tournament.version >= MOST_ROWS, Fault("guest_rows"))
    had = _held(tournament)
    refuse_more({"guest_players": len(arguments.get("players", ()))}, had)
    yield
    refuse_more(_held(tournament), had)


def _held(tournament: Tournament) -> dict[str, int]:
    plays = Play.objects.filter(table__stage__tournament=tournament)
    return {
        "guest_players": Entry.objects.filter(tournament=tournament).count(),
        "guest_plays": plays.aggregate(most=Max("number"))["most"] or 0,
    }


def refuse_more(now: Mapping[str, int], had: Mapping[str, int] = {}) -> None:
    """Refuse more than MOST, or than the event `had` if that is more."""
    for code, number in now.items():
        refuse_if(number > max(had.get(code, 0), MOST[code]), Fault(code, parameters={"most": MOST[code]}))
