"""Finished answers of published pages, kept as bytes."""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

from tournament.live.versions import Versions

LIMIT = 64 * 1024 * 1024  # bytes, all answers together
MOST_ENCODINGS = 200  # bytes of an Accept-Encoding header that is read, and kept with the answer
# Headers that a 304 repeats (RFC 9110, 15.4.5); the others are in the browser's copy.
_KEPT_WITH_304 = {b"cache-control", b"content-location", b"vary"}

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: as the ASGI message that starts it and as the lines that an HTTP/1.1 connection is sent."""

    start: dict[str, Any]
    lines: bytes  # the headers, without those that a server puts before them
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
    """One form of a page, plain or compressed, and its 304."""

    etag: bytes
    full: Answer
    unchanged: Answer


@dataclass(frozen=True, slots=True)
class Entry:
    """The finished 200 answer of a published page: what was rendered at `version` of `scope`, in both forms.

    `packed` is None when compressing does not make it smaller.
    """

    scope: str
    version: int
    plain: Form
    packed: Form | None

    @classmethod
    def of(cls, scope: str, version: int, headers: Headers, body: bytes) -> "Entry":
        """Finish an answer: entity tags from the bytes, lengths, and a compressed form."""
        packed = gzip.compress(body, 6, mtime=0)
        small = _form([*headers, (b"content-encoding", b"gzip")], packed, b"-gzip")
        return cls(scope, version, _form(headers, body, b""), small if len(packed) < len(body) else None)

    @property
    def size(self) -> int:
        """Bytes of both forms and their headers."""
        return sum(
            len(form.full.body) + 2 * len(form.full.lines) for form in (self.plain, self.packed) if form
        )

    def answer(self, accept_encoding: bytes, if_none_match: bytes) -> Answer:
        """The answer to a request with these headers (empty when it has none)."""
        form = self.packed if self.packed and takes_gzip(accept_encoding) else self.plain
        known = if_none_match and (if_none_match == form.etag or _lists(if_none_match, form.etag))
        return form.unchanged if known else form.full


def _form(headers: Headers, body: bytes, suffix: bytes) -> Form:
    # The tag is of the bytes that are sent, so that it is as strong as it looks, also beside the other form.
    etag = b'"' + hashlib.sha256(body).hexdigest()[:32].encode() + suffix + b'"'
    full = [*headers, (b"content-length", b"%d" % len(body)), (b"etag", etag)]
    kept = [(name, value) for name, value in full if name in _KEPT_WITH_304 or name == b"etag"]
    return Form(etag, Answer.of(200, full, body), Answer.of(304, kept, b""))


def takes_gzip(accept_encoding: bytes) -> bool:
    """Tell whether an Accept-Encoding header names gzip (or *) with a weight above nought; a longer one than any
    browser's does not."""
    return len(accept_encoding) <= MOST_ENCODINGS and _takes_gzip(accept_encoding)


@lru_cache(64)  # of them a browser's few stay
def _takes_gzip(accept_encoding: bytes) -> bool:
    weights: dict[bytes, float] = {}
    for item in accept_encoding.lower().split(b","):
        coding, _, weight = item.replace(b" ", b"").partition(b";q=")
        try:
            weights[coding] = float(weight or 1)
        except ValueError:
            weights[coding] = 0
    return weights.get(b"gzip", weights.get(b"*", 0)) > 0


def _lists(if_none_match: bytes, etag: bytes) -> bool:
    """Tell whether an If-None-Match header names the tag, compared weakly (RFC 9110, 13.1.2)."""
    tags = [tag.strip().removeprefix(b"W/") for tag in if_none_match.split(b",")]
    return etag in tags or tags == [b"*"]


class Store:
    """Entries by path, at most `limit` bytes of them: those not asked for longest go first."""

    def __init__(self, versions: Versions, limit: int = LIMIT) -> None:
        self._versions, self._limit = versions, limit
        self.size = 0  # bytes held
        # Not cachetools' LRUCache: a hit takes 0.16 µs here, 0.42 µs there, and there it needs the lock.
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._lock = Lock()
        versions.listen(self._went_back)

    def fresh(self, path: str) -> Entry | None:
        """The entry of a path, if it is of its scope's known version."""
        entry = self._entries.get(path)
        if entry is None or self._versions.known(entry.scope) != entry.version:
            return None
        # One step of the interpreter, so it needs no lock.
        try:  # noqa: SIM105 - suppress() would cost more than the rest of this
            self._entries.move_to_end(path)
        except KeyError:  # another thread removed it meanwhile
            pass
        return entry

    def last(self, path: str) -> Entry | None:
        """The entry of a path, however old: a sign that a published page lives there."""
        return self._entries.get(path)

    def put(self, path: str, entry: Entry) -> None:
        """Keep an entry, unless a newer one is there or it is larger than everything that may be kept."""
        with self._lock:
            held = self._entries.get(path)
            if held and held.scope == entry.scope and held.version > entry.version:
                return
            self._remove(path)
            if entry.size > self._limit:
                return
            self._entries[path] = entry
            self.size += entry.size
            while self.size > self._limit:
                self._remove(next(iter(self._entries)))

    def drop(self, path: str, entry: Entry) -> None:
        """Forget this entry of a path: no published page lives there any more."""
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
        """Forget pages of a scope that is gone, and pages newer than theirs: it will come there again."""
        with self._lock:
            for path, entry in list(self._entries.items()):
                version = changed.get(entry.scope, entry.version)
                if version is None or version < entry.version:
                    self._remove(path)
