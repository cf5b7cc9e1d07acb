"""Uvicorn for Lastcard: one process; shutdown ends streams first."""

import asyncio
import gc
import socket
import sys
from collections.abc import Callable
from datetime import datetime

import uvicorn
from django.conf import settings

from tournament.live.door import Door
from tournament.live.front import Front
from tournament.live.hub import PREFIX
from tournament.live.protocol import KEEP_ALIVE, Protocol
from tournament.server.clock import clock
from tournament.server.machine import hold_little, most_files
from tournament.server.venue import reach

FINISH = 5  # graceful shutdown timeout, seconds
STALLED = 0.4  # seconds until stalled streams are cut

# Garbage collector thresholds: requests leave cycles.
COLLECT = (10_000, 5, 400)
TURN = 0.0001  # GIL switch interval, seconds


class Server(uvicorn.Server):
    """Serves on bound sockets; calls `ready` when accepting requests."""

    def __init__(self, application: Front, ready: Callable[[], None] = lambda: None) -> None:
        files = most_files()
        entrance = Door(files, settings.CONNECTIONS_EACH, settings.TRUSTED_PROXIES)

        class Answering(Protocol):
            front, door = application, entrance

        super().__init__(
            uvicorn.Config(
                application,
                interface="asgi3",
                http=Answering,
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
        # Streams get half of the file descriptors, one address half of those, or all (benchmarks).
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


def settle_process(need_time: Callable[[datetime], bool]) -> None:
    """Tune the process for thousands of streams; `need_time`: whether games need a steady clock. Garbage collection
    took half the CPU, saves three times as long at the usual switch interval."""
    clock.hold(need_time)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)
    sys.setswitchinterval(TURN)
    hold_little()
