"""Uvicorn as Lastcard runs it: one process, and streams that end first when it stops.

A page in the store is written as soon as a request is read, without a task for each request. uvicorn makes a coroutine,
an event and a scope for every request, and checks every header of every answer. For ten thousand phones that fetch one
page within a second that is most of the work. Anything but a plain GET of a stored page goes the usual way, and the
bytes are the same either way.
"""

import asyncio
import gc
import socket
import sys
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import uvicorn
from django.conf import settings
from django.urls import base as urls
from django.utils.translation import trans_real
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tournament.live.front import Front
from tournament.live.hub import PREFIX
from tournament.live.store import Answer
from tournament.models import Play
from tournament.server.clock import clock
from tournament.server.machine import most_files

FINISH = 5  # seconds that requests may take to finish once the server stops
STALLED = 0.4  # seconds after which a stream whose reader takes nothing is cut
KEEP_ALIVE = 65  # seconds; longer than the usual proxy's, so that the server never closes first

# Thresholds of the garbage collector: new objects until it looks at the youngest generation, then how often it looks at
# older ones.
COLLECT = (10_000, 20, 100)
LONGEST_GAME = timedelta(hours=2)  # no game that is still played began before that
TURN = 0.0005  # seconds until a thread that wants the interpreter gets it

# A request with one of these has more to it than its first lines.
_MORE = {b"content-length", b"transfer-encoding", b"expect", b"upgrade"}
# Seconds that the head of a request may take, and a connection on which nothing was asked yet.
HEAD_S = 20.0


class Protocol(HttpToolsProtocol):
    """One connection; it is cut off if the head of a request is not complete after HEAD_S to twice that."""

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


class Server(uvicorn.Server):
    """Serves the application on sockets that are already bound; calls `ready` once it takes requests."""

    def __init__(self, application: Front, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                interface="asgi3",
                http=type("AnsweringFrom", (Protocol,), {"front": application}),
                lifespan="on",
                ws="none",
                log_config=None,
                log_level="warning",
                access_log=False,
                backlog=2048,
                forwarded_allow_ips=settings.TRUSTED_PROXIES,
                timeout_keep_alive=KEEP_ALIVE,
                timeout_graceful_shutdown=FINISH,
            )
        )
        # More streams than open files allow would keep referees out too.
        application.hub.cap = min(application.hub.cap, most_files() // 2)
        self._application, self._ready = application, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._application.hub.close()
        asyncio.get_running_loop().call_later(STALLED, self._cut_streams)
        await super().shutdown(sockets)

    def _cut_streams(self) -> None:
        for connection in list(self.server_state.connections):
            if (getattr(connection, "scope", None) or {}).get("path", "").startswith(PREFIX):
                connection.transport.abort()


def settle_process() -> None:
    """Set this process up for thousands of streams beside a few threads; once everything is loaded.

    Loaded objects stay, and streams are no garbage: searching them again and again took half of the processor's time
    while they fetched a page. A save asks for the interpreter after each statement of the database; at Python's usual 5
    ms it takes three times as long meanwhile.
    """
    clock.hold(a_game_runs)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)
    sys.setswitchinterval(TURN)
    # Give each thread its own language, urlconf and prefix without a lock. Django keeps them in asgiref's Local, for
    # views in a coroutine too, behind one lock for all threads. Here each view has a thread to itself, and every word
    # and link of a page took that lock: with six threads a link and two words took 79 microseconds instead of 13, and
    # referees waited for the lock.
    for module, name in ((trans_real, "_active"), (urls, "_prefixes"), (urls, "_urlconfs")):
        setattr(module, name, threading.local())


def a_game_runs(now: datetime) -> bool:
    """Tell whether a game is played at that time, so that its players' times depend on a steady clock."""
    return Play.objects.filter(state=Play.State.RUNNING, started_at__gt=now - LONGEST_GAME).exists()
