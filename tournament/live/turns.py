"""Per-address concurrency limits for unauthenticated requests; the excess queues without a thread, and is refused
beyond the queue or WAIT_S. A hall may share one address: its links have a queue of their own, for which `writes`
wait up to LINKS_FIRST_S. While referees save, persistent writes and password guesses are throttled (REST)."""

import asyncio
import json
import os
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from cachetools import TTLCache
from django.conf import settings
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import get_language_from_path, gettext as _

from tournament.live.hub import Message, Receive, Send, refuse, shared_with
from tournament.live.proved import KNOWN_COOKIE, event_of_link, has_proved
from tournament.server.middleware import HEADERS

Answered = Callable[[Message, Receive, Send], Awaitable[None]]

WAIT_S = 30.0  # queue timeout, seconds
LINKS_FIRST_S = 0.5
# Tarpit seconds; Django's 503 is immediate.
LATER_S = 1.0
# The delay grows by LATER_S per refusal of an address, up to LATEST_S; reset after FORGET_S.
LATEST_S, FORGET_S, ADDRESSES = 10.0, 60.0, 5000
TOO_MANY, UNAVAILABLE = 429, 503
# Within AT_WORK_S of a referee's save, an address or link that writes pauses for REST times its CPU time (passwords:
# elapsed time), an event's links REST_OF_EVENT times. Each has a credit of CREDIT_S seconds.
# No pause after 503, the database's fault.
REST, CREDIT_S, AT_WORK_S = 24, 24.0, 60.0
REST_OF_EVENT, CREDIT_OF_EVENT_S = 1, 4.0
AGAIN_S = 5  # Retry-After, seconds
READ_PAUSE = 30.0  # seconds of reader stall until the rest is dropped

TAKES_LONG = re.compile(r"\.(xlsx|zip)$|/(print|badges|codes)/")
_ASKS_PASSWORD = re.compile(r"/[a-z]+/(sign-in|password|admin/password_change)/")
_HASHES = min(2, max(1, (os.cpu_count() or 1) // 2))
LIMITS = {  # at once per address, or per link and per event; in total; queue per address
    "quick": (2, settings.WSGI_WORKERS, 1000),  # pages
    "links": (1, 1, 1000),  # writes by accepted table or player links
    "writes": (1, 1, 1000),  # all others
    "files": (2, 3, 100),  # workbooks, archives, paper
    "passwords": (1, _HASHES, 50),  # forms that hash one
}
RESTING = {"links", "writes", "passwords"}
_KNOWN = KNOWN_COOKIE.encode() + b"="


def kind_of(scope: Any) -> str:
    """Kind of a request by method and path; a form marked `busy` is answered without hashing."""
    path = scope["path"]
    if scope["method"] == "POST" and _ASKS_PASSWORD.fullmatch(path) and "busy" not in scope:
        return "passwords"
    if TAKES_LONG.search(path):
        return "files"
    if scope["method"] in {"GET", "HEAD", "OPTIONS"}:
        return "quick"
    return "links" if event_of_link(path)[1] else "writes"


class Holder(NamedTuple):
    """Subject of a limit: address, link, or event's links. It pauses `rest` times its CPU time, beyond `credit_s`
    seconds."""

    name: str
    rest: int = REST
    credit_s: float = CREDIT_S


def holders_of(kind: str, address: str, scope: Message) -> Sequence[Holder]:
    """Holders whose limits apply to a request."""
    if kind != "links":
        return [Holder(address)]
    link, event = event_of_link(scope["path"])
    return [Holder(f"link {link}"), Holder(f"event {event}", REST_OF_EVENT, CREDIT_OF_EVENT_S)]


class Line(asyncio.Semaphore):
    """Semaphore per holder and kind; `asking` counts running and queued requests."""

    asking = 0
    rests_s = 0.0  # seconds until the slot is released

    async def __aexit__(self, *_: object) -> None:
        if self.rests_s:
            asyncio.get_running_loop().call_later(self.rests_s, self.release)
        else:
            self.release()


class Underway:
    """Requests in its `with` block; others may wait for their end."""

    def __init__(self) -> None:
        self.count, self._none = 0, asyncio.Event()
        self._none.set()

    def __enter__(self) -> None:
        self.count += 1
        self._none.clear()

    def __exit__(self, *_: object) -> None:
        self.count -= 1
        if not self.count:
            self._none.set()

    async def end(self, seconds: float) -> None:
        """Wait for it, at most so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._none.wait()


async def refused(send: Send, status: int, words: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Refuse after LATER_S and close the connection."""
    await asyncio.sleep(LATER_S)
    await refuse(send, status, words, *headers, (b"retry-after", b"%d" % AGAIN_S), (b"connection", b"close"))


async def held_back(send: Send, scope: Message, whole: Receive) -> None:
    """Refuse with 503; a form gets a page that preserves its input and retries."""
    headers = dict(scope["headers"])
    is_form = headers.get(b"content-type", b"").startswith(b"application/x-www-form-urlencoded")
    is_page = b"text/html" in headers.get(b"accept", b"") and b"hx-request" not in headers
    typed = QueryDict((await whole())["body"] if is_form and is_page else b"", encoding="utf-8")
    fields = [(name, value) for name, values in typed.lists() for value in values]
    with translation.override(get_language_from_path(scope["path"]) or settings.LANGUAGE_CODE):
        page = render_to_string("busy.html", {"fields": fields, "again_s": AGAIN_S}) if fields else ""
        words = page or _("Very busy. Try again.")
    said = {"Content-Type": "text/html; charset=utf-8", "X-Frame-Options": "DENY", **HEADERS} if page else {}
    named = [(name.lower().encode(), value.encode()) for name, value in said.items()]
    if re.match(settings.CORS_URLS_REGEX, scope["path"]):  # a problem
        problem = {"type": "/api/v1/docs#unavailable", "title": words, "status": UNAVAILABLE}
        words = json.dumps({**problem, "code": "unavailable"})
        exposed = (b"access-control-expose-headers", b"retry-after")
        named = [(b"content-type", b"application/problem+json"), exposed, *shared_with(scope["headers"])]
    await refused(send, UNAVAILABLE, words.encode(), *named)


class Strangers:
    """Queues untrusted requests for `answered`, each after `quiet`, which waits for referees."""

    def __init__(self, answered: Answered, quiet: Callable[[], Awaitable[None]]) -> None:
        self._answered, self._quiet = answered, quiet
        self._of_all = {kind: asyncio.Semaphore(at_once) for kind, (_most, at_once, _wait) in LIMITS.items()}
        self._lines: WeakValueDictionary[tuple[str, str], Line] = WeakValueDictionary()
        self._refused: TTLCache[str, int] = TTLCache(ADDRESSES, FORGET_S)
        self._rested: TTLCache[str, float] = TTLCache(ADDRESSES, FORGET_S)
        self._links = Underway()
        self.saved_last = -AT_WORK_S

    async def __call__(
        self, address: str, scope: Message, whole: Receive, receive: Receive, send: Send
    ) -> None:
        """Answer with buffered body `whole`; frees the slot before sending, except for `files`."""
        kind, sent, answer = kind_of(scope), patient(send), list[Message]()
        holders = holders_of(kind, address, scope)

        async def keep(message: Message) -> None:
            answer.append(message)

        gone = asyncio.ensure_future(receive())
        try:
            async with self.turn(kind, *(holder.name for holder in holders)) as lines:
                if kind == "writes":
                    await self._links.end(LINKS_FIRST_S)
                await self._quiet()
                if not (gone.done() and gone.result()["type"] == "http.disconnect"):
                    began = time.monotonic()
                    await self._answered(scope, whole, send if kind == "files" else keep)
                    if self._is_to_rest(kind, scope, answer):
                        took = time.monotonic() - began
                        if kind != "passwords":  # hashing uses other threads
                            took = scope.get("processor_s", took)
                        for holder, line in zip(holders, lines, strict=True):
                            line.rests_s = self._rest(holder, took)
        except TimeoutError:
            if kind == "passwords":  # the form reports it
                await self(address, {**scope, "busy": True}, whole, receive, send)
            else:
                await held_back(keep, scope, whole)
        finally:
            gone.cancel()
        if answer and answer[0]["status"] == TOO_MANY:
            times = self._refused[address] = self._refused.get(address, 0) + 1
            await asyncio.sleep(min(LATER_S * times, LATEST_S))
        for message in answer:
            await sent(message)

    @asynccontextmanager
    async def turn(self, kind: str, *holders: str) -> AsyncIterator[Sequence[Line]]:
        """Acquire one slot per holder for the block. Raises TimeoutError (queue full, WAIT_S)."""
        each, _all, waiting = LIMITS[kind]
        lines = [self._lines.setdefault((kind, holder), Line(each)) for holder in holders]
        if any(line.asking >= each + waiting for line in lines):
            raise TimeoutError
        for line in lines:
            line.asking += 1
        try:
            async with asyncio.timeout(WAIT_S) as patience, AsyncExitStack() as turns:
                if kind == "links":
                    turns.enter_context(self._links)
                for line in lines:
                    await turns.enter_async_context(line)
                await turns.enter_async_context(self._of_all[kind])
                patience.reschedule(None)
                for line in lines:
                    line.rests_s = 0.0
                yield lines
        finally:
            for line in lines:
                line.asking -= 1

    def _is_to_rest(self, kind: str, scope: Message, answer: list[Message]) -> bool:
        """Whether the sender pauses; not if the response identifies a referee."""
        if answer and answer[0]["status"] == UNAVAILABLE:
            return False
        if kind not in RESTING or time.monotonic() - self.saved_last > AT_WORK_S or has_proved(scope):
            return False
        cookies = (value for each in answer[:1] for name, value in each["headers"] if name == b"set-cookie")
        return not any(each.startswith(_KNOWN) for each in cookies)

    def _rest(self, holder: Holder, took: float) -> float:
        now, rest = time.monotonic(), holder.rest * took
        rested = max(self._rested.get(holder.name, 0.0), now - holder.credit_s) + rest
        self._rested[holder.name] = rested
        return min(max(0.0, rested - now), rest)


def patient(send: Send) -> Send:
    """Wrap `send`: after a READ_PAUSE stall or disconnect drop the rest, freeing the thread."""
    gone = False

    async def sent(message: Message) -> None:
        nonlocal gone
        if gone:
            return
        try:
            async with asyncio.timeout(READ_PAUSE):
                await send(message)
        except (OSError, RuntimeError) as error:  # includes TimeoutError
            if isinstance(error, RuntimeError) and "closed" not in str(error):
                raise  # "closed": uvloop's error for a just ended connection
            gone = True

    return sent
