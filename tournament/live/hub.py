"""Event streams: GET /live/<scope> says a scope's version, at once and at every change.

    retry: 2000 to 5000
    event: version     data: the version; pages that hold another one fetch themselves anew
    event: ping        every 8 s without news, data: the version again; a reader that hears nothing knows it

A stream is a raw ASGI coroutine: it holds no thread and no database connection. Events carry no content, so a
lost one harms nothing, and a slow reader holds up nobody: it gets the version of the moment it can take one.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from tournament.live.versions import Versions

PREFIX = "/live/"
APART = 0.5  # seconds between two events of a scope
SILENCE = 8.0  # seconds until a ping: a page is "live" only when it heard something within ten

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class Stream:
    """One open stream: something to wake it, and whether it is to end."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.ended = False

    def end(self) -> None:
        self.ended = True
        self.news.set()


class Channel:
    """The streams of one scope: a change wakes them at once, further ones at most every `apart` seconds,
    the last always."""

    def __init__(self, loop: asyncio.AbstractEventLoop, apart: float) -> None:
        self.streams: set[Stream] = set()
        self._loop = loop
        self._apart = apart
        self._next = loop.time()
        self._timer: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        if self._timer is not None:
            return
        if self._loop.time() >= self._next:
            self._wake()
        else:
            self._timer = self._loop.call_at(self._next, self._wake)

    def end(self) -> None:
        for stream in self.streams:
            stream.end()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _wake(self) -> None:
        self._timer = None
        self._next = self._loop.time() + self._apart
        for stream in self.streams:
            stream.news.set()


class Hub:
    """Every open stream of this process, at most `cap`. Its methods belong to the event loop."""

    def __init__(
        self, versions: Versions, *, cap: int, apart: float = APART, silence: float = SILENCE
    ) -> None:
        self._versions = versions
        self._cap = cap
        self._apart = apart
        self._silence = silence
        self._channels: dict[str, Channel] = {}
        self._open = 0
        self._closed = False
        self._stop_listening: Callable[[], None] = lambda: None

    @property
    def open(self) -> int:
        """How many streams are open."""
        return self._open

    def start(self) -> None:
        """Listen for changes, from now until `close`."""
        loop = asyncio.get_running_loop()

        def heard(changed: Mapping[str, int | None]) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._changed, changed)

        self._closed = False
        self._stop_listening()
        self._stop_listening = self._versions.listen(heard)

    def close(self) -> None:
        """End every stream and take no new ones."""
        self._closed = True
        self._stop_listening()
        for channel in self._channels.values():
            channel.end()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        name = scope["path"].removeprefix(PREFIX)
        if b"%" in scope["raw_path"] or self._versions.known(name) is None:
            return await refuse(send, 404, b"There is no such stream.")
        if scope["method"] != "GET":
            return await refuse(send, 405, b"Streams are read with GET.", (b"allow", b"GET"))
        if self._closed or self._open >= self._cap:
            return await refuse(send, 503, b"Too many streams.", (b"retry-after", b"10"))
        return await self._stream(name, receive, send)

    async def _stream(self, name: str, receive: Receive, send: Send) -> None:
        stream = Stream()
        channel = self._channels.get(name)
        if channel is None:
            channel = self._channels[name] = Channel(asyncio.get_running_loop(), self._apart)
        channel.streams.add(stream)
        self._open += 1
        watch = asyncio.create_task(_end_when_gone(stream, receive))
        try:
            await self._events(name, stream, send)
        finally:
            watch.cancel()
            self._open -= 1
            channel.streams.discard(stream)
            if not channel.streams:
                channel.close()
                self._channels.pop(name, None)

    async def _events(self, name: str, stream: Stream, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        # Spread, so that thousands do not come back in one moment after a restart.
        body = b"retry: %d\n" % random.randint(2000, 5000)  # noqa: S311 - milliseconds, nothing secret
        sent = None
        while not stream.ended:
            version = self._versions.known(name)
            if version is None:
                break
            if version != sent:
                sent = version
                body += b"event: version\ndata: %d\n\n" % version
            if body:
                await send({"type": "http.response.body", "body": body, "more_body": True})
            try:
                async with asyncio.timeout(self._silence):
                    await stream.news.wait()
                body = b""
            except TimeoutError:
                body = b"event: ping\ndata: %d\n\n" % version
            stream.news.clear()
        await send({"type": "http.response.body", "body": b""})

    def _changed(self, changed: Mapping[str, int | None]) -> None:
        for name, version in changed.items():
            channel = self._channels.get(name)
            if channel is None:
                continue
            if version is None:
                channel.end()
            else:
                channel.changed()


async def _end_when_gone(stream: Stream, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def refuse(send: Send, status: int, words: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Answer with a line of plain text that nobody keeps."""
    fixed = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(words)),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": words})
