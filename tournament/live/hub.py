"""Event streams: GET /live/<scope> says a scope's version, at once and at every change.

    retry: 2000 to 5000
    event: version     data: the version; pages that hold another one fetch themselves again
    event: ping        after 8 s without news, data: the version again; a reader that hears nothing knows it
    event: who         whoever signed in may something else now (guard.py): the page looks again; the stream ends

A stream is a raw ASGI coroutine that waits for its reader to go away: it holds no thread, timer or database connection.
One task for each scope writes to all its streams, a part of them at a time. Events carry no content, so a lost one
harms nothing, and a slow reader holds up nobody: it gets the last word once it can take one.
"""

import asyncio
import logging
import random
import re
import types
from collections import Counter
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from django.conf import settings

from tournament.live.versions import Versions
from tournament.server.rate_limits import place_of

logger = logging.getLogger(__name__)

PREFIX = "/live/"
APART = 0.5  # seconds between two events of a scope
SILENCE = 8.0  # seconds until a ping: a page is "live" only when it heard something within ten
LATER_S = 1.0  # seconds until somebody hears that there are too many: who asks again at once holds up nobody
PART = 250  # streams that are written to in one go; then it is the turn of pages and saves

Message = MutableMapping[str, Any]
Receive = Callable[[], Coroutine[Any, Any, Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]

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
# Tells somebody who is signed in, and whose rights have changed, to look again.
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
    """One open stream. Messages are written at once; while a slow reader's write waits, only the last message is
    kept."""

    __slots__ = ("_last", "_send", "_writing")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._writing: asyncio.Task[None] | None = None
        self._last: Message | None = None

    def say(self, message: Message) -> None:
        """Write a message now, or when the one before it is written; only the last of those is."""
        if self._writing is not None:
            self._last = message
            return
        write = self._send(message)
        try:
            waits_for = write.send(None)  # the write itself; a task would cost more than it
        except (StopIteration, OSError):  # written, or the reader is gone: _stream hears of that
            return
        except Exception:  # one stream's, and no other's
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
    """Run the rest of a coroutine that was begun without a task and waits for something."""
    while True:
        yield waits_for
        try:
            waits_for = begun.send(None)
        except StopIteration:
            return


class Channel:
    """The streams of one scope: a change is told at once, further ones at most every `apart` seconds, the last
    always; after `silence` seconds without one a ping is."""

    def __init__(self, word: Callable[[bytes], Message | None], apart: float, silence: float) -> None:
        self.streams: set[Stream] = set()
        self._word, self._apart, self._silence = word, apart, silence
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
        while True:
            try:
                async with asyncio.timeout(self._silence):
                    await self.news.wait()
            except TimeoutError:
                await self._tell(b"ping")
            else:
                again = loop.time() + self._apart
                self.news.clear()
                await self._tell(b"version")
                await asyncio.sleep(again - loop.time())

    async def _tell(self, event: bytes) -> None:
        streams = list(self.streams)
        for begin in range(0, len(streams), PART):
            message = self._word(event)
            if message is None:
                return
            for stream in streams[begin : begin + PART]:
                if stream in self.streams:
                    stream.say(message)
            await asyncio.sleep(0)


class Hub:
    """Every open stream of this process, at most `cap`, and at most `each` of one address. Its methods belong to
    the event loop."""

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
        self._of: Counter[str] = Counter()  # streams by address
        self._of_session: dict[str, set[Stream]] = {}
        self._session = re.compile(
            rb"(?:^|;\s*)%b=([a-z0-9]{32})(?:;|$)" % settings.SESSION_COOKIE_NAME.encode()
        )
        self._origins = (
            {b"*"}
            if settings.CORS_ALLOW_ALL_ORIGINS
            else {each.encode() for each in settings.CORS_ALLOWED_ORIGINS}
        )
        self.open = 0  # streams
        self.closed = False  # it takes no new streams, for good
        self._stop_listening: Callable[[], None] = lambda: None

    @property
    def sessions(self) -> frozenset[str]:
        """The sessions of the open streams, valid or not."""
        return frozenset(self._of_session)

    def tell_session(self, session: str) -> None:
        """Have the pages of a session look again; their streams go on."""
        for stream in self._of_session.get(session, ()):
            stream.say(_WHO_STAYS)

    def end_session(self, session: str) -> None:
        """Have the pages of a session look again, and end their streams."""
        for stream in self._of_session.pop(session, ()):
            for channel in self._channels.values():
                channel.streams.discard(stream)
            stream.say(_WHO_END)

    def start(self) -> None:
        """Listen for changes, from now until `close`."""
        loop = asyncio.get_running_loop()

        def heard(changed: Mapping[str, int | None]) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._changed, changed)

        self.closed = False
        self._stop_listening()
        self._stop_listening = self._versions.listen(heard)

    def close(self) -> None:
        """End every stream and take no new ones."""
        self.closed = True
        self._stop_listening()
        for channel in self._channels.values():
            channel.end()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        name = scope["path"].removeprefix(PREFIX)
        if b"%" in scope["raw_path"] or self._versions.known(name) is None:
            return await refuse(send, 404, b"There is no such stream.")
        if scope["method"] != "GET":
            return await refuse(send, 405, b"Streams are read with GET.", (b"allow", b"GET"))
        address = place_of(scope["client"][0]) if scope["client"] else ""
        if self.closed or self.open >= self.cap or self._of[address] >= self.each:
            await asyncio.sleep(0 if self.closed else LATER_S)
            return await refuse(send, 503, b"Too many streams.", (b"retry-after", b"10"))
        self.open += 1
        self._of[address] += 1
        try:
            await send(self._start(scope["headers"]))
            await self._stream(name, self._session_in(scope["headers"]), receive, send)
        finally:
            self.open -= 1
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]

    def _session_in(self, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """The session that a request came with; "" for none."""
        cookies = (self._session.search(value) for header, value in headers if header == b"cookie")
        return next((found[1].decode() for found in cookies if found), "")

    def _start(self, headers: Iterable[tuple[bytes, bytes]]) -> Message:
        """How the answer begins: with the header by which a page of another site may read it, if it may."""
        origin = b"*" if b"*" in self._origins else dict(headers).get(b"origin", b"")
        if origin not in self._origins:
            return _START
        shared = [(b"access-control-allow-origin", origin), (b"vary", b"origin")]
        return {**_START, "headers": [*_START["headers"], *shared]}

    async def _stream(self, name: str, session: str, receive: Receive, send: Send) -> None:
        version = self._versions.known(name)
        if version is None or self.closed:
            return await send(_END)
        stream, channel = Stream(send), self._channel(name)
        channel.streams.add(stream)
        if session:
            self._of_session.setdefault(session, set()).add(stream)
        # Spread, so that thousands do not come back in one moment after a restart.
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
                    return None  # a reader that hears nothing asks by itself
                return _message(event, version)

            channel = self._channels[name] = Channel(word, self._apart, self._silence)
        return channel

    def _changed(self, changed: Mapping[str, int | None]) -> None:
        for name in changed.keys() & self._channels.keys():
            if changed[name] is None:
                self._channels[name].end()
            else:
                self._channels[name].news.set()


async def refuse(send: Send, status: int, words: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Answer with a line of plain text that nobody keeps, or what `headers` call it."""
    fixed = [
        *([] if b"content-type" in dict(headers) else [(b"content-type", b"text/plain; charset=utf-8")]),
        (b"content-length", b"%d" % len(words)),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": words})
