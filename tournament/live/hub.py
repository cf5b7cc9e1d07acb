"""Event streams: GET /live/<scope> sends a scope's version, at once and on change.

    retry: 2000 to 5000 ms
    event: version     data: version; outdated pages refetch
    event: changes     instead, on a stream of ?page=<path>; data: what changed in that page (changes.py)
    event: ping        after 8 s of silence, and 1 s and 3 s after a change, which may be lost; data: version
    event: who         session rights changed (guard.py); pages refetch

One task per scope writes in batches. Losses are harmless: changes name the text that they apply to, and a page that
has another one refetches.
"""

import asyncio
import logging
import random
import re
import types
from collections import Counter, defaultdict
from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
)
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from tournament.live.store import Versions
from tournament.server.rate_limits import place_of

logger = logging.getLogger(__name__)

PREFIX = "/live/"
APART = 0.5  # seconds between events of a scope
SILENCE = 8.0  # seconds; pages are "live" within 10 s of an event
AGAIN = (0.5, 2.0)  # seconds of silence after a change, and once more
LATER_S = 1.0  # seconds before a 503
NEW_S = 0.5  # seconds until the poller has seen what another process committed
UID = 36  # letters
PART = 250  # streams per batch, then yields to pages and saves
SHARED = 2  # streams of a page, to be sent its changes
PAGES_MOST = 8  # sent their changes at a time
CHANGES_S = 1.0  # seconds; then only the version is sent
QUERY_MOST = 500  # bytes

Message = MutableMapping[str, Any]
Receive = Callable[[], Coroutine[Any, Any, Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]
# Line changes of a page, by its path and the scope of a stream that watches it; None if unknown.
Changes = Callable[[str, Message], Awaitable[bytes | None]]

_START: Message = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ],
}
_END: Message = {"type": "http.response.body", "body": b""}
_WHO = b"event: who\ndata: 0\n\n"
_WHO_END: Message = {"type": "http.response.body", "body": _WHO}
_WHO_STAYS: Message = {"type": "http.response.body", "body": _WHO, "more_body": True}


def _message(event: bytes, version: int, before: bytes = b"") -> Message:
    return {
        "type": "http.response.body",
        "body": b"%bevent: %b\ndata: %d\n\n" % (before, event, version),
        "more_body": True,
    }


class Stream:
    """One stream, of the page that its query names ("" for none)."""

    __slots__ = ("_last", "_send", "_writing", "page", "scope")

    def __init__(self, send: Send, scope: Message) -> None:
        self._send, self.scope = send, scope
        query = parse_qs(scope["query_string"][:QUERY_MOST].decode("latin-1"))
        self.page = query.get("page", [""])[0]
        self._writing: asyncio.Task[None] | None = None
        self._last: Message | None = None

    def say(self, message: Message) -> None:
        """Write a message; while a write is pending only the latest waits."""
        if self._writing is not None:
            self._last = message
            return
        write = self._send(message)
        try:
            waits_for = write.send(None)  # direct write: a task costs more
        except (StopIteration, OSError):  # done, or disconnected (handled by `_stream`)
            return
        except Exception:  # isolate streams
            logger.exception("could not write to a stream")
            return
        self._writing = asyncio.create_task(self._write(write, waits_for))

    async def _write(self, write: Coroutine[Any, Any, None], waits_for: Any) -> None:
        try:
            with suppress(OSError):
                await _rest(write, waits_for)
                while (message := self._last) is not None:
                    self._last = None
                    await self._send(message)
        finally:
            self._writing = None


@types.coroutine
def _rest(begun: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, None, None]:
    while True:
        yield waits_for
        try:
            waits_for = begun.send(None)
        except StopIteration:
            return


class Channel:
    """Streams of one scope: changes debounced to `apart` seconds, ping AGAIN and after `silence`."""

    def __init__(
        self, word: Callable[[bytes], Message | None], changes: Changes | None, apart: float, silence: float
    ) -> None:
        self.streams: set[Stream] = set()
        self._word, self._changes, self._apart, self._silence = word, changes, apart, silence
        self.news = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def end(self) -> None:
        for stream in self.streams:
            stream.say(_END)
        self.streams.clear()

    def close(self) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        waits: Iterator[float] = iter(())
        while True:
            try:
                async with asyncio.timeout(next(waits, self._silence)):
                    await self.news.wait()
            except TimeoutError:
                await self._tell(b"ping", list(self.streams))
            else:
                again = loop.time() + self._apart
                self.news.clear()
                await self._tell_all()
                await asyncio.sleep(again - loop.time())
                waits = iter(AGAIN)

    async def _tell_all(self) -> None:
        """Send changes to pages that several streams watch, the version to all others."""
        of: defaultdict[str, list[Stream]] = defaultdict(list)
        for stream in self.streams:
            of[stream.page].append(stream)
        alone = of.pop("", [])
        ranked = sorted(of.values(), key=len, reverse=True)
        most = PAGES_MOST if self._changes else 0
        shared = [streams for streams in ranked[:most] if len(streams) >= SHARED]
        async with asyncio.TaskGroup() as group:
            for streams in shared:
                group.create_task(self._tell_changes(streams))
            for streams in (alone, *ranked[len(shared) :]):
                await self._tell(b"version", streams)

    async def _tell_changes(self, streams: list[Stream]) -> None:
        packed = None
        try:
            async with asyncio.timeout(CHANGES_S):
                packed = await self._changes(streams[0].page, streams[0].scope) if self._changes else None
        except TimeoutError:
            pass
        except Exception:  # isolate pages: this one is sent the version
            logger.exception("could not compare %s", streams[0].page)
        await self._tell(b"version", streams, packed)

    async def _tell(self, event: bytes, streams: list[Stream], packed: bytes | None = None) -> None:
        for begin in range(0, len(streams), PART):
            message = self._word(event)
            if message is None:
                return
            if packed is not None:
                message = {**message, "body": b"event: changes\ndata: %b\n\n" % packed}
            for stream in streams[begin : begin + PART]:
                if stream in self.streams:
                    stream.say(message)
            await asyncio.sleep(0)


class Hub:
    """Streams of the process: at most `cap`, and `each` per address. Event loop only."""

    def __init__(
        self,
        versions: Versions,
        *,
        cap: int,
        each: int | None = None,
        apart: float = APART,
        silence: float = SILENCE,
    ) -> None:
        self.cap = cap
        self.each = cap if each is None else each
        self._versions, self._apart, self._silence = versions, apart, silence
        self._channels: dict[str, Channel] = {}
        self._of: Counter[str] = Counter()
        self._of_session: dict[str, set[Stream]] = {}
        self._session = re.compile(
            rb"(?:^|;\s*)%b=([a-z0-9]{32})(?:;|$)" % settings.SESSION_COOKIE_NAME.encode()
        )
        self.changes: Changes | None = None  # set by the front, which has the pages
        self.open = 0
        self.closed = False  # shutting down
        self._stop_listening: Callable[[], None] = lambda: None

    @property
    def sessions(self) -> frozenset[str]:
        """Unverified session keys of open streams."""
        return frozenset(self._of_session)

    def tell_session(self, session: str) -> None:
        """Make the session's pages refetch; their streams stay open."""
        for stream in self._of_session.get(session, ()):
            stream.say(_WHO_STAYS)

    def end_session(self, session: str) -> None:
        """Make the session's pages refetch, and end their streams."""
        for stream in self._of_session.pop(session, ()):
            for channel in self._channels.values():
                channel.streams.discard(stream)
            stream.say(_WHO_END)

    def start(self) -> None:
        """Listen for changes until `close`."""
        loop = asyncio.get_running_loop()

        def heard(changed: Mapping[str, int | None]) -> None:
            with suppress(RuntimeError):  # loop ended
                loop.call_soon_threadsafe(self._changed, changed)

        self.closed = False
        self._stop_listening()
        self._stop_listening = self._versions.listen(heard)

    def close(self) -> None:
        """End all streams; accept no more."""
        self.closed = True
        self._stop_listening()
        for channel in self._channels.values():
            channel.end()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        name, shared = scope["path"].removeprefix(PREFIX), shared_with(scope["headers"])
        if len(name) == UID and self._versions.known(name) is None:
            await asyncio.sleep(NEW_S)
        if b"%" in scope["raw_path"] or self._versions.known(name) is None:
            return await refuse(send, 404, b"There is no such stream.", *shared)
        if scope["method"] != "GET":
            return await refuse(send, 405, b"Streams are read with GET.", (b"allow", b"GET"), *shared)
        address = place_of(scope["client"][0]) if scope["client"] else ""
        if self.closed or self.open >= self.cap or self._of[address] >= self.each:
            await asyncio.sleep(0 if self.closed else LATER_S)
            return await refuse(send, 503, b"Too many streams.", (b"retry-after", b"10"), *shared)
        self.open += 1
        self._of[address] += 1
        try:
            await send({**_START, "headers": [*_START["headers"], *shared]})
            cookies = (self._session.search(value) for key, value in scope["headers"] if key == b"cookie")
            session = next((found[1].decode() for found in cookies if found), "")
            await self._stream(name, session, Stream(send, dict(scope)), receive)
        finally:
            self.open -= 1
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]

    async def _stream(self, name: str, session: str, stream: Stream, receive: Receive) -> None:
        version = self._versions.known(name)
        if version is None or self.closed:
            return stream.say(_END)
        channel = self._channel(name)
        channel.streams.add(stream)
        if session:
            self._of_session.setdefault(session, set()).add(stream)
        # Jitter against reconnect storms.
        retry = b"retry: %d\n" % random.randint(2000, 5000)  # noqa: S311 - milliseconds, nothing secret
        stream.say(_message(b"version", version, retry))
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            channel.streams.discard(stream)
            streams = self._of_session.get(session, set())
            streams.discard(stream)
            if not streams:
                self._of_session.pop(session, None)
            if not channel.streams:
                channel.close()
                if self._channels.get(name) is channel:
                    del self._channels[name]

    def _channel(self, name: str) -> Channel:
        channel = self._channels.get(name)
        if channel is None:

            def word(event: bytes) -> Message | None:
                version = self._versions.known(name)
                if version is None or (event == b"ping" and self._versions.doubtful):
                    return None  # a reader that hears nothing polls
                return _message(event, version)

            channel = self._channels[name] = Channel(word, self.changes, self._apart, self._silence)
        return channel

    def _changed(self, changed: Mapping[str, int | None]) -> None:
        for name in changed.keys() & self._channels.keys():
            if changed[name] is None:
                self._channels[name].end()
            else:
                self._channels[name].news.set()


def shared_with(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers by which a page of another site may read an answer outside Django (CORS)."""
    origin = b"*" if settings.CORS_ALLOW_ALL_ORIGINS else dict(headers).get(b"origin", b"")
    if origin.decode("latin-1") not in {"*", *settings.CORS_ALLOWED_ORIGINS}:
        return []
    return [(b"access-control-allow-origin", origin), (b"vary", b"origin")]


async def refuse(send: Send, status: int, words: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Send a short uncacheable answer, plain text unless `headers` say otherwise."""
    fixed = [
        *([] if b"content-type" in dict(headers) else [(b"content-type", b"text/plain; charset=utf-8")]),
        (b"content-length", b"%d" % len(words)),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": words})
