"""Django as WSGI in threads, some reserved for referees. Proved requests (proved.py) use idle ones of these, slow
files (workbooks, archives, paper) only common ones."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from a2wsgi import WSGIMiddleware

from tournament.live.turns import TAKES_LONG
from tournament.server.database import can_wait, share_connections

Asgi = Callable[[Any, Any, Any], Awaitable[None]]

# Response chunks queued for a slow reader, to free the thread.
SEND_QUEUE = 1000
# Referees get a quarter of the threads.
KEPT = 4


def timed(application: Any, begin: Callable[[], None]) -> Any:
    """Wrap WSGI to call `begin` in the thread and record CPU seconds in the scope's `processor_s`."""

    def answer(environ: Any, start_response: Any) -> Any:
        begin()
        began = time.thread_time()
        try:
            return application(environ, start_response)
        finally:
            environ["asgi.scope"]["processor_s"] = time.thread_time() - began

    return answer


class Pool:
    """Thread pool with a count of busy threads."""

    def __init__(self, application: Any, workers: int, begin: Callable[[], None] = lambda: None) -> None:
        self._asgi = WSGIMiddleware(timed(application, begin), workers=workers, send_queue_size=SEND_QUEUE)
        self._workers = workers
        self._serving = 0

    @property
    def idle(self) -> bool:
        """Whether a thread is free."""
        return self._serving < self._workers

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self._serving += 1
        try:
            await self._asgi(scope, receive, send)
        finally:
            self._serving -= 1


def django_asgi(application: Any, workers: int) -> Asgi:
    """ASGI wrapper of WSGI `application`; each of `workers` threads has at most one database connection."""
    kept = workers // KEPT
    if not kept:
        return Pool(application, workers)
    everybody, referees = (
        Pool(application, workers - kept, share_connections),
        Pool(application, kept),
    )

    def choose(scope: Any, receive: Any, send: Any) -> Awaitable[None]:
        works = scope.get("proved", False) and not TAKES_LONG.search(scope["path"])
        can_wait.set(not works)
        mine = works and (referees.idle or not everybody.idle)
        return (referees if mine else everybody)(scope, receive, send)

    return choose
