"""The raw ASGI application in front of Django.

/live/<scope>               event stream (hub.py)
/healthz, /readyz, /metrics probes.py
GET, HEAD                   published page from the store; after a change one shared render
all else                    Django as WSGI (pools.py), body buffered (bodies.py): referees at once (proved.py),
                            others queued (turns.py)
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
from tournament.live.changes import packed
from tournament.live.hub import PREFIX, Hub, Message, Receive, Send, refuse
from tournament.live.poller import Poller
from tournament.live.pools import Asgi
from tournament.live.probes import PATHS, Probes
from tournament.live.proved import has_proved
from tournament.live.store import Answer, Entry, Headers, Store, Versions
from tournament.live.turns import Strangers, Underway, patient, refused
from tournament.server import metrics
from tournament.server.background import Beside
from tournament.server.rate_limits import place_of

logger = logging.getLogger(__name__)

RENDER_WAIT = 10.0  # seconds readers wait for a render
RENDER_TRIES = 3
# Renders compete with saves for the GIL; a hung one must not block all.
RENDERS = 2
# Seconds that renders and untrusted requests wait for saves.
SAVES_FIRST_S, STRANGERS_LAST_S = 0.15, 0.5
# While versions are doubtful, seconds between renders, and until readers get the stale page.
ANEW_S = 1.0
ANEW_WAIT_S = 3.0
MOST_PATHS = 5000
# Request headers that a render copies: nothing personal.
_RENDER_HEADERS = {b"host", b"x-forwarded-proto"}
_BODY_HEADERS = {b"content-length", b"transfer-encoding"}
_PASSING = {404, *range(500, 600)}  # statuses that may be temporary
_SAFE = {"GET", "HEAD", "OPTIONS"}
_HTTPS = (b"x-forwarded-proto", b"https")
_GONE = {301, 302, 303, 307, 308, 404, 410}
_ASCII = "".join(map(chr, range(0x21, 0x7F)))  # characters not re-encoded in queries


class Overloaded(Exception):
    """A page could not be rendered in time."""


class Render(NamedTuple):
    """A running render; `waited` is set when it ends or RENDER_WAIT is over."""

    task: asyncio.Task[None]
    waited: asyncio.Event


class Front:
    """The application, with its background tasks. `django` answers the rest."""

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
        hub.changes = self._changes
        self._django, self._beside = django, beside
        self._publish, self._https_only = (
            settings.PUBLISH,
            settings.SECURE_SSL_REDIRECT,
        )
        self._probes = Probes(hub=lambda: self.hub, versions=versions, store=store)
        self._renders: dict[str, Render] = {}
        self._rendering = asyncio.Semaphore(RENDERS)
        self._bodies, self._strangers = Bodies(), Strangers(self._answered, self._quiet)
        self._saves = Underway()
        self._leaders: dict[str, asyncio.Future[None]] = {}
        self._unpublished: FIFOCache[str, None] = FIFOCache(MOST_PATHS)
        self._anew: TTLCache[str, None] = TTLCache(MOST_PATHS, ANEW_S)  # recently rendered while doubtful

    def __call__(self, scope: Message, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request, the most frequent kind first."""
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
        """Stored response to a GET of this raw path; None for others, queries and encoded paths."""
        entry = self._store.fresh(path)
        may_be = self._publish and not (self._https_only and _HTTPS not in headers)
        if entry is None or not may_be or self._versions.doubtful:
            return None
        metrics.published.inc()
        return entry.answer(*_asked(headers))

    async def _page(self, path: str, scope: Message, receive: Receive, send: Send) -> None:
        if self._versions.doubtful:
            await self._made_anew(path, scope)
        try:
            entry = await self._rendered(path, scope)
        except Overloaded:
            return await refuse(send, 503, b"Very busy. Try again.", (b"retry-after", b"2"))
        if entry is not None:
            return await _answer(entry, scope, send)
        return await self._to_django(scope, receive, send)

    async def _changes(self, path: str, scope: Message) -> bytes | None:
        """Line changes of the page at `path` since its former version (changes.py), None if unknown."""
        asked = {**scope, "path": path, "raw_path": path.encode(), "query_string": b""}
        try:
            entry = await self._rendered(path, asked) if self._may_be_stored(asked) else None
        except Overloaded:
            return None
        return None if entry is None else await asyncio.to_thread(packed, entry)

    def _may_be_stored(self, scope: Message) -> bool:
        """Whether the path is plain, without query, and by https where required (Django redirects)."""
        return (
            self._publish
            and (scope["method"] == "GET" or scope["method"] == "HEAD")
            and not scope["query_string"]
            and b"%" not in scope["raw_path"]
            and (not self._https_only or _HTTPS in scope["headers"])
        )

    async def _rendered(self, path: str, scope: Message) -> Entry | None:
        """Fresh entry of a published page; readers share one render. None if the page is unknown or this request's
        own render failed. Raises Overloaded on timeout or after another's failed render."""
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
        """Render again while in doubt; readers get the stale page on failure."""
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
        """Pass on a path's first request; others wait until its response begins."""
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
        """Render anonymously; the middleware stores the response."""
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
        except Exception:  # waiters get the old page
            logger.exception("could not render %s", path)
        if status in _GONE:
            self._store.drop(path, last)

    async def _to_django(self, scope: Message, receive: Receive, send: Send) -> None:
        """Buffer the body first: no thread waits for the network."""
        proved = has_proved(scope)
        client = scope["client"]
        address = None if proved else place_of(client[0] if client else "")
        try:
            async with self._bodies.read(scope, receive, address) as body:

                async def whole() -> Message:
                    return {"type": "http.request", "body": body, "more_body": False}

                # CGI maps - and _ alike: a header with _ could spoof a proxy's.
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
        self._strangers.saved_last = time.monotonic()
        with self._saves:
            return await self._answered(scope, receive, send)

    async def _quiet(self) -> None:
        if self._renders:
            await asyncio.wait([each.task for each in self._renders.values()], timeout=STRANGERS_LAST_S)
        await self._after_saves(STRANGERS_LAST_S)

    async def _answered(self, scope: Message, receive: Receive, send: Send) -> None:
        path, may_be = scope["path"], self._may_be_stored(scope)
        entry = self._store.fresh(path) if may_be and not self._versions.doubtful else None
        if entry is not None:
            await _answer(entry, scope, send)
        elif (  # finds out whether the path is published
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
        if left > 0:
            await self._saves.end(left)

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
    named = dict(headers)
    return named.get(b"accept-encoding", b""), named.get(b"if-none-match", b"")
