"""The raw ASGI application in front of Django.

/live/<scope>   an event stream (hub.py)
/healthz, /readyz, /metrics  how this process is (probes.py)
GET, HEAD       of a published page: its bytes from the store; after a change one request to Django renders
                them again, everybody else waits for it
all else        Django as WSGI, in a bounded number of threads (pools.py): once the body is here (bodies.py),
                for referees at once (proved.py), for strangers in turn (turns.py)
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import quote

from cachetools import FIFOCache, TTLCache
from django.conf import settings

from tournament.live.bodies import Bodies, Refused
from tournament.live.hub import PREFIX, Hub, Message, Receive, Send, refuse
from tournament.live.poller import Poller
from tournament.live.pools import Asgi
from tournament.live.probes import PATHS, Probes
from tournament.live.proved import has_proved
from tournament.live.store import Answer, Entry, Headers, Store
from tournament.live.turns import Strangers, patient, refused
from tournament.live.versions import Versions
from tournament.server import metrics
from tournament.server.background import Beside
from tournament.server.rate_limits import place_of

logger = logging.getLogger(__name__)

RENDER_WAIT = 10.0  # seconds that readers wait for a page that is being rendered
RENDER_TRIES = 3
# Pages that are rendered at the same time. They share the interpreter with saves: more of them slow saves down, and the
# last page is ready no sooner. Not one alone, so that one that hangs does not hold up all.
RENDERS = 2
# Referees come first: pages that were not begun wait for the end of a referee's save, up to this age of the save; so do
# strangers' requests.
SAVES_FIRST_S, STRANGERS_LAST_S = 0.15, 0.5
# While the database does not say what others saved: the seconds until a page is rendered again, and the seconds that
# its readers wait for that before they get the stored one.
ANEW_S = 1.0
ANEW_WAIT_S = 3.0
MOST_PATHS = 5000  # remembered as no published pages, or as rendered again
# The headers that a render gets from the request that caused it: nothing about the person.
_RENDER_HEADERS = {b"host", b"x-forwarded-proto"}
_BODY_HEADERS = {b"content-length", b"transfer-encoding"}
_PASSING = {404, *range(500, 600)}  # answers that may be temporary
_SAFE = {"GET", "HEAD", "OPTIONS"}
_HTTPS = (b"x-forwarded-proto", b"https")
_GONE = {301, 302, 303, 307, 308, 404, 410}
_ASCII = "".join(map(chr, range(0x21, 0x7F)))  # characters of a query that are passed on unchanged


class Overloaded(Exception):
    """A page could not be rendered in time."""


class Render(NamedTuple):
    """A page that is being rendered: thousands wait for one event, which comes with its end or after RENDER_WAIT."""

    task: asyncio.Task[None]
    waited: asyncio.Event


class Front:
    """The application. `django` is any ASGI application that answers what is not answered here; `beside` starts and
    stops with it."""

    def __init__(
        self,
        django: Asgi,
        *,
        versions: Versions,
        store: Store,
        hub: Hub,
        poller: Poller,
        beside: Sequence[Beside] = (),
    ) -> None:
        self.hub, self._versions, self._store, self._poller = hub, versions, store, poller
        self._django, self._beside = django, beside
        self._publish, self._https_only = settings.PUBLISH, settings.SECURE_SSL_REDIRECT  # slow to look up
        self._probes = Probes(hub=lambda: self.hub, versions=versions, store=store)
        self._renders: dict[str, Render] = {}
        self._rendering = asyncio.Semaphore(RENDERS)
        self._bodies, self._strangers = Bodies(), Strangers(self._answered, self._quiet)
        self._saves = 0  # referees' requests in Django that may write
        self._no_saves = asyncio.Event()
        self._no_saves.set()
        self._leaders: dict[str, asyncio.Future[None]] = {}
        self._unpublished: FIFOCache[str, None] = FIFOCache(MOST_PATHS)  # paths where no published page lives
        self._anew: TTLCache[str, None] = TTLCache(MOST_PATHS, ANEW_S)  # pages that were rendered in doubt

    def __call__(self, scope: Message, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer one request. The most frequent kind comes first: a page that is in the store."""
        if scope["type"] != "http":
            return self._lifespan(scope, receive, send)
        path = scope["path"]
        entry = self._store.fresh(path)
        if entry is not None and self._may_be_stored(scope) and not self._versions.doubtful:
            metrics.published.inc()
            return _answer(entry, scope, send)
        if path.startswith(PREFIX):
            return self.hub(scope, receive, send)
        if path in PATHS:
            return self._probes(scope, send)
        if self._may_be_stored(scope):
            return self._page(path, scope, receive, send)
        return self._to_django(scope, receive, send)

    def stored(self, path: str, headers: Headers) -> Answer | None:
        """Give the stored answer to a GET of this path, as it was sent; None when there is none to use, as for every
        path with a query or an encoded letter."""
        entry = self._store.fresh(path)
        may_be = self._publish and not (self._https_only and _HTTPS not in headers)
        if entry is None or not may_be or self._versions.doubtful:
            return None
        metrics.published.inc()
        return entry.answer(*_asked(headers))

    async def _page(self, path: str, scope: Message, receive: Receive, send: Send) -> None:
        """Answer from a render that others share, or from Django."""
        if self._versions.doubtful:
            await self._made_anew(path, scope)
        try:
            entry = await self._rendered(path, scope)
        except Overloaded:
            return await refuse(send, 503, b"Very busy. Try again.", (b"retry-after", b"2"))
        if entry is not None:
            return await _answer(entry, scope, send)
        return await self._to_django(scope, receive, send)

    def _may_be_stored(self, scope: Message) -> bool:
        """Tell whether the request is for an exact path without a query; where https is required, Django redirects the
        others."""
        return (
            self._publish
            and (scope["method"] == "GET" or scope["method"] == "HEAD")
            and not scope["query_string"]
            and b"%" not in scope["raw_path"]
            and (not self._https_only or _HTTPS in scope["headers"])
        )

    async def _rendered(self, path: str, scope: Message) -> Entry | None:
        """Give the entry of a published page after a change, rendered by one request for all who ask meanwhile.

        None when no published page is known there, or when this request's own render failed, so that Django answers
        with the error; a request that waited for another's render is told to try again. A render goes on when a reader
        who waits for it goes away.
        """
        own = False
        if path in self._leaders and self._store.last(path) is None:
            await asyncio.wait([self._leaders[path]], timeout=RENDER_WAIT)
        for _ in range(RENDER_TRIES):
            last = self._store.last(path)
            wanted = None if last is None else self._versions.known(last.scope)
            if last is None or wanted is None:
                return None
            if last.version >= wanted:
                return last
            own = own or path not in self._renders
            render = self._renders.get(path) or self._begin(path, last, scope)
            await render.waited.wait()
            if not render.task.done():
                raise Overloaded
            rendered = self._store.last(path)
            if rendered is not None and rendered.version >= wanted:
                return rendered
        if not own:
            raise Overloaded
        return None

    async def _made_anew(self, path: str, scope: Message) -> None:
        """Render a page again although no change was announced; where that fails, the last one is better than none."""
        last = self._store.last(path)
        if last is None or path in self._anew:
            return
        self._anew[path] = None
        render = self._renders.get(path) or self._begin(path, last, scope)
        with suppress(TimeoutError):
            async with asyncio.timeout(ANEW_WAIT_S):
                await render.waited.wait()

    def _begin(self, path: str, last: Entry, scope: Message) -> Render:
        metrics.renders.inc()
        task = asyncio.create_task(self._render(path, last, scope))
        render = self._renders[path] = Render(task, asyncio.Event())
        patience = asyncio.get_running_loop().call_later(RENDER_WAIT, render.waited.set)

        def ended(_: asyncio.Task[None]) -> None:
            patience.cancel()
            del self._renders[path]
            render.waited.set()

        task.add_done_callback(ended)
        return render

    async def _lead(self, path: str, scope: Message, receive: Receive, send: Send) -> None:
        """Pass the first request of a path to Django; others go on when its answer begins, kept or not."""
        leader = self._leaders[path] = asyncio.get_running_loop().create_future()

        def begun() -> None:
            if not leader.done():
                leader.set_result(None)
                del self._leaders[path]

        async def pass_on(message: Message) -> None:
            status = message.get("status")
            if status is not None and status not in _PASSING and self._store.last(path) is None:
                self._unpublished[path] = None
            begun()
            await send(message)

        try:
            await self._ask_django(scope, receive, pass_on)
        finally:
            begun()

    async def _render(self, path: str, last: Entry, scope: Message) -> None:
        """Have Django answer a GET of this path, with nobody's headers; its middleware keeps the answer."""
        status = 500

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)

        headers = [(name, value) for name, value in scope["headers"] if name in _RENDER_HEADERS]
        try:
            async with self._rendering:
                await self._after_saves(SAVES_FIRST_S)
                await self._ask_django({**scope, "method": "GET", "headers": headers}, receive, send)
        except Exception:  # those who wait for it get the page as it was
            logger.exception("could not render %s", path)
        if status in _GONE:
            self._store.drop(path, last)

    async def _to_django(self, scope: Message, receive: Receive, send: Send) -> None:
        """Give a request to Django once all of it is here: no thread waits for somebody's network."""
        proved = has_proved(scope)
        client = scope["client"]
        address = None if proved else place_of(client[0] if client else "")
        try:
            async with self._bodies.read(scope, receive, address) as body:

                async def whole() -> Message:
                    return {"type": "http.request", "body": body, "more_body": False}

                # CGI's names make no difference between - and _, so a header with _ could pass for a proxy's.
                headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
                asked = {
                    **scope,
                    "headers": headers,
                    "query_string": quote(scope["query_string"], safe=_ASCII).encode(),
                    "proved": proved,
                }
                if address is None:
                    await self._of_referee(asked, whole, send)
                else:
                    await self._strangers(address, asked, whole, receive, send)
        except asyncio.IncompleteReadError:
            return
        except Refused as why:
            await refused(send, *why.args)

    async def _of_referee(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["method"] in _SAFE:
            return await self._answered(scope, receive, send)
        self._saves, self._strangers.saved_last = self._saves + 1, time.monotonic()
        self._no_saves.clear()
        try:
            return await self._answered(scope, receive, send)
        finally:
            self._saves -= 1
            if not self._saves:
                self._no_saves.set()

    async def _quiet(self) -> None:
        """Wait, not for long, until nobody waits for a page or a save."""
        if self._renders:  # which all readers of a page wait for
            await asyncio.wait([each.task for each in self._renders.values()], timeout=STRANGERS_LAST_S)
        await self._after_saves(STRANGERS_LAST_S)

    async def _answered(self, scope: Message, receive: Receive, send: Send) -> None:
        """Have Django answer, or the store, where somebody else had the page rendered meanwhile."""
        path, may_be = scope["path"], self._may_be_stored(scope)
        entry = self._store.fresh(path) if may_be and not self._versions.doubtful else None
        if entry is not None:
            await _answer(entry, scope, send)
        elif (  # it finds out if a published page lives there, while others wait for it
            may_be
            and scope["method"] == "GET"
            and path not in self._leaders
            and path not in self._unpublished
            and not any(name in _BODY_HEADERS for name, _ in scope["headers"])
        ):
            await self._lead(path, scope, receive, send)
        else:
            await self._ask_django(scope, receive, send)

    async def _after_saves(self, age_s: float) -> None:
        left = self._strangers.saved_last + age_s - time.monotonic()
        if self._saves and left > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._no_saves.wait()

    async def _ask_django(self, scope: Message, receive: Receive, send: Send) -> None:
        metrics.serving.open += 1
        try:
            await self._django(scope, receive, patient(send))
        finally:
            metrics.serving.open -= 1

    async def _lifespan(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self.hub.start()
                await self._poller.start()
                for each in self._beside:
                    await each.start()
            else:
                self.hub.close()
                for each in self._beside:
                    await each.stop()
                await self._poller.stop()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return


async def _answer(entry: Entry, scope: Message, send: Send) -> None:
    answer = entry.answer(*_asked(scope["headers"]))
    await send(answer.start)
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})


def _asked(headers: Headers) -> tuple[bytes, bytes]:
    """Accept-Encoding and If-None-Match, empty where there is none."""
    named = dict(headers)
    return named.get(b"accept-encoding", b""), named.get(b"if-none-match", b"")
