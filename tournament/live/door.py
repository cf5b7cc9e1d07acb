"""Connection limits per address and in total. When full, new connections evict the longest idle one. Trusted proxies
have only the total limit."""

from asyncio import Transport
from typing import Protocol

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tournament.server.rate_limits import place_of

KEPT_FILES = 64  # for database, static files, subprocesses, outgoing messages
SHORT_S = 5  # client timeout in seconds when over half full


class Connection(Protocol):
    """A connection that the door can cut."""

    @property
    def transport(self) -> Transport: ...


class Place:
    """Connections of one address or /64; named "" for all trusted proxies."""

    def __init__(self, name: str) -> None:
        self.name, self.open = name, 0
        self.waiting: dict[Connection, None] = {}  # awaiting a request or its head, oldest first


class Door:
    """Limits connections: `each` per place, in total `files` (descriptors) less a reserve."""

    def __init__(self, files: int, each: int, proxies: list[str]) -> None:
        self.open, self.most = 0, max(files - KEPT_FILES, files // 2)
        self._each = min(each, self.most // 2)
        self._trusted = ProxyHeadersMiddleware(None, proxies).trusted_hosts  # type: ignore[arg-type]
        self._places: dict[str, Place] = {}

    def enter(self, address: str) -> Place:
        """Register a connection and return its place."""
        name = "" if address in self._trusted else place_of(address)
        place = self._places.get(name) or self._places.setdefault(name, Place(name))
        self.open, place.open = self.open + 1, place.open + 1
        return place

    def leave(self, connection: Connection, place: Place) -> None:
        place.waiting.pop(connection, None)
        self.open, place.open = self.open - 1, place.open - 1
        if not place.open:
            del self._places[place.name]

    def make_room(self, place: Place) -> bool:
        """Whether the connection fits, after evicting an idle one if needed."""
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
        """Client timeout in seconds: `usual`, or SHORT_S when over half full."""
        return SHORT_S if self.open > self.most // 2 and place.name else usual
