"""The limits of guests: what people without an account may do in events that nobody with a password runs. Somebody with
an account lifts an event's by organising it (an organiser's invite), the operator all of them (`GUEST_LIMITS=0`).

Guests may not add webhooks, give roles by name or import results (the actions' `account=True`), make access tokens, or
choose an address or an organiser's name (`create_tournament`). Nothing here keeps anybody from what they have: reading,
exports and erasing go on.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db.models import Max

from tournament.actions.kernel.refusing import refuse_if
from tournament.models import Entry, Play, Tournament, User
from tournament.results import Fault, Refused
from tournament.server.rate_limits import GuestsThrottle, GuestThrottle, PageThrottle

MOST_ROWS = 3_000  # in an event's ledger
# In an event, and at a table. How often is in tournament/server/rate_limits.py: `EventThrottle`, `GuestThrottle` and
# `GuestsThrottle`. A table of eight, or of sixty, never meets a limit; a program does within minutes.
MOST = {"guest_players": 60, "guest_plays": 100}


def count(code: str, *throttles: PageThrottle) -> None:
    """Count one more. Raises Refused with this code where it is too often."""
    for throttle in throttles:
        if not throttle.allows():
            raise Refused(Fault(code, parameters={"seconds": (wait := throttle.seconds())}), wait=wait)


@contextmanager
def within_limits(user: User, tournament: Tournament, arguments: Mapping[str, Any]) -> Iterator[None]:
    """Hold a guest's command to the limits. Raises Refused `guest_writes`, `guest_rows` and the codes of MOST. An event
    from before that holds more goes on with as many."""
    count("guest_writes", GuestThrottle(f"{user.pk} {tournament.pk}"), GuestsThrottle())
    refuse_if(tournament.version >= MOST_ROWS, Fault("guest_rows"))
    had = _held(tournament)
    refuse_more({"guest_players": len(arguments.get("players", ()))}, had)
    yield
    refuse_more(_held(tournament), had)


def _held(tournament: Tournament) -> dict[str, int]:
    """Count the event's players, and the plays of the table that has most."""
    plays = Play.objects.filter(table__stage__tournament=tournament)
    return {
        "guest_players": Entry.objects.filter(tournament=tournament).count(),
        "guest_plays": plays.aggregate(most=Max("number"))["most"] or 0,
    }


def refuse_more(now: Mapping[str, int], had: Mapping[str, int] = {}) -> None:
    """Refuse more than MOST, but what an event `had`."""
    for code, number in now.items():
        refuse_if(number > max(had.get(code, 0), MOST[code]), Fault(code, parameters={"most": MOST[code]}))
