"""Turns of strangers in front of Django: a few requests of one address at a time, the others wait here without a
thread, however many come. Django shares one interpreter, so two at once are answered as fast as six.

| kind | at once of one address, of all | of one address that wait |
| --- | --- | --- |
| `quick`: a page | 2, as many as there are threads | 1,000 |
| `writes`: a form, a command | 1, 1 | 1,000 |
| `files`: a workbook, an archive, paper | 2, 3 | 100 |
| `passwords`: a form whose password is hashed | 1, one for two processors and at most 2 | 50 |

Whoever comes beyond that, or has waited for WAIT_S, is refused. Nobody who `has_proved` who they are takes a turn.
"""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

from django.conf import settings

from tournament.live.hub import Message, Receive, Send, refuse

Answered = Callable[[Message, Receive, Send], Awaitable[None]]

WAIT_S = 30.0  # seconds that a request waits for its turn
# Seconds that a refusal is held back, so that whoever repeats it keeps a connection waiting and not the processor; as
# many are held back as there may be connections. A 503 of Django's own, while the database is away, is told at once.
LATER_S = 1.0
TOO_MANY = 429
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


def kind_of(scope: Any) -> str:
    """Give the kind of a request, by its address; a form that is `busy` is answered without a password being hashed."""
    if scope["method"] == "POST" and _ASKS_PASSWORD.fullmatch(scope["path"]) and "busy" not in scope:
        return "passwords"
    usual = "quick" if scope["method"] in {"GET", "HEAD", "OPTIONS"} else "writes"
    return "files" if TAKES_LONG.search(scope["path"]) else usual


class Line(asyncio.Semaphore):
    """The turns of one address for one kind, and how many requests have or await one."""

    asking = 0


async def refused(send: Send, status: int, words: bytes) -> None:
    """Refuse a request and close its connection."""
    await refuse(send, status, words, (b"retry-after", b"5"), (b"connection", b"close"))


class Strangers:
    """Has requests of strangers answered in turn by `answered`."""

    def __init__(self, answered: Answered) -> None:
        self._answered = answered
        self._of_all = {kind: asyncio.Semaphore(at_once) for kind, (_, at_once, _) in LIMITS.items()}
        self._lines: WeakValueDictionary[tuple[str, str], Line] = WeakValueDictionary()

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
            async with self.turn(kind, address):
                if not (gone.done() and gone.result()["type"] == "http.disconnect"):
                    await self._answered(scope, whole, send if kind == "files" else keep)
        except TimeoutError:
            if kind == "passwords":  # the form itself says so
                await self(address, {**scope, "busy": True}, whole, receive, send)
            else:
                await asyncio.sleep(LATER_S)
                await refused(keep, 503, b"Very busy. Try again.")
        finally:
            gone.cancel()
        if answer and answer[0]["status"] == TOO_MANY:
            await asyncio.sleep(LATER_S)
        for message in answer:
            await sent(message)

    @asynccontextmanager
    async def turn(self, kind: str, address: str) -> AsyncIterator[None]:
        """Wait for a turn, which lasts for the block. TimeoutError where none comes."""
        each, _, waiting = LIMITS[kind]
        line = self._lines.setdefault((kind, address), Line(each))
        if line.asking >= each + waiting:
            raise TimeoutError
        line.asking += 1
        try:
            async with asyncio.timeout(WAIT_S) as patience, line, self._of_all[kind]:
                patience.reschedule(None)
                yield
        finally:
            line.asking -= 1


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
