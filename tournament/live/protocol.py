"""One connection of the server, and what a stranger may send on it; uvicorn has no such limits of its own.

A page in the store is written as soon as a request is read, without a task for each request. uvicorn makes a coroutine,
an event and a scope for every request, and checks every header of every answer. For ten thousand phones that fetch one
page within a second that is most of the work. Anything but a plain GET of a stored page goes the usual way, and the
bytes are the same either way.

A refusal is told after TARPIT_S, and nothing is read meanwhile: whoever repeats it costs the server next to nothing.
"""

import asyncio

import httptools
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from tournament.live.door import Door
from tournament.live.front import Front
from tournament.live.store import Answer
from tournament.server.reach import reach

# A request with one of these has more to it than its first lines.
_MORE = {b"content-length", b"transfer-encoding", b"expect", b"upgrade"}

HEAD_MOST = 16 * 1024  # bytes of a request's line and headers, of all that frames its body, and of a piece
HEADERS_MOST = 100
TOO_LARGE = f"The head of the request is too large: at most 16 kB and {HEADERS_MOST} headers."
# Bytes of all headers of one name, where Python takes long to read them. A head of fewer than SHORT needs no look.
SHORT = 1024
MOST = {b"content-type": SHORT} | dict.fromkeys(
    (
        b"accept", b"accept-charset", b"accept-encoding", b"accept-language", b"if-match", b"if-modified-since",
        b"if-none-match", b"if-range", b"if-unmodified-since", b"range",
    ),
    2048,
)  # fmt: skip
FRAME = 16  # bytes that may frame each chunk of a body
PIPELINE_MOST = 32  # requests that wait for the answer to one before them
KEEP_ALIVE = 65  # seconds; longer than the usual proxy's, so that the server never closes first
HEAD_S = 20  # seconds that the head of a request may take, and a connection on which nothing was asked yet
TARPIT_S = 1.0  # seconds until a refusal is told
LINGER_S = 1.0  # seconds in which it can be read


class Protocol(HttpToolsProtocol):
    """One connection; it is cut off if the head of a request is not complete after HEAD_S to twice that, or if a reader
    takes nothing of the last answer for as long."""

    front: Front
    door: Door

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        self._asks_since: float | None = self.loop.time()
        # Bytes that were read of this request, but for its body, and perhaps some before it; those of the piece that is
        # read; those of answers that were unsent at the last look.
        self._head = self._piece = self._unsent = 0
        self._running: RequestResponseCycle | None = None  # uvicorn's `cycle` is the newest of a pipeline
        self._refusal: bytes | None = None  # what is told before the connection ends
        peer = self.client[0] if self.client else ""
        reach.met(peer, self.server[0] if self.server else "")
        self._place = self.door.enter(peer)
        self._watch = self.loop.call_later(self.door.patience(self._place, HEAD_S), self._look)
        if self.door.make_room(self._place):
            self._place.waiting[self] = None
        else:
            transport.write(
                self._plain(503, "Too many connections from your network. Try again in 10 seconds.")
            )
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch.cancel()
        self._unset_keepalive_if_required()
        self.door.leave(self, self._place)
        super().connection_lost(exc)
        _tell_gone(self._running)  # uvicorn tells the newest
        # They hold this connection, which holds them, and the garbage collector comes seldom.
        self.pipeline.clear()
        self.cycle = self._running = None  # type: ignore[assignment]  # as before the first request

    def data_received(self, data: bytes) -> None:
        if self._refusal is not None:
            self.flow.pause_reading()
        for begin in range(0, len(data), HEAD_MOST):
            if self._refusal is not None or self.transport.is_closing():
                return
            piece = data[begin : begin + HEAD_MOST]
            self._piece = len(piece)
            self._head += self._piece
            try:
                self.parser.feed_data(piece)
            except httptools.HttpParserUpgrade:
                return  # the rest is in another protocol
            except httptools.HttpParserError:
                self._refuse(400, "That is not a request in HTTP.")
            if self._head > 2 * HEAD_MOST:  # of the first piece a part may be another request's
                self._refuse(431, TOO_LARGE)

    def on_message_begin(self) -> None:
        self._asks_since = self.loop.time()
        self._head = self._piece
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self._head > SHORT:
            self._look_at_head()
        self._asks_since, self._head = None, 0
        self._unset_keepalive_if_required()
        self._place.waiting.pop(self, None)
        answer = self._stored()
        if answer is None:
            if len(self.pipeline) >= PIPELINE_MOST:
                self._refuse(400, "")
                raise ValueError("too many requests in a pipeline")
            super().on_headers_complete()
            self.headers = []  # what follows the body is no header (RFC 9110, 6.5.1)
            return
        own = [b"%b: %b\r\n" % header for header in self.server_state.default_headers]
        self.transport.write(b"".join((STATUS_LINE[answer.status], *own, answer.lines, b"\r\n", answer.body)))
        self.on_response_complete()  # counts it, and waits for the next request so long

    def on_body(self, body: bytes) -> None:
        self._head = max(0, self._head - len(body) - FRAME)
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self.cycle is not None:  # uvicorn's of this request, or of one before it that has been answered
            super().on_message_complete()

    def on_response_complete(self) -> None:
        self.timeout_keep_alive = self.door.patience(self._place, KEEP_ALIVE)
        super().on_response_complete()
        if self.timeout_keep_alive_task is not None:  # nothing else was asked
            self._place.waiting[self] = None

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _look_at_head(self) -> None:
        """Refuse a head that is beyond a limit; ValueError stops the parser."""
        sizes = {name: sum(len(value) for of, value in self.headers if of == name) for name in MOST}
        words = [
            f"The header {n.decode()} is too long: at most {MOST[n]:,} bytes."
            for n in MOST
            if sizes[n] > MOST[n]
        ]
        whole = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if whole > HEAD_MOST or len(self.headers) > HEADERS_MOST:
            words = [TOO_LARGE]
        if words:
            self._refuse(431, words[0])
            raise ValueError(words[0])

    def _refuse(self, status: int, words: str) -> None:
        """Read no more and hang up a moment later, with these words where nobody takes them for the answer to something
        that was asked before."""
        if self._refusal is not None:
            return
        newest = self.cycle
        at_fault = newest is not None and newest.more_body and not newest.response_started  # by its body
        if at_fault:
            _tell_gone(newest)
        free = not self.pipeline and (at_fault or newest is None or newest.response_complete)
        self._refusal, self._asks_since = self._plain(status, words) if free else b"", None
        self.pipeline.clear()
        self.flow.pause_reading()
        self._watch.cancel()
        self._watch = self.loop.call_later(TARPIT_S, self._tell)

    def _tell(self) -> None:
        _tell_gone(self._running)  # nothing can be written any more
        if not self.transport.is_closing():
            self.transport.write(self._refusal or b"")
            self.transport.write_eof()
        self._watch = self.loop.call_later(LINGER_S, self.transport.abort)

    def _plain(self, status: int, words: str) -> bytes:
        own = [b"%b: %b\r\n" % header for header in self.server_state.default_headers]
        retry = b"retry-after: 10\r\n" if status == 503 else b""
        lines = b"content-type: text/plain; charset=utf-8\r\ncache-control: no-store\r\nconnection: close\r\n"
        length = b"content-length: %d\r\n\r\n" % len(words)
        return b"".join((STATUS_LINE[status], *own, retry, lines, length, words.encode()))

    def _look(self) -> None:
        """Hang up on a client that is too slow, now and after each while."""
        patience = self.door.patience(self._place, HEAD_S)
        begun, unsent = self._asks_since, self.transport.get_write_buffer_size()
        stuck = self.transport.is_closing() and unsent == self._unsent
        if stuck or (begun is not None and self.loop.time() - begun >= patience):
            self.transport.abort()
        self._unsent = unsent
        self._watch = self.loop.call_later(patience, self._look)

    def _stored(self) -> Answer | None:
        if (
            self.flow.write_paused
            or (self.cycle is not None and not self.cycle.response_complete)
            or self.transport.is_closing()
            or self.parser.get_method() != b"GET"
            or self.parser.get_http_version() != "1.1"
            or not self.parser.should_keep_alive()
            or any(name in _MORE for name, _ in self.headers)
        ):
            return None
        return self.front.stored(self.url.decode("latin-1"), self.headers)


def _tell_gone(cycle: RequestResponseCycle | None) -> None:
    """Let whoever answers this request know that nobody reads the answer."""
    if cycle is not None:
        cycle.disconnected = True
        cycle.message_event.set()
