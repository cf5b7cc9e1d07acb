"""Django as WSGI in threads, a few of them for referees: however many visitors ask for slow pages, an entry finds a
thread and a connection to the database.

Requests of those who proved themselves (proved.py) are served by the referees' threads while one is idle, else by those
of everybody. Slow files (workbooks, archives, paper) are always made in the threads of everybody.
"""

import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from a2wsgi import WSGIMiddleware

from tournament.live.turns import TAKES_LONG
from tournament.server.database import can_wait, share_connections

Asgi = Callable[[Any, Any, Any], Awaitable[None]]  # a2wsgi and we name the same messages differently

# Chunks of an answer that wait for a slow reader here, so that no thread of the pool waits for it.
SEND_QUEUE = 1000
# The share of threads kept for referees: one of so many.
KEPT = 4


def timed(application: Any) -> Any:
    """The same WSGI application, which notes in the request's scope for how many seconds it kept the processor."""

    def answer(environ: Any, start_response: Any) -> Any:
        began = time.thread_time()
        try:
            return application(environ, start_response)
        finally:
            environ["asgi.scope"]["processor_s"] = time.thread_time() - began

    return answer


class Pool:
    """Some threads, and the number of them at work."""

    def __init__(
        self, application: Any, workers: int, name: str, begin: Callable[[], None] | None = None
    ) -> None:
        self._asgi: Any = WSGIMiddleware(timed(application), workers=workers, send_queue_size=SEND_QUEUE)
        self._asgi.executor = ThreadPoolExecutor(workers, name, initializer=begin)
        self._workers = workers
        self._serving = 0

    @property
    def idle(self) -> bool:
        """Whether a request that comes now is served at once."""
        return self._serving < self._workers

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self._serving += 1
        try:
            await self._asgi(scope, receive, send)
        finally:
            self._serving -= 1


def django_asgi(application: Any, workers: int) -> Asgi:
    """Django, the WSGI `application`, in `workers` threads; each has one database connection at most."""
    kept = workers // KEPT
    if not kept:
        return Pool(application, workers, "django")
    everybody, referees = (
        Pool(application, workers - kept, "everybody", share_connections),
        Pool(application, kept, "referees"),
    )

    def choose(scope: Any, receive: Any, send: Any) -> Awaitable[None]:
        works = scope.get("proved", False) and not TAKES_LONG.search(scope["path"])
        can_wait.set(not works)
        mine = works and (referees.idle or not everybody.idle)
        return (referees if mine else everybody)(scope, receive, send)

    return choose
