"""Published pages without a task for each request: what is in the store is written as soon as a request is read.

uvicorn makes a coroutine, an event and a scope for every request, and checks every header of every answer. For ten
thousand phones that fetch one page within a second that is most of the work. Whatever is not a plain GET of a stored
page goes its usual way, and the bytes are the same either way.
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tournament.live.front import Front
from tournament.live.store import Answer

# A request with one of these has more to it than its first lines.
_MORE = {b"content-length", b"transfer-encoding", b"expect", b"upgrade"}
# Seconds that the head of a request may take, and a connection on which nothing was asked yet.
HEAD_S = 20.0


class Protocol(HttpToolsProtocol):
    """One connection; who does not say within HEAD_S what is asked for, or twice that, is cut off."""

    front: Front

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        self._asks_since: float | None = self.loop.time()
        self._watch = self.loop.call_later(HEAD_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch.cancel()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        self._asks_since = self.loop.time()
        super().on_message_begin()

    def _look(self) -> None:
        if self._asks_since is not None and self.loop.time() - self._asks_since >= HEAD_S:
            self.transport.abort()
        else:
            self._watch = self.loop.call_later(HEAD_S, self._look)

    def on_headers_complete(self) -> None:
        self._asks_since = None
        answer = self._stored()
        if answer is None:
            super().on_headers_complete()
            return
        own = [b"%b: %b\r\n" % header for header in self.server_state.default_headers]
        self.transport.write(b"".join((STATUS_LINE[answer.status], *own, answer.lines, b"\r\n", answer.body)))
        self.on_response_complete()  # counts it, and waits for the next request so long

    def on_message_complete(self) -> None:
        if self.cycle is not None:  # uvicorn's of this request, or of one before it that has been answered
            super().on_message_complete()

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


def answering_from(front: Front) -> type[Protocol]:
    """The connection class that answers from this application."""
    return type("AnsweringFrom", (Protocol,), {"front": front})
