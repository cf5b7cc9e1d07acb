"""Finished responses of published pages, as bytes."""

import gzip
import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import Any

logger = logging.getLogger(__name__)

# Seconds without database until versions are doubtful.
DOUBT_S = 10.0
PROGRAM = "program"  # scope of pages that change only with the program; always 0

# Called in the announcing thread with each changed scope's version, None if deleted.
Listener = Callable[[Mapping[str, int | None]], None]


class Versions:
    """Known version per scope; thread-safe."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._listeners: tuple[Listener, ...] = ()
        self._lock = Lock()
        self._settled = float("-inf")

    @property
    def silent_s(self) -> float:
        """Seconds since the last database read; infinite before the first."""
        return time.monotonic() - self._settled

    @property
    def doubtful(self) -> bool:
        """Whether commits may be missing: the database answered before, but not for DOUBT_S."""
        return DOUBT_S < self.silent_s < float("inf")

    def known(self, scope: str) -> int | None:
        """Known version of a scope; None if unknown."""
        return self._known.get(scope)

    def all(self) -> dict[str, int]:
        with self._lock:
            return dict(self._known)

    def announce(self, changes: Mapping[str, int]) -> None:
        """Announce committed versions; never lowers one, never raises."""
        try:
            with self._lock:
                risen = {scope: version for scope, version in changes.items() if version > self._at(scope)}
                self._known.update(risen)
            self._tell(risen)
        except Exception:  # already committed: must not look failed
            logger.exception("could not announce %r", changes)

    def settle(self, before: Mapping[str, int], read: Mapping[str, int]) -> None:
        """Apply versions `read` from the database; `before` is the snapshot before that. A lower or missing one was
        rolled back."""
        with self._lock:
            changed = {
                scope: version
                for scope, version in read.items()
                if version > self._at(scope) or version < before.get(scope, -1)
            }
            self._known.update(changed)
            gone = before.keys() - read.keys()
            for scope in gone:
                self._known.pop(scope, None)
        self._settled = time.monotonic()
        self._tell(changed | dict.fromkeys(gone))

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe `listener`; returns the unsubscribe function."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def stop() -> None:
            with self._lock:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop

    def _at(self, scope: str) -> int:
        return self._known.get(scope, -1)

    def _tell(self, changed: Mapping[str, int | None]) -> None:
        if not changed:
            return
        for listener in self._listeners:
            try:
                listener(changed)
            except Exception:  # isolate listeners
                logger.exception("a listener failed at %r", changed)


versions = Versions()

# ---- Stored responses ----


LIMIT = 64 * 1024 * 1024  # bytes in total
MOST_ENCODINGS = 200  # longest Accept-Encoding, bytes
# Headers repeated in a 304 (RFC 9110, 15.4.5).
_KEPT_WITH_304 = {b"cache-control", b"content-location", b"vary"}

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Answer:
    """One response, for ASGI (`start`) and raw HTTP/1.1 (`lines`)."""

    start: dict[str, Any]
    lines: bytes
    body: bytes

    @classmethod
    def of(cls, status: int, headers: Headers, body: bytes) -> "Answer":
        start = {"type": "http.response.start", "status": status, "headers": headers}
        return cls(start, b"".join(b"%b: %b\r\n" % header for header in headers), body)

    @property
    def status(self) -> int:
        return int(self.start["status"])


@dataclass(frozen=True, slots=True)
class Form:
    """One encoding of a page, with its 304."""

    etag: bytes
    full: Answer
    unchanged: Answer


@dataclass(frozen=True, slots=True)
class Entry:
    """Finished response of a page at `version` of `scope`; `packed` None if gzip does not shrink it; `former` the page
    that this one replaced."""

    scope: str
    version: int
    plain: Form
    packed: Form | None
    former: Form | None = None

    @classmethod
    def of(cls, scope: str, version: int, headers: Headers, body: bytes) -> "Entry":
        """Build the entry: Content-Length, a gzip form, and strong ETags: the text's, with a suffix for gzip."""
        packed, tag = gzip.compress(body, 6, mtime=0), hashlib.sha256(body).hexdigest()[:32].encode()
        small = _form([*headers, (b"content-encoding", b"gzip")], packed, tag + b"-gzip")
        return cls(scope, version, _form(headers, body, tag), small if len(packed) < len(body) else None)

    @property
    def size(self) -> int:
        """Bytes of all forms with headers."""
        forms = (self.plain, self.packed, self.former)
        return sum(len(form.full.body) + 2 * len(form.full.lines) for form in forms if form)

    def answer(self, accept_encoding: bytes, if_none_match: bytes) -> Answer:
        """Response to a request with these headers (b"" if absent)."""
        form = self.packed if self.packed and takes_gzip(accept_encoding) else self.plain
        # Compared weakly (RFC 9110, 13.1.2).
        tags = [tag.strip().removeprefix(b"W/") for tag in if_none_match.split(b",")]
        return form.unchanged if form.etag in tags or tags == [b"*"] else form.full


def _form(headers: Headers, body: bytes, tag: bytes) -> Form:
    etag = b'"%b"' % tag
    full = [*headers, (b"content-length", b"%d" % len(body)), (b"etag", etag)]
    kept = [(name, value) for name, value in full if name in _KEPT_WITH_304 or name == b"etag"]
    return Form(etag, Answer.of(200, full, body), Answer.of(304, kept, b""))


def takes_gzip(accept_encoding: bytes) -> bool:
    """Whether Accept-Encoding allows gzip or * (q > 0) and is not oversized."""
    return len(accept_encoding) <= MOST_ENCODINGS and _takes_gzip(accept_encoding)


@lru_cache(64)  # browsers send few variants
def _takes_gzip(accept_encoding: bytes) -> bool:
    weights: dict[bytes, float] = {}
    for item in accept_encoding.lower().split(b","):
        coding, _, weight = item.replace(b" ", b"").partition(b";q=")
        try:
            weights[coding] = float(weight or 1)
        except ValueError:
            weights[coding] = 0
    return weights.get(b"gzip", weights.get(b"*", 0)) > 0


class Store:
    """LRU cache of entries by path, at most `limit` bytes."""

    def __init__(self, versions: Versions, limit: int = LIMIT) -> None:
        self._versions, self._limit = versions, limit
        self.size = 0
        # Not cachetools.LRUCache: 2.6 times slower, and it needs the lock.
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._lock = Lock()
        versions.listen(self._went_back)

    def fresh(self, path: str) -> Entry | None:
        """Entry at its scope's known version, else None."""
        entry = self._entries.get(path)
        if entry is None or self._versions.known(entry.scope) != entry.version:
            return None
        # Atomic under the GIL.
        try:  # noqa: SIM105 - suppress() would cost more than the rest of this
            self._entries.move_to_end(path)
        except KeyError:  # removed concurrently
            pass
        return entry

    def last(self, path: str) -> Entry | None:
        """Entry of a published path, even if stale, else None."""
        return self._entries.get(path)

    def put(self, path: str, entry: Entry) -> None:
        """Store an entry, unless older than the present one or over `limit`."""
        with self._lock:
            held = self._entries.get(path)
            if held and held.scope == entry.scope and held.version > entry.version:
                return
            self._remove(path)
            if held and held.version < entry.version:
                entry = replace(entry, former=held.plain)
            if entry.size > self._limit:
                return
            self._entries[path] = entry
            self.size += entry.size
            while self.size > self._limit:
                self._remove(next(iter(self._entries)))

    def drop(self, path: str, entry: Entry) -> None:
        """Remove this entry, no longer published."""
        with self._lock:
            if self._entries.get(path) is entry:
                self._remove(path)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self.size = 0

    def _remove(self, path: str) -> None:
        if entry := self._entries.pop(path, None):
            self.size -= entry.size

    def _went_back(self, changed: Mapping[str, int | None]) -> None:
        """Drop pages of deleted or rolled-back scopes."""
        with self._lock:
            for path, entry in list(self._entries.items()):
                version = changed.get(entry.scope, entry.version)
                if version is None or version < entry.version:
                    self._remove(path)
