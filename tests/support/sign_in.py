"""Places from which tests try passwords, and what is counted of them."""

from django.core import signing

from tournament.actions.people import sign_in as rate_limit
from tournament.live.proved import KNOWN_COOKIE, KNOWN_SALT
from tournament.models import WrongTries

HALL, ELSEWHERE = "192.0.2.1", "198.51.100.7"


def tries_at(name: str, place: str = HALL) -> WrongTries:
    """Get the count of wrong tries for the account from the place."""
    return WrongTries.objects.get(digest=rate_limit._digest(name, place))


def known_cookie() -> str:
    """Make the cookie of a device on which somebody signed in."""
    return f"{KNOWN_COOKIE}={signing.dumps(['0' * 32, []], salt=KNOWN_SALT)}"
