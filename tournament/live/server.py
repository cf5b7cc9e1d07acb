"""Uvicorn as Lastcard runs it: one process, and streams that end first when it stops."""

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
from django.utils import timezone
from django.utils.translation import trans_real

from tournament.live.door import Door
from tournament.live.front import Front
from tournament.live.hub import PREFIX
from tournament.live.protocol import KEEP_ALIVE, Protocol
from tournament.models import LedgerRow, Play, Stage
from tournament.server.clock import clock
from tournament.server.machine import hold_little, most_files
from tournament.server.reach import reach

FINISH = 5  # seconds that requests may take to finish once the server stops
STALLED = 0.4  # seconds after which a stream whose reader takes nothing is cut

# Thresholds of the garbage collector: new objects until it looks at the youngest generation, then how often it looks at
# older ones. Requests leave cycles behind, so the middle one is looked at as often as they fill some megabytes.
COLLECT = (10_000, 5, 400)
LONGEST_GAME = timedelta(hours=2)  # no game that is still played began before that
TURN = 0.0001  # seconds until a thread that wants the interpreter gets it


class Server(uvicorn.Server):
    """Serves the application on sockets that are already bound; calls `ready` once it takes requests."""

    def __init__(self, application: Front, ready: Callable[[], None] = lambda: None) -> None:
        files = most_files()
        door = Door(files, settings.CONNECTIONS_EACH, settings.TRUSTED_PROXIES)
        super().__init__(
            uvicorn.Config(
                application,
                interface="asgi3",
                http=type("AnsweringFrom", (Protocol,), {"front": application, "door": door}),
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
        # More streams than open files allow would keep referees out too, and those of one address all others; where one
        # address may have all, as in a benchmark, it may.
        hub, cap = application.hub, min(application.hub.cap, files // 2)
        hub.each = min(hub.each, cap // 2) if hub.each < hub.cap else hub.each
        hub.cap = cap
        self._application, self._ready = application, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            reach.begin(listener.getsockname()[0])
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
    clock.hold(games_need_time)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)
    sys.setswitchinterval(TURN)
    hold_little()
    # Give each thread its own language, urlconf and prefix without a lock. Django keeps them in asgiref's Local, for
    # views in a coroutine too, behind one lock for all threads. Here each view has a thread to itself, and every word
    # and link of a page took that lock: with six threads a link and two words took 79 microseconds instead of 13, and
    # referees waited for the lock.
    for module, name in ((trans_real, "_active"), (urls, "_prefixes"), (urls, "_urlconfs")):
        setattr(module, name, threading.local())


def games_need_time(now: datetime) -> bool:
    """Tell whether the time must go on as it did, up to `now`: a game is played by it, or the system's clock was set
    back during an event with a running stage, so that what follows would come before what was entered."""
    played = Play.objects.filter(state=Play.State.RUNNING, started_at__gt=now - LONGEST_GAME)
    running = LedgerRow.objects.filter(tournament__stages__state=Stage.State.RUNNING)
    set_back = timezone.now() < now
    return played.exists() or (set_back and running.filter(at__gt=now - LONGEST_GAME).exists())
