"""One connection, with limits that uvicorn lacks.

Stored pages bypass uvicorn's per-request work, most of the cost when 10,000 phones fetch a page at once. uvicorn 0.54
has no hook for that: only this file uses its undocumented protocol; tests/test_private_names.py names what an upgrade
has moved.

Refusals are delayed by TARPIT_S and no input is read meanwhile, so repeated bad requests stay cheap.
"""

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from tournament.live.door import Door
from tournament.live.front import Front
from tournament.live.store import Answer
from tournament.server.venue import reach

# Requests with a body or protocol switch bypass the store.
_MORE = {b"content-length", b"transfer-encoding", b"expect", b"upgrade"}

HEAD_MOST = 16 * 1024  # bytes of a head, of body framing, of a chunk
HEADERS_MOST = 100
TOO_LARGE = f"The head of the request is too large: at most 16 kB and {HEADERS_MOST} headers."
# Limit in bytes per header name that Python parses slowly. Heads below SHORT skip the check.
SHORT = 1024
MOST = {b"content-type": SHORT} | dict.fromkeys(
    (
        b"accept", b"accept-charset", b"accept-encoding", b"accept-language", b"if-match", b"if-modified-since",
        b"if-none-match", b"if-range", b"if-unmodified-since", b"range",
    ),
    2048,
)  # fmt: skip
FRAME = 16  # framing bytes allowed per chunk
PIPELINE_MOST = 32  # queued requests per connection
KEEP_ALIVE = 65  # seconds; above usual proxies', so that the server never closes first
HEAD_S = 20  # seconds for a request head, or until the first request
TARPIT_S = 1.0  # refusal delay, seconds
LINGER_S = 1.0  # seconds to read the refusal


class Protocol(HttpToolsProtocol):
    """One connection; aborted if a head is incomplete or the last response unread for HEAD_S to twice that."""

    front: Front
    door: Door

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        self._asks_since: float | None = self.loop.time()
        # Bytes of this request without its body (maybe of earlier ones too), of the chunk, and last unsent.
        self._head = self._piece = self._unsent = 0
        self._running: RequestResponseCycle | None = None  # `cycle` is the newest in the pipeline
        self._refusal: bytes | None = None
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
        _tell_gone(self._running)  # uvicorn notifies only the newest
        # Break reference cycles; garbage collection is rare.
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
                return  # another protocol follows
            except httptools.HttpParserError:
                self._refuse(400, "That is not a request in HTTP.")
            if self._head > 2 * HEAD_MOST:  # the first chunk may include another request
                self._refuse(431, TOO_LARGE)

    def on_message_begin(self) -> None:
        self._asks_since = self.loop.time()
        self._head = self._piece
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self._head > SHORT:
            self._look_at_head()
        self._look_at_framing()
        self._asks_since, self._head = None, 0
        self._unset_keepalive_if_required()
        self._place.waiting.pop(self, None)
        answer = self._stored()
        if answer is None:
            if len(self.pipeline) >= PIPELINE_MOST:
                self._refuse(400, "")
                raise ValueError("too many requests in a pipeline")
            super().on_headers_complete()
            self.headers = []  # trailers are not headers (RFC 9110, 6.5.1)
            return
        own = [b"%b: %b\r\n" % header for header in self.server_state.default_headers]
        self.transport.write(b"".join((STATUS_LINE[answer.status], *own, answer.lines, b"\r\n", answer.body)))
        self.on_response_complete()

    def on_body(self, body: bytes) -> None:
        self._head = max(0, self._head - len(body) - FRAME)
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self.cycle is not None:  # this request's, or an answered earlier one
            super().on_message_complete()

    def on_response_complete(self) -> None:
        self.timeout_keep_alive = self.door.patience(self._place, KEEP_ALIVE)
        super().on_response_complete()
        if self.timeout_keep_alive_task is not None:
            self._place.waiting[self] = None

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _look_at_head(self) -> None:
        """Refuse a head beyond a limit; ValueError stops the parser."""
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

    def _look_at_framing(self) -> None:
        """Refuse HTTP/1.1 without exactly one Host (RFC 9112, 3.2) and bodies in a coding that is not unpacked (6.1);
        ValueError stops the parser."""
        names = [name for name, _ in self.headers]
        coded = [value.strip().lower() for name, value in self.headers if name == b"transfer-encoding"]
        if coded not in ([], [b"chunked"]):
            self._refuse(501, "Send the body as it is, or chunked.")
        elif self.parser.get_http_version() == "1.1" and names.count(b"host") != 1:
            self._refuse(400, "Name one host.")
        if self._refusal is not None:
            raise ValueError(self._refusal)

    def _refuse(self, status: int, words: str) -> None:
        """Close after TARPIT_S; the message is sent only if it cannot pass for an earlier response."""
        if self._refusal is not None:
            return
        newest = self.cycle
        at_fault = newest is not None and newest.more_body and not newest.response_started  # its body's fault
        if at_fault:
            _tell_gone(newest)
        free = not self.pipeline and (at_fault or newest is None or newest.response_complete)
        self._refusal, self._asks_since = self._plain(status, words) if free else b"", None
        self.pipeline.clear()
        self.flow.pause_reading()
        self._watch.cancel()
        self._watch = self.loop.call_later(TARPIT_S, self._tell)

    def _tell(self) -> None:
        _tell_gone(self._running)
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
    if cycle is not None:
        cycle.disconnected = True
        cycle.message_event.set()
