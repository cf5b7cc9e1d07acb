"""Turns of strangers in front of Django: a few requests of one address at a time, the others wait here without a
thread, however many come. Django shares one interpreter, so two at once are answered as fast as six.

| kind | at once of one address, of all | of one address that wait |
| --- | --- | --- |
| `quick`: a page | 2, as many as there are threads | 1,000 |
| `writes`: a form, a command | 1, 1 | 1,000 |
| `files`: a workbook, an archive, paper | 2, 3 | 100 |
| `passwords`: a form whose password is hashed | 1, one for two processors and at most 2 | 50 |

Whoever comes beyond that, or has waited for WAIT_S, is refused. Nobody who `has_proved` who they are takes a turn.
While referees save, an address that writes or guesses passwords without end rests between (REST).
"""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

from cachetools import TTLCache
from django.conf import settings

from tournament.live.hub import Message, Receive, Send, refuse
from tournament.live.proved import KNOWN_COOKIE, has_proved

Answered = Callable[[Message, Receive, Send], Awaitable[None]]

WAIT_S = 30.0  # seconds that a request waits for its turn
# Seconds that a refusal is held back, so that whoever repeats it keeps a connection waiting and not the processor; as
# many are held back as there may be connections. A 503 of Django's own, while the database is away, is told at once.
LATER_S = 1.0
# Each further refusal of one address is held back for LATER_S longer, up to LATEST_S, until it had none for FORGET_S.
LATEST_S, FORGET_S, ADDRESSES = 10.0, 60.0, 5000
TOO_MANY, UNAVAILABLE = 429, 503
# While a referee saved within AT_WORK_S, an address that wrote rests REST times as long as Django took. It may owe
# CREDIT_S of that, so that some forty tables of a hall propose their rounds at once. No address rests for a 503, which
# is the database's fault.
REST, CREDIT_S, AT_WORK_S = 24, 24.0, 60.0
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


class Line(asyncio.Semaphore):
    """The turns of one address for one kind, and how many requests have or await one."""

    asking = 0
    rests_s = 0.0  # seconds until the turn that ends now is free again

    async def __aexit__(self, *_: object) -> None:
        if self.rests_s:
            asyncio.get_running_loop().call_later(self.rests_s, self.release)
        else:
            self.release()


async def refused(send: Send, status: int, words: bytes) -> None:
    """Refuse a request a moment later and close its connection."""
    await asyncio.sleep(LATER_S)
    await refuse(send, status, words, (b"retry-after", b"5"), (b"connection", b"close"))


class Strangers:
    """Has requests of strangers answered in turn by `answered`, each after `quiet`, which waits for referees."""

    def __init__(self, answered: Answered, quiet: Callable[[], Awaitable[None]]) -> None:
        self._answered, self._quiet = answered, quiet
        self._of_all = {kind: asyncio.Semaphore(at_once) for kind, (_, at_once, _) in LIMITS.items()}
        self._lines: WeakValueDictionary[tuple[str, str], Line] = WeakValueDictionary()
        self._refused: TTLCache[str, int] = TTLCache(ADDRESSES, FORGET_S)
        self._rested: TTLCache[str, float] = TTLCache(ADDRESSES, FORGET_S)  # when an address will have rested
        self.saved_last = -AT_WORK_S  # when a referee's save came last, by the steady clock

    async def __call__(
        self, address: str, scope: Message, whole: Receive, receive: Receive, send: Send
    ) -> None:
        """Answer the request whose `whole` body is here. A turn ends with the answer, whoever reads it how slowly; but
        for files, which are too large to be kept here. Who has hung up meanwhile is not answered."""
        kind, sent, answer = kind_of(scope), patient(send), list[Message]()

        async def keep(message: Message) -> None:
            answer.append(message)

        gone = asyncio.ensure_future(receive())
        try:
            async with self.turn(kind, address) as line:
                await self._quiet()
                if not (gone.done() and gone.result()["type"] == "http.disconnect"):
                    began = time.monotonic()
                    await self._answered(scope, whole, send if kind == "files" else keep)
                    line.rests_s = self._rest(kind, address, scope, answer, began)
        except TimeoutError:
            if kind == "passwords":  # the form itself says so
                await self(address, {**scope, "busy": True}, whole, receive, send)
            else:
                await refused(keep, UNAVAILABLE, b"Very busy. Try again.")
        finally:
            gone.cancel()
        if answer and answer[0]["status"] == TOO_MANY:
            times = self._refused[address] = self._refused.get(address, 0) + 1
            await asyncio.sleep(min(LATER_S * times, LATEST_S))
        for message in answer:
            await sent(message)

    @asynccontextmanager
    async def turn(self, kind: str, address: str) -> AsyncIterator[Line]:
        """Wait for a turn, which lasts for the block. TimeoutError where none comes."""
        each, _, waiting = LIMITS[kind]
        line = self._lines.setdefault((kind, address), Line(each))
        if line.asking >= each + waiting:
            raise TimeoutError
        line.asking += 1
        try:
            async with asyncio.timeout(WAIT_S) as patience, line, self._of_all[kind]:
                patience.reschedule(None)
                line.rests_s = 0.0
                yield line
        finally:
            line.asking -= 1

    def _rest(self, kind: str, address: str, scope: Message, answer: list[Message], began: float) -> float:
        """Give the seconds for which an address rests after this answer: none where the answer shows a referee, whose
        device or token is known from now on."""
        now = time.monotonic()
        if answer and answer[0]["status"] == UNAVAILABLE:
            return 0.0
        if kind not in RESTING or now - self.saved_last > AT_WORK_S or has_proved(scope):
            return 0.0
        cookies = (value for each in answer[:1] for name, value in each["headers"] if name == b"set-cookie")
        if any(each.startswith(_KNOWN) for each in cookies):
            return 0.0
        rest = REST * (now - began)
        rested = self._rested[address] = max(self._rested.get(address, 0.0), now - CREDIT_S) + rest
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
