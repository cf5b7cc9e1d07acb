"""Rate limits by network address. A venue shares one, so they are far above what a hall needs. The limit of wrong
passwords, by account, is in tournament/actions/people/sign_in.py."""

import hashlib
from math import ceil
from typing import Any, cast

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView


class AddressThrottle(SimpleRateThrottle):
    """The limit of requests from one address, as the server in front gives it (not from a header of the client)."""

    def get_cache_key(self, request: Any, view: Any) -> str:
        del view
        return f"throttle-{self.scope}-{request.META.get('REMOTE_ADDR', '')}"


class ScoreThrottle(AddressThrottle):
    scope = "score"
    rate = "600/min"


class ApiThrottle(AddressThrottle):
    """The limit of requests by one token, or from one address without a token."""

    scope = "api"
    rate = "1200/min"

    def get_cache_key(self, request: Any, view: Any) -> str:
        """One key for each token, else for each address."""
        if request.auth is not None:
            return f"throttle-{self.scope}-token-{request.auth.pk}"
        return super().get_cache_key(request, view)


class EventThrottle(AddressThrottle):
    scope = "event"
    rate = "60/hour"

    def allows(self, request: HttpRequest | Request) -> bool:
        """Tell whether a request to a page, outside of the JSON interface, is within the limit; it is counted."""
        # Only request.META is read, which both kinds of request have.
        return self.allow_request(cast("Request", request), cast("APIView", None))

    def full(self, request: HttpRequest) -> bool:
        """Tell whether the limit is reached; nothing is counted."""
        limit: Any = self  # as SimpleRateThrottle.allow_request, whose fields have no types
        limit.now = self.timer()
        tried = self.cache.get(self.get_cache_key(request, None), [])
        limit.history = [at for at in tried if at > limit.now - limit.duration]
        return bool(len(limit.history) >= limit.num_requests)

    def seconds(self) -> int:
        """Give the seconds to wait once the limit is reached."""
        return ceil(self.wait() or 0) or 1


class PracticeThrottle(EventThrottle):
    """The limit of newcomers from one address; a school class that tries it together shares one."""

    scope = "practice"
    rate = "40/hour"


class WorkbookThrottle(EventThrottle):
    """The limit of long workbooks begun for one address."""

    scope = "workbook"
    rate = "30/hour"


class WrongTokenThrottle(EventThrottle):
    """The limit of invalid links and access tokens from one address. Tokens have 128 bits and more, so nobody guesses
    one; this keeps those who try from the database, and a valid one is never refused."""

    scope = "wrong-token"
    rate = "100/min"


class LinkThrottle(EventThrottle):
    """The limit of requests by one link from one address: a whole hall behind one address holds many links, and a link
    that was passed around keeps nobody out who holds another."""

    scope = "link"
    rate = "60/min"

    def __init__(self, token: str) -> None:
        self._token = hashlib.sha256(token.encode()).hexdigest()[:32]
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        """One key for each link and address together."""
        return f"{super().get_cache_key(request, view)}-{self._token}"


class WrongCodeThrottle(LinkThrottle):
    """The limit of tables' short codes that one browser typed wrongly. A short code can be guessed: once a limit of
    wrong ones is reached, a right one is refused too."""

    scope = "wrong-code"
    rate = "10/min"


class WrongCodesThrottle(EventThrottle):
    """The same limit from one address: thirty browsers of a hall that each type as fast as they may."""

    scope = "wrong-codes"
    rate = "300/min"


class AllWrongCodesThrottle(EventThrottle):
    """The same limit from everywhere."""

    scope = "all-wrong-codes"
    rate = "1000/min"

    def get_cache_key(self, request: Any, view: Any) -> str:
        """One key for everybody."""
        del request, view
        return f"throttle-{self.scope}"
