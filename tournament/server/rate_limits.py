"""Rate limits by network address. A venue shares one, so they are far above what a hall needs. The limit of wrong
passwords, by account, is in tournament/actions/people/sign_in.py."""

import hashlib
from contextvars import ContextVar
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import TYPE_CHECKING, Any, cast

from django.core.cache import caches
from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView


def place_of(address: str) -> str:
    """Give the place of a network address, of which IPv6 gives each customer a whole /64; "" for none."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(ip_network((int(found), 64), strict=False))
    return str(found)


# The place of the request that is being answered; None outside of one.
asking_from: ContextVar[str | None] = ContextVar("asking_from", default=None)


class PageThrottle(SimpleRateThrottle):
    """The limit of requests from one place: an address as the server in front gives it (not from a header of the
    client), and for IPv6 its customer."""

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """One key for each place; none, and so no limit, for what no request asked for."""
        del request, view
        place = asking_from.get()
        return None if place is None else f"throttle-{self.scope}-{place}"

    def allows(self) -> bool:
        """Tell whether the request that is being answered is within the limit; it is counted."""
        return self.allow_request(cast("Request", None), cast("APIView", None))

    def full(self) -> bool:
        """Tell whether the limit is reached; nothing is counted."""
        limit: Any = self  # as SimpleRateThrottle.allow_request, whose fields have no types
        limit.now = self.timer()
        tried = self.cache.get(self.get_cache_key(None, None), [])
        limit.history = [at for at in tried if at > limit.now - limit.duration]
        return bool(len(limit.history) >= limit.num_requests)

    def seconds(self) -> int:
        """Give the seconds to wait once the limit is reached."""
        return ceil(self.wait() or 0) or 1

    def headers(self) -> dict[str, str]:
        """Give the limit, what is left of it, and the seconds until the oldest request no longer counts."""
        limit: Any = self  # as in `full`
        return {
            "RateLimit-Limit": str(limit.num_requests),
            "RateLimit-Remaining": str(max(limit.num_requests - len(limit.history), 0)),
            "RateLimit-Reset": str(
                ceil(limit.duration - (limit.now - min(limit.history, default=limit.now)))
            ),
        }


class ApiThrottle(PageThrottle):
    """The limit of requests by one token, or from one address without a token."""

    scope = "api"
    rate = "1200/min"

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """One key for each token, else for each address."""
        if request.auth is not None:
            return f"throttle-{self.scope}-token-{request.auth.pk}"
        return super().get_cache_key(request, view)


class EventThrottle(PageThrottle):
    """The limit of events that guests of one address make."""

    scope = "event"
    rate = "60/day"


class GuestsThrottle(PageThrottle):
    """The limit of what all guests of one address enter in events that nobody with a password runs."""

    scope = "guests"
    rate = "600/min"


class ScoreThrottle(PageThrottle):
    """The limit of score sheets from one address, by the JSON interface and at tables of friends together."""

    scope = "score"
    rate = "600/min"


class PracticeThrottle(PageThrottle):
    """The limit of newcomers from one address; a school class that tries it together shares one."""

    scope = "practice"
    rate = "40/hour"


class WorkbookThrottle(PageThrottle):
    """The limit of long workbooks begun for one address."""

    scope = "workbook"
    rate = "30/hour"


class WrongTokenThrottle(PageThrottle):
    """The limit of invalid links and access tokens from one address. Tokens have 128 bits and more, so nobody guesses
    one; this keeps those who try from the database, and a valid one is never refused."""

    scope = "wrong-token"
    rate = "100/min"


class LinkThrottle(PageThrottle):
    """The limit of requests by one link from one address: a whole hall behind one address holds many links, and a link
    that was passed around keeps nobody out who holds another.

    These counts are apart from the others, which nobody can wash out with links or made-up names of browsers."""

    scope = "link"
    rate = "60/min"
    cache = caches["links"]

    def __init__(self, token: str) -> None:
        self._token = hashlib.sha256(token.encode()).hexdigest()[:32]
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        """One key for each link and address together."""
        return f"{super().get_cache_key(request, view)}-{self._token}"


class GuestThrottle(LinkThrottle):
    """The same limit for one guest in one event, of which the token is made."""

    scope = "guest"
    rate = "120/min"


class WrongCodeThrottle(LinkThrottle):
    """The limit of tables' short codes that one browser typed wrongly. A short code can be guessed: once a limit of
    wrong ones is reached, a right one is refused too."""

    scope = "wrong-code"
    rate = "10/min"


class WrongCodesThrottle(PageThrottle):
    """The same limit from one address: thirty browsers of a hall that each type as fast as they may."""

    scope = "wrong-codes"
    rate = "300/min"


class AllWrongCodesThrottle(PageThrottle):
    """The same limit from everywhere."""

    scope = "all-wrong-codes"
    rate = "1000/min"

    def get_cache_key(self, request: Any, view: Any) -> str:
        """One key for everybody."""
        del request, view
        return f"throttle-{self.scope}"
