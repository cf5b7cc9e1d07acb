"""Rate limits by address, generous since a venue shares one."""

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
    """The address, or its /64 for IPv6; "" if unknown."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(ip_network((int(found), 64), strict=False))
    return str(found)


# `place_of` the current request; None outside.
asking_from: ContextVar[str | None] = ContextVar("asking_from", default=None)


class PageThrottle(SimpleRateThrottle):
    """Requests per address or /64."""

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Key per place; None (unlimited) outside requests."""
        del request, view
        place = asking_from.get()
        return None if place is None else f"throttle-{self.scope}-{place}"

    def allows(self) -> bool:
        """Whether the current request is within the limit; counts it."""
        return self.allow_request(cast("Request", None), cast("APIView", None))

    def full(self) -> bool:
        """Whether the limit is reached, without counting."""
        limit: Any = self  # untyped base class
        limit.now = self.timer()
        tried = self.cache.get(self.get_cache_key(None, None), [])
        limit.history = [at for at in tried if at > limit.now - limit.duration]
        return bool(len(limit.history) >= limit.num_requests)

    def seconds(self) -> int:
        """Seconds to wait once the limit is reached."""
        return ceil(self.wait() or 0) or 1

    def headers(self) -> dict[str, str]:
        """RateLimit headers: limit, remaining, seconds to reset."""
        limit: Any = self
        return {
            "RateLimit-Limit": str(limit.num_requests),
            "RateLimit-Remaining": str(max(limit.num_requests - len(limit.history), 0)),
            "RateLimit-Reset": str(
                ceil(limit.duration - (limit.now - min(limit.history, default=limit.now)))
            ),
        }


class ApiThrottle(PageThrottle):
    """Limit of API requests per token, else address."""

    scope = "api"
    rate = "1200/min"

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        if request.auth is not None:
            return f"throttle-{self.scope}-token-{request.auth.pk}"
        return super().get_cache_key(request, view)


class EventThrottle(PageThrottle):
    """Limit of events created by guests."""

    scope = "event"
    rate = "60/day"


class GuestsThrottle(PageThrottle):
    """Limit of guests' entries in events without an organiser's password."""

    scope = "guests"
    rate = "600/min"


class ScoreThrottle(PageThrottle):
    """Limit of score sheets, by API or tables of friends."""

    scope = "score"
    rate = "600/min"


class PracticeThrottle(PageThrottle):
    """Limit of practice newcomers."""

    scope = "practice"
    rate = "40/hour"


class WorkbookThrottle(PageThrottle):
    """Limit of long workbooks started."""

    scope = "workbook"
    rate = "30/hour"


class WrongTokenThrottle(PageThrottle):
    """Limit of invalid links and tokens, for the database's sake; valid ones always pass."""

    scope = "wrong-token"
    rate = "100/min"


class LinkThrottle(PageThrottle):
    """Requests per link and address, so that a leaked link does not block others. Made-up links evict none: its own
    cache."""

    scope = "link"
    rate = "60/min"
    cache = caches["links"]

    def __init__(self, token: str) -> None:
        self._token = hashlib.sha256(token.encode()).hexdigest()[:32]
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        return f"{super().get_cache_key(request, view)}-{self._token}"


class GuestThrottle(LinkThrottle):
    """Limit of requests per guest and event."""

    scope = "guest"
    rate = "120/min"


class WrongCodeThrottle(LinkThrottle):
    """Wrong short table codes per browser; beyond the limit right ones are refused too."""

    scope = "wrong-code"
    rate = "10/min"


class WrongCodesThrottle(PageThrottle):
    """Wrong codes per address."""

    scope = "wrong-codes"
    rate = "300/min"


class AllWrongCodesThrottle(PageThrottle):
    """Wrong codes in total."""

    scope = "all-wrong-codes"
    rate = "1000/min"

    def get_cache_key(self, request: Any, view: Any) -> str:
        del request, view
        return f"throttle-{self.scope}"
