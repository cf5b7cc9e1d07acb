"""Turns of strangers in front of Django: a few requests of one address at a time, the others wait here without a
thread, however many come. Django shares one interpreter, so two at once are answered as fast as six.

| kind | at once of one address, of all | of one address that wait |
| --- | --- | --- |
| `quick`: a page | 2, as many as there are threads | 1,000 |
| `writes`: a form, a command | 1, 1 | 1,000 |
| `files`: a workbook, an archive, paper | 2, 3 | 100 |
| `passwords`: a form whose password is hashed | 1, one for two processors and at most 2 | 50 |

Whoever writes by a table's or player's link that Django accepted has turns of that link, not of the address: a whole
hall may be behind one router. All links of an event take turns as well, as one.

Whoever comes beyond that, or has waited for WAIT_S, is refused. Nobody who `has_proved` who they are takes a turn.
While referees save, whoever writes or guesses passwords without end rests between (REST).
"""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from cachetools import TTLCache
from django.conf import settings
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import get_language_from_path, gettext as _

from tournament.live.hub import Message, Receive, Send, refuse
from tournament.live.proved import KNOWN_COOKIE, event_of_link, has_proved
from tournament.server.middleware import HEADERS

Answered = Callable[[Message, Receive, Send], Awaitable[None]]

WAIT_S = 30.0  # seconds that a request waits for its turn
# Seconds that a refusal is held back, so that whoever repeats it keeps a connection waiting and not the processor; as
# many are held back as there may be connections. A 503 of Django's own, while the database is away, is told at once.
LATER_S = 1.0
# Each further refusal of one address is held back for LATER_S longer, up to LATEST_S, until it had none for FORGET_S.
LATEST_S, FORGET_S, ADDRESSES = 10.0, 60.0, 5000
TOO_MANY, UNAVAILABLE = 429, 503
# While a referee saved within AT_WORK_S, an address or link that wrote rests REST times as long as its request kept the
# processor (or its password was checked), and the links of an event together as long: they take at most half of a
# processor. Each may owe a credit of that, in seconds. Nobody rests for a 503, which is the database's fault.
REST, CREDIT_S, AT_WORK_S = 24, 24.0, 60.0
REST_OF_EVENT, CREDIT_OF_EVENT_S = 1, 4.0
AGAIN_S = 5  # seconds until whoever was refused may try again
READ_PAUSE = 30.0  # seconds in which a reader takes nothing of an answer, until the rest is thrown away

TAKES_LONG = re.compile(r"\.(xlsx|zip)$|/(print|badges|codes)/")
_ASKS_PASSWORD = re.compile(r"/[a-z]+/(sign-in|password|admin/password_change)/")
_HASHES = min(2, max(1, (os.cpu_count() or 1) // 2))  # the other processors are for saves
LIMITS = {
    "quick": (2, settings.WSGI_WORKERS, 1000),
    "writes": (1, 1, 1000),
    "files": (2, 3, 100),
    "passwords": (1, _HASHES, 50),
}
RESTING = {"writes", "passwords"}
_KNOWN = KNOWN_COOKIE.encode() + b"="


def kind_of(scope: Any) -> str:
    """Give the kind of a request, by its address; a form that is `busy` is answered without a password being hashed."""
    if scope["method"] == "POST" and _ASKS_PASSWORD.fullmatch(scope["path"]) and "busy" not in scope:
        return "passwords"
    usual = "quick" if scope["method"] in {"GET", "HEAD", "OPTIONS"} else "writes"
    return "files" if TAKES_LONG.search(scope["path"]) else usual


class Holder(NamedTuple):
    """Who takes turns: an address, a link, or the links of an event together. It rests `rest` times as long as its
    requests kept the processor, beyond a credit of so many seconds."""

    name: str
    rest: int = REST
    credit_s: float = CREDIT_S


def holders_of(kind: str, address: str, scope: Message) -> Sequence[Holder]:
    """Tell whose turn a request takes."""
    link, event = event_of_link(scope["path"]) if kind == "writes" else ("", "")
    if not event:
        return [Holder(address)]
    return [Holder(f"link {link}"), Holder(f"event {event}", REST_OF_EVENT, CREDIT_OF_EVENT_S)]


class Line(asyncio.Semaphore):
    """The turns of one holder for one kind, and how many requests have or await one."""

    asking = 0
    rests_s = 0.0  # seconds until the turn that ends now is free again

    async def __aexit__(self, *_: object) -> None:
        if self.rests_s:
            asyncio.get_running_loop().call_later(self.rests_s, self.release)
        else:
            self.release()


async def refused(send: Send, status: int, words: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Refuse a request a moment later and close its connection."""
    await asyncio.sleep(LATER_S)
    await refuse(send, status, words, *headers, (b"retry-after", b"%d" % AGAIN_S), (b"connection", b"close"))


async def held_back(send: Send, scope: Message, whole: Receive) -> None:
    """Refuse a request for which no turn came, in the reader's language: a form gets a page that keeps what was typed
    and sends it again by itself."""
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
    await refused(send, UNAVAILABLE, words.encode(), *named)


class Strangers:
    """Has requests of strangers answered in turn by `answered`, each after `quiet`, which waits for referees."""

    def __init__(self, answered: Answered, quiet: Callable[[], Awaitable[None]]) -> None:
        self._answered, self._quiet = answered, quiet
        self._of_all = {kind: asyncio.Semaphore(at_once) for kind, (_, at_once, _) in LIMITS.items()}
        self._lines: WeakValueDictionary[tuple[str, str], Line] = WeakValueDictionary()
        self._refused: TTLCache[str, int] = TTLCache(ADDRESSES, FORGET_S)
        self._rested: TTLCache[str, float] = TTLCache(ADDRESSES, FORGET_S)  # when a holder will have rested
        self.saved_last = -AT_WORK_S  # when a referee's save came last, by the steady clock

    async def __call__(
        self, address: str, scope: Message, whole: Receive, receive: Receive, send: Send
    ) -> None:
        """Answer the request whose `whole` body is here. A turn ends with the answer, whoever reads it how slowly; but
        for files, which are too large to be kept here. Who has hung up meanwhile is not answered."""
        kind, sent, answer = kind_of(scope), patient(send), list[Message]()
        holders = holders_of(kind, address, scope)

        async def keep(message: Message) -> None:
            answer.append(message)

        gone = asyncio.ensure_future(receive())
        try:
            async with self.turn(kind, *(holder.name for holder in holders)) as lines:
                await self._quiet()
                if not (gone.done() and gone.result()["type"] == "http.disconnect"):
                    began = time.monotonic()
                    await self._answered(scope, whole, send if kind == "files" else keep)
                    if self._is_to_rest(kind, scope, answer):
                        took = time.monotonic() - began
                        if kind == "writes":  # a password is hashed in threads of its own
                            took = scope.get("processor_s", took)
                        for holder, line in zip(holders, lines, strict=True):
                            line.rests_s = self._rest(holder, took)
        except TimeoutError:
            if kind == "passwords":  # the form itself says so
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
        """Wait for a turn of each of these, which lasts for the block. TimeoutError where none comes."""
        each, _all, waiting = LIMITS[kind]
        lines = [self._lines.setdefault((kind, holder), Line(each)) for holder in holders]
        if any(line.asking >= each + waiting for line in lines):
            raise TimeoutError
        for line in lines:
            line.asking += 1
        try:
            async with asyncio.timeout(WAIT_S) as patience, AsyncExitStack() as turns:
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
        """Tell whether whoever sent this rests after the answer: not where it shows a referee, whose device or token is
        known from now on."""
        if answer and answer[0]["status"] == UNAVAILABLE:
            return False
        if kind not in RESTING or time.monotonic() - self.saved_last > AT_WORK_S or has_proved(scope):
            return False
        cookies = (value for each in answer[:1] for name, value in each["headers"] if name == b"set-cookie")
        return not any(each.startswith(_KNOWN) for each in cookies)

    def _rest(self, holder: Holder, took: float) -> float:
        """Give the seconds for which a holder rests after so many seconds of the processor."""
        now, rest = time.monotonic(), holder.rest * took
        rested = max(self._rested.get(holder.name, 0.0), now - holder.credit_s) + rest
        self._rested[holder.name] = rested
        return min(max(0.0, rested - now), rest)


def patient(send: Send) -> Send:
    """The same as long as somebody reads: who takes nothing for READ_PAUSE gets no more, nor who is gone in the middle,
    and none of them holds a thread that still writes."""
    gone = False

    async def sent(message: Message) -> None:
        nonlocal gone
        if gone:
            return
        try:
            async with asyncio.timeout(READ_PAUSE):
                await send(message)
        except (OSError, RuntimeError) as error:  # TimeoutError is an OSError
            if isinstance(error, RuntimeError) and "closed" not in str(error):
                raise  # "closed" is uvloop's word for a connection that ended just now
            gone = True

    return sent
