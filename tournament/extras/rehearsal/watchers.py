"""Process of watching phones, which behave like live.js. Their pages share connections, since file descriptors are
limited.

python -m tournament.extras.rehearsal.watchers    JSON lines on stdin and stdout
"""

import asyncio
import gzip
import json
import random
import re
import ssl
import sys
import time
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from tournament.server.machine import most_files

FILES = 500  # file descriptors reserved
POLL = 10.0  # seconds of silence
AGAIN = 0.15  # seconds before refetching, doubled up to LONGEST_AGAIN
LONGEST_AGAIN = 5.0
RETRY = (2.0, 5.0)  # seconds before reconnecting, random
CONNECTIONS_AT_ONCE = 100  # concurrent connection attempts
PATIENCE = 60.0  # seconds to catch up
LOCAL = "127.0.0.1"

_VERSION = re.compile(rb'data-version="(\d+)"')


@dataclass
class Watched:
    """The crowd's page. `history`: record when versions arrive."""

    port: int
    path: str
    scope: str
    fetches: bool
    drop: float = 0.0
    host: str = LOCAL
    tls: bool = False
    history: bool = False


class Connected(asyncio.Protocol):
    """Protocol that stores its transport."""

    __slots__ = ("transport",)

    transport: Any

    def connection_made(self, transport: Any) -> None:
        self.transport = transport


class Watcher(Connected):
    """One phone's stream. `heard` and `shown` are versions, `..._at` their times (time.monotonic)."""

    __slots__ = ("attempt", "crowd", "etag", "heard", "heard_at", "opened", "polled_at", "shown", "shown_at",
                 "sign_at", "versions", "versions_at", "waiting")  # fmt: skip

    def __init__(self, crowd: "Crowd") -> None:
        self.crowd = crowd
        self.heard = self.shown = -1
        self.heard_at = self.shown_at = self.sign_at = self.polled_at = 0.0
        self.etag = b""
        self.waiting = self.opened = False
        self.attempt = 0
        self.versions = array("q")
        self.versions_at = array("d")

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        transport.write(self.crowd.listen)

    def connection_lost(self, exc: Exception | None) -> None:
        """Random pause against a thundering herd."""
        del exc
        self.opened = False
        if not self.crowd.closed:
            self.crowd.loop.call_later(random.uniform(*RETRY), self.crowd.reopen, self)

    def data_received(self, data: bytes) -> None:
        begin = data.rfind(b"data: ")
        if begin < 0:
            if not self.opened and not data.startswith(b"HTTP/1.1 200"):
                self.crowd.refused += 1
                self.transport.abort()
            return
        if not self.opened:
            self.opened = True
        elif self.crowd.watched.drop and random.random() < self.crowd.watched.drop:
            self.crowd.dropped += 1
            return
        words = data[begin + 6 :].partition(b"\n")[0].split(b" ")
        changed = len(words) > 1  # what changed, else a version alone
        version = int(words[2 if changed else 0])
        now = self.sign_at = time.monotonic()
        if version > self.heard:
            self.heard, self.heard_at = version, now
        if not self.crowd.watched.fetches or version == self.shown:
            return
        if changed and not self.waiting and self.etag.strip(b'"').removesuffix(b"-gzip") == words[0]:
            etag = b'"%b-gzip"' % words[1]
            self.crowd.versions[etag] = version
            self.fetched(version, etag)
        else:
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
            if self.crowd.watched.history:
                self.versions.append(version)
                self.versions_at.append(now)
        if self.shown >= self.heard:
            self.waiting = False
        else:
            self.later()

    def later(self) -> None:
        """Fetch again with backoff."""
        self.crowd.loop.call_later(min(AGAIN * 2**self.attempt, LONGEST_AGAIN), self.fetch)
        self.attempt += 1


class Fetcher(Connected):
    """Keep-alive connection for pages, one request at a time."""

    def __init__(self, crowd: "Crowd") -> None:
        self.crowd = crowd
        self.watcher: Watcher | None = None
        self.parts: list[bytes] = []
        self.missing = -1  # bytes of the body; -1: unknown

    def connection_lost(self, exc: Exception | None) -> None:
        """Retry on another connection, and reconnect."""
        del exc
        if self.crowd.closed:
            return
        self.crowd.lost(self)
        watcher, self.watcher = self.watcher, None
        if watcher:
            watcher.later()

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
        watcher, self.watcher = self.watcher, None
        assert watcher is not None, "nobody asked"
        if answer[9:12] not in (b"200", b"304"):
            self.crowd.refused += 1
            self.crowd.free(self)
            watcher.later()
            return
        at = answer.index(b"etag: ") + 6
        etag = answer[at : answer.index(b"\r\n", at)]
        if etag not in self.crowd.versions:
            self.crowd.versions[etag] = version_of(answer.partition(b"\r\n\r\n")[2])
        self.crowd.free(self)
        watcher.fetched(self.crowd.versions[etag], etag)


def version_of(body: bytes) -> int:
    """The version in a page, gzipped or not."""
    found = _VERSION.search(gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body)
    assert found, body[:200]
    return int(found[1])


class Crowd:
    """Watchers of a page; counts `dropped` events, `cut` streams, `refused` responses."""

    def __init__(self, watched: Watched) -> None:
        self.loop = asyncio.get_running_loop()
        self.watched = watched
        self.watchers: list[Watcher] = []
        self.fetchers: list[Fetcher] = []
        self.versions: dict[bytes, int] = {}
        self.dropped = self.cut = self.refused = 0
        self.closed = False
        self._idle: deque[Fetcher] = deque()
        self._asking: deque[Watcher] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        head = f"Host: {watched.host}:{watched.port}\r\nAccept-Encoding: gzip, deflate, br\r\nUser-Agent: rehearsal\r\n"
        page = f"?page={watched.path}" if watched.fetches else ""
        self.listen = (
            f"GET /live/{watched.scope}{page} HTTP/1.1\r\n{head}Accept: text/event-stream\r\n\r\n".encode()
        )
        self.get = (
            f"GET {watched.path} HTTP/1.1\r\n{head}Accept: */*\r\nCache-Control: max-age=0\r\n".encode()
        )

    async def open(self, streams: int, pages: int) -> None:
        """Open page connections, then streams; wait for first events."""
        if self.watched.fetches:
            self.fetchers = [Fetcher(self) for _ in range(pages)]
            await self._connect_all(self.fetchers)
            self._idle.extend(self.fetchers)
        self.watchers = [Watcher(self) for _ in range(streams)]
        await self._connect_all(self.watchers)
        async with asyncio.timeout(PATIENCE):
            while not all(one.opened and not one.waiting for one in self.watchers):
                await asyncio.sleep(0.05)
        self.loop.call_later(1, self._tick)

    async def until(self, version: int, what: str) -> list[float]:
        """Times when all watchers `heard` or `shown` (`what`) a version."""
        async with asyncio.timeout(PATIENCE):
            while any(getattr(one, what) < version for one in self.watchers):
                await asyncio.sleep(0.02)
        return [getattr(one, f"{what}_at") for one in self.watchers]

    def behind(self, version: int) -> int:
        """Watchers not yet showing the version."""
        return sum(one.shown < version for one in self.watchers)

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

    def lost(self, fetcher: Fetcher) -> None:
        """Drop a page connection until it is reopened."""
        if fetcher in self._idle:
            self._idle.remove(fetcher)
        self.loop.call_later(random.uniform(*RETRY) / 4, lambda: self._begin(self._reopen(fetcher)))

    def reopen(self, watcher: Watcher) -> None:
        if not self.closed:
            self.cut += 1
            self._begin(self._reopen(watcher))

    def close(self) -> None:
        self.closed = True
        for each in (*self.watchers, *self.fetchers):
            each.transport.abort()
        self.watchers.clear()
        self.fetchers.clear()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reopen(self, one: Watcher | Fetcher) -> None:
        if self.closed:
            return
        try:
            await self._connect(one)
        except OSError:
            one.connection_lost(None)
        else:
            if isinstance(one, Fetcher):
                self.free(one)

    async def _connect_all(self, protocols: Sequence[Connected]) -> None:
        for begin in range(0, len(protocols), CONNECTIONS_AT_ONCE):
            await asyncio.gather(
                *(
                    self._connect(one, begin // CONNECTIONS_AT_ONCE)
                    for one in protocols[begin : begin + CONNECTIONS_AT_ONCE]
                )
            )

    async def _connect(self, protocol: Connected, part: int | None = None) -> None:
        """Several local addresses: each has only 28,000 ports."""
        more: dict[str, Any] = {"ssl": ssl.create_default_context()} if self.watched.tls else {}
        if self.watched.host == LOCAL and sys.platform == "linux":
            more["local_addr"] = (f"127.0.0.{2 + (random.randrange(8) if part is None else part % 8)}", 0)
        await self.loop.create_connection(lambda: protocol, self.watched.host, self.watched.port, **more)

    def _tick(self) -> None:
        now = time.monotonic()
        for one in self.watchers if self.watched.fetches else ():
            if now - max(one.sign_at, one.polled_at) >= POLL:
                one.refresh()
        if self.watchers:
            self.loop.call_later(1, self._tick)


# ---- The process ----


def freshness(crowds: Sequence[Crowd], acknowledged: Sequence[tuple[float, int]]) -> tuple[list[float], int]:
    """Seconds from each acknowledgement (time, version) to each watcher's page, and the number never reached."""
    took: list[float] = []
    never = 0
    for watcher in (one for crowd in crowds for one in crowd.watchers):
        for at, version in acknowledged:
            index = bisect_left(watcher.versions, version)
            if index < len(watcher.versions):
                took.append(max(0.0, watcher.versions_at[index] - at))
            else:
                never += 1
    return took, never


async def _cut(crowds: Sequence[Crowd], share: float, every: float) -> None:
    while True:
        await asyncio.sleep(every)
        for watcher in (one for crowd in crowds for one in crowd.watchers):
            if watcher.opened and random.random() < share:
                watcher.transport.abort()


async def serve() -> None:
    crowds: list[Crowd] = []
    cutting: asyncio.Task[None] | None = None
    print("{}", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        asked = json.loads(line)
        answer: dict[str, Any] = {}
        if asked["do"] == "open":
            crowd = Crowd(Watched(**asked["watched"]))
            crowds.append(crowd)
            streams = asked["streams"]
            await crowd.open(
                streams, asked.get("pages") or max(100, min(streams, most_files() - streams - FILES))
            )
            answer["pages"] = len(crowd.fetchers)
        elif asked["do"] == "until":
            answer = {
                "at": [at for crowd in crowds for at in await crowd.until(asked["version"], asked["what"])],
                "dropped": sum(crowd.dropped for crowd in crowds),
            }
        elif asked["do"] == "drop":
            for crowd in crowds:
                crowd.watched.drop, crowd.dropped = asked["share"], 0
        elif asked["do"] == "cut":
            cutting = asyncio.create_task(_cut(crowds, asked["share"], asked["every"]))
        elif asked["do"] == "freshness":
            if cutting:
                cutting.cancel()
            answer = await _fresh(crowds, [(at, version) for at, version in asked["acknowledged"]])
        else:
            for crowd in crowds:
                crowd.close()
            crowds.clear()
        print(json.dumps(answer), flush=True)


async def _fresh(crowds: Sequence[Crowd], acknowledged: Sequence[tuple[float, int]]) -> dict[str, Any]:
    """Freshness in 1000 quantiles; waits for stragglers."""
    last = max((version for _, version in acknowledged), default=0)
    give_up = time.monotonic() + PATIENCE / 2
    while any(crowd.behind(last) for crowd in crowds) and time.monotonic() < give_up:
        await asyncio.sleep(0.1)
    took, never = await asyncio.to_thread(freshness, crowds, acknowledged)
    took.sort()
    spread = [took[min(len(took) - 1, round(part * (len(took) - 1) / 1000))] for part in range(1001)]
    return {
        "spread": spread if took else [],
        "pairs": len(took),
        "never": never,
        "behind": sum(crowd.behind(last) for crowd in crowds),
        "watchers": sum(len(crowd.watchers) for crowd in crowds),
        "cut": sum(crowd.cut for crowd in crowds),
        "refused": sum(crowd.refused for crowd in crowds),
    }


def main(work: Coroutine[Any, Any, None]) -> None:
    """Run on uvloop if available."""
    try:
        import uvloop
    except ImportError:  # Windows
        asyncio.run(work)
    else:
        uvloop.run(work)


if __name__ == "__main__":
    main(serve())
