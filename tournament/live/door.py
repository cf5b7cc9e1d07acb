"""Limits connections: so many of one address, and as many in all as leave some files to the database.

Where there is no room, a new connection takes the place of the one that has waited longest for a request, so that
silent ones keep nobody out. Proxies that are trusted bring limits of their own; only files run out for them.
"""

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tournament.server.rate_limits import place_of

KEPT_FILES = 64  # for the database, static files, programs that are started, messages to others
SHORT_S = 5  # seconds that the server waits for a client, while more than half of the connections are taken


class Place:
    """The open connections of one address, of which IPv6 gives each customer many; "" is all trusted proxies."""

    def __init__(self, name: str) -> None:
        self.name, self.open = name, 0
        self.waiting: dict[
            HttpToolsProtocol, None
        ] = {}  # for a request or the rest of its head, the oldest first


class Door:
    """The connections of this process: at most `each` of one place, and of all what `files` open files leave."""

    def __init__(self, files: int, each: int, proxies: list[str]) -> None:
        self.open, self.most = 0, max(files - KEPT_FILES, files // 2)
        self._each = min(each, self.most // 2)
        self._trusted = ProxyHeadersMiddleware(None, proxies).trusted_hosts  # type: ignore[arg-type]  # serves nobody
        self._places: dict[str, Place] = {}

    def enter(self, address: str) -> Place:
        """Count a connection of this address."""
        name = "" if address in self._trusted else place_of(address)
        place = self._places.get(name) or self._places.setdefault(name, Place(name))
        self.open, place.open = self.open + 1, place.open + 1
        return place

    def leave(self, connection: HttpToolsProtocol, place: Place) -> None:
        place.waiting.pop(connection, None)
        self.open, place.open = self.open - 1, place.open - 1
        if not place.open:
            del self._places[place.name]

    def make_room(self, place: Place) -> bool:
        """Tell whether there is room for a connection that was counted, and hang up on another one for it."""
        if place.name and place.open > self._each:
            full = place
        elif self.open > self.most:
            full = max(self._places.values(), key=lambda each: len(each.waiting) if each.name else -1)
        else:
            return True
        oldest = next(iter(full.waiting if full.name else ()), None)
        if oldest is not None:
            del full.waiting[oldest]
            oldest.transport.abort()
        return oldest is not None

    def patience(self, place: Place, usual: int) -> int:
        """Give the seconds that the server waits for a client of this place, usually `usual`."""
        return SHORT_S if self.open > self.most // 2 and place.name else usual
