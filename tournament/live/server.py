"""Uvicorn as Lastcard runs it: one process, and streams that end first when it stops."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from tournament.live.front import Front
from tournament.live.hub import PREFIX

FINISH = 5  # seconds that requests may take to finish once the server stops
STALLED = 0.4  # seconds after which a stream whose reader takes nothing is cut
KEEP_ALIVE = 65  # seconds; longer than the usual proxy's, so that it is never the server that hangs up


class Server(uvicorn.Server):
    """Serves the application on sockets that are already bound; calls `ready` once it takes requests."""

    def __init__(self, application: Front, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                interface="asgi3",
                lifespan="on",
                ws="none",
                log_config=None,
                log_level="warning",
                access_log=False,
                backlog=2048,
                timeout_keep_alive=KEEP_ALIVE,
                timeout_graceful_shutdown=FINISH,
            )
        )
        self._application = application
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._application.hub.close()
        asyncio.get_running_loop().call_later(STALLED, self._cut_streams)
        await super().shutdown(sockets)

    def _cut_streams(self) -> None:
        for connection in list(self.server_state.connections):
            asked = getattr(connection, "scope", None)
            if asked and asked["path"].startswith(PREFIX):
                connection.transport.abort()
