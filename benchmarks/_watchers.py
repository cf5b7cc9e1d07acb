"""Many phones that watch one page, in a process of their own, so that they share no interpreter with the server.

    python benchmarks/_watchers.py    one line of JSON on standard input asks for something, one line answers

A watcher does what live.js does: it keeps a stream open, fetches the page when it hears of another version than it
shows (again, a little later, while the page is older than that), and asks by itself after ten seconds of silence. The
page comes over keep-alive connections that the watchers share, because a process may have only so many files open.

`drop` is the share of events that a watcher does not hear, by chance: lost on the way.
"""

import asyncio
import gzip
import json
import random
import re
import resource
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import uvloop
from _serving import raise_files

POLL = 10.0  # seconds without a sign of the server
AGAIN = 0.15  # seconds until a page that was too old is fetched again, doubled each time
AT_ONCE = 100  # connections that are opened together
FILES = 500  # that are left for all else

_VERSION = re.compile(rb'data-version="(\d+)"')


@dataclass
class Watched:
    """What all watchers look at."""

    port: int
    path: str
    scope: str
    fetches: bool
    drop: float = 0.0


class Watcher(asyncio.Protocol):
    """One phone's stream. `heard` and `shown` are versions, `..._at` when they came (time.monotonic)."""

    __slots__ = ("attempt", "crowd", "etag", "heard", "heard_at", "opened", "polled_at", "shown", "shown_at",
                 "sign_at", "transport", "waiting")  # fmt: skip

    def __init__(self, crowd: "Crowd") -> None:
        self.crowd = crowd
        self.heard = self.shown = -1
        self.heard_at = self.shown_at = self.sign_at = self.polled_at = 0.0
        self.etag = b""
        self.waiting = False
        self.attempt = 0
        self.opened = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.crowd.listen)

    def data_received(self, data: bytes) -> None:
        begin = data.rfind(b"data: ")
        if begin < 0:
            assert self.opened or data.startswith(b"HTTP/1.1 200"), data
            return
        if not self.opened:
            self.opened = True
        elif self.crowd.watched.drop and random.random() < self.crowd.watched.drop:
            self.crowd.dropped += 1
            return
        version = int(data[begin + 6 : data.index(b"\n", begin)])
        now = self.sign_at = time.monotonic()
        if version > self.heard:
            self.heard, self.heard_at = version, now
        if self.crowd.watched.fetches and version != self.shown:
            self.refresh()

    def refresh(self) -> None:
        if not self.waiting:
            self.waiting, self.attempt = True, 0
            self.fetch()

    def fetch(self) -> None:
        self.polled_at = time.monotonic()
        self.crowd.fetch(self)

    def fetched(self, version: int, etag: bytes) -> None:
        now = self.sign_at = time.monotonic()
        self.etag = etag
        if version > self.shown:
            self.shown, self.shown_at = version, now
        if self.shown >= self.heard:
            self.waiting = False
        else:
            self.crowd.loop.call_later(AGAIN * 2**self.attempt, self.fetch)
            self.attempt += 1


class Fetcher(asyncio.Protocol):
    """A keep-alive connection for pages, one request at a time."""

    def __init__(self, crowd: "Crowd") -> None:
        self.crowd = crowd
        self.watcher: Watcher | None = None
        self.parts: list[bytes] = []
        self.missing = -1  # bytes of the body; -1 before its length is known

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def ask(self, watcher: Watcher) -> None:
        self.watcher, self.parts, self.missing = watcher, [], -1
        match = b"If-None-Match: %b\r\n" % watcher.etag if watcher.etag else b""
        self.transport.write(self.crowd.get + match + b"\r\n")

    def data_received(self, data: bytes) -> None:
        self.parts.append(data)
        if self.missing >= 0:
            self.missing -= len(data)
        else:
            data = b"".join(self.parts)
            end = data.find(b"\r\n\r\n")
            if end < 0:
                return
            self.parts = [data]
            at = data.find(b"content-length: ", 0, end)
            length = int(data[at + 16 : data.index(b"\r\n", at)]) if at > 0 else 0
            self.missing = length - (len(data) - end - 4)
        if self.missing == 0:
            self.done()

    def done(self) -> None:
        answer = b"".join(self.parts)
        status = answer[9:12]
        assert status in (b"200", b"304"), answer[:200]
        at = answer.index(b"etag: ") + 6
        etag = answer[at : answer.index(b"\r\n", at)]
        if etag not in self.crowd.versions:
            self.crowd.versions[etag] = version_of(answer.partition(b"\r\n\r\n")[2])
        watcher, self.watcher = self.watcher, None
        self.crowd.free(self)
        if watcher:
            watcher.fetched(self.crowd.versions[etag], etag)


def version_of(body: bytes) -> int:
    """The version that a page says; of a raw answer, its bytes' own."""
    found = _VERSION.search(gzip.decompress(body))
    assert found, body[:200]
    return int(found[1])


class Crowd:
    """All watchers of one server."""

    def __init__(self, watched: Watched) -> None:
        self.loop = asyncio.get_running_loop()
        self.watched = watched
        self.watchers: list[Watcher] = []
        self.fetchers: list[Fetcher] = []
        self.versions: dict[bytes, int] = {}
        self.dropped = 0
        self._idle: deque[Fetcher] = deque()
        self._asking: deque[Watcher] = deque()
        head = "Host: lastcard.test\r\nAccept-Encoding: gzip, deflate, br\r\nUser-Agent: benchmark\r\n"
        self.listen = (
            f"GET /live/{watched.scope} HTTP/1.1\r\n{head}Accept: text/event-stream\r\n\r\n".encode()
        )
        self.get = (
            f"GET {watched.path} HTTP/1.1\r\n{head}Accept: */*\r\nCache-Control: max-age=0\r\n".encode()
        )

    async def open(self, streams: int, pages: int) -> None:
        """Open the connections for pages first, then the streams, and wait for each one's first event."""
        if self.watched.fetches:
            self.fetchers = [Fetcher(self) for _ in range(pages)]
            await self._connect(self.fetchers)
            self._idle.extend(self.fetchers)
        self.watchers = [Watcher(self) for _ in range(streams)]
        await self._connect(self.watchers)
        while not all(one.opened and not one.waiting for one in self.watchers):
            await asyncio.sleep(0.05)
        self.loop.call_later(1, self._tick)

    async def until(self, version: int, what: str) -> list[float]:
        """When each watcher had heard of (`heard`) or had (`shown`) a version, once they all have."""
        async with asyncio.timeout(60):
            while any(getattr(one, what) < version for one in self.watchers):
                await asyncio.sleep(0.02)
        return [getattr(one, f"{what}_at") for one in self.watchers]

    def fetch(self, watcher: Watcher) -> None:
        if self._idle:
            self._idle.pop().ask(watcher)
        else:
            self._asking.append(watcher)

    def free(self, fetcher: Fetcher) -> None:
        if self._asking:
            fetcher.ask(self._asking.popleft())
        else:
            self._idle.append(fetcher)

    def close(self) -> None:
        for each in (*self.watchers, *self.fetchers):
            each.transport.abort()
        self.watchers.clear()
        self.fetchers.clear()

    async def _connect(self, protocols: Sequence[asyncio.Protocol]) -> None:
        for begin in range(0, len(protocols), AT_ONCE):
            source = f"127.0.0.{2 + begin // AT_ONCE % 8}"  # an address has no more than 28,000 ports
            await asyncio.gather(
                *(
                    self.loop.create_connection(
                        lambda one=one: one, "127.0.0.1", self.watched.port, local_addr=(source, 0)
                    )
                    for one in protocols[begin : begin + AT_ONCE]
                )
            )

    def _tick(self) -> None:
        now = time.monotonic()
        for one in self.watchers if self.watched.fetches else ():
            if now - max(one.sign_at, one.polled_at) >= POLL:
                one.refresh()
        if self.watchers:
            self.loop.call_later(1, self._tick)


def pages_at_most(streams: int) -> int:
    """Connections for pages, beside so many streams, that a process may have here."""
    raise_files()
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(100, min(streams, files - streams - FILES))


async def serve() -> None:
    crowd: Crowd | None = None
    print("{}", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        asked = json.loads(line)
        answer: dict[str, Any] = {}
        if asked["do"] == "open":
            crowd = Crowd(Watched(**asked["watched"]))
            await crowd.open(asked["streams"], pages_at_most(asked["streams"]))
            answer["pages"] = len(crowd.fetchers)
        elif asked["do"] == "until":
            assert crowd
            answer["at"] = await crowd.until(asked["version"], asked["what"])
            answer["dropped"] = crowd.dropped
        elif asked["do"] == "drop":
            assert crowd
            crowd.watched.drop, crowd.dropped = asked["share"], 0
        elif crowd:
            crowd.close()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    uvloop.run(serve())
