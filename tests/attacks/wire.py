"""Sends the cases of heads.py to a server and looks at what comes back: an answer or an end within a while, no error of
the server's own, and to each question its own answer. Somebody who asks as they should, beside it, is never served
anything of others.
"""

import asyncio
import contextlib
import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.attacks.heads import Case

BOUND = 30.0  # seconds in which a server that is busy with many of these answers or closes
QUIET = 0.5  # seconds without a byte, after which somebody who waits for an answer stops asking
APART = 0.002  # seconds between two pieces
AT_ONCE = 64  # cases
SOURCES = 200  # addresses, in turn
BETWEEN = 0.01  # seconds between two questions of the one beside
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})[^\r\n]*\r\n")
OURS = re.compile(rb"\r\nx-request-id: (fuzz-\d+-\d+)\r\n", re.IGNORECASE)
BROKEN = {500, 502, 504}  # 501 is right for a packed body


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[bytes, bytes]
    body: bytes


async def answer(reader: asyncio.StreamReader, method: str) -> Answer:
    """Read one answer to a question by this method. Raises IncompleteReadError at the end of the connection."""
    while True:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head[:-4].split(b"\r\n")
        status = STATUS.fullmatch(first + b"\r\n")
        assert status, head
        if status[1] != b"100":
            break
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
    body = b""
    if method != "HEAD" and status[1] not in {b"204", b"304"}:
        if headers.get(b"transfer-encoding") == b"chunked":
            while size := int(await reader.readline(), 16):
                body += await reader.readexactly(size)
                await reader.readexactly(2)
            await reader.readexactly(2)
        else:
            body = await reader.readexactly(int(headers[b"content-length"]))
    return Answer(int(status[1]), headers, body)


@dataclass
class Wire:
    """Cases on their way to one server; `faults` says what was wrong with which."""

    port: int
    faults: list[str] = field(default_factory=list)
    turns: "itertools.count[int]" = field(default_factory=itertools.count)

    async def send(self, cases: Iterable[Case]) -> None:
        """Send all of them, some at a time, with somebody beside."""
        places = asyncio.Semaphore(AT_ONCE)
        beside = asyncio.create_task(self._beside())

        async def one(case: Case) -> None:
            async with places:
                await self._send(case)

        async with asyncio.TaskGroup() as group:
            for case in cases:
                group.create_task(one(case))
        beside.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await beside

    def wrong(self, case: Case, why: str) -> None:
        self.faults.append(f"{case.name} {why}: {case}")

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        source = f"127.0.2.{next(self.turns) % SOURCES + 1}"
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))

    async def _send(self, case: Case) -> None:
        reader, writer = await self._connect()
        heard = bytearray()
        try:
            async with asyncio.timeout(BOUND):
                with contextlib.suppress(OSError):  # the server has closed it
                    for number, piece in enumerate(case.pieces):
                        if number:
                            await asyncio.sleep(APART)
                        writer.write(piece)
                        await writer.drain()
                    if case.ends == "leaves":
                        return
                    if case.well:
                        await self._own(case, reader)
                        return
                    if case.ends == "waits":
                        with contextlib.suppress(TimeoutError):
                            while piece := await asyncio.wait_for(reader.read(65536), QUIET):
                                heard += piece
                    if writer.can_write_eof():
                        writer.write_eof()
                    while piece := await reader.read(65536):
                        heard += piece
        except TimeoutError:
            self.wrong(case, f"had no answer and no end in {BOUND:.0f} s")
        finally:
            writer.transport.abort()
        self._look(case, bytes(heard))

    async def _own(self, case: Case, reader: asyncio.StreamReader) -> None:
        """Read an answer to each question, and the end."""
        for asked in case.asked:
            try:
                got = await answer(reader, asked.method)
            except (asyncio.IncompleteReadError, AssertionError, KeyError, ValueError) as error:
                return self.wrong(case, f"lacks the answer to {asked.id}: {error!r}")
            if got.headers.get(b"x-request-id", asked.id.encode()) != asked.id.encode():
                self.wrong(case, f"got another one's answer for {asked.id}: {got.headers}")
            if got.status in BROKEN:
                self.wrong(case, f"got {got.status}")
            if got.status in {429, 503} and got.headers.get(b"connection") == b"close":
                return None  # refused, with all that follows
        if left := await reader.read():
            self.wrong(case, f"got more than its answers: {left[:200]!r}")
        return None

    def _look(self, case: Case, heard: bytes) -> None:
        if broken := {int(status) for status in STATUS.findall(heard)} & BROKEN:
            self.wrong(case, f"got {sorted(broken)}")
        ids = [found.decode() for found in OURS.findall(heard)]
        if ids != sorted({each for each in ids if each.startswith(case.name)}):
            self.wrong(case, f"got another one's answer: {ids}")

    async def _beside(self) -> None:
        """Ask as one should, again and again on one connection: for a page of one's own and for a stored one."""
        reader, writer = await self._connect()
        for number in itertools.count():
            id_, own = f"beside-{number:08}", number % 2
            path = f"/en/desk/?n={number}" if own else "/en/"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Request-ID: {id_}\r\n\r\n".encode())
            async with asyncio.timeout(BOUND):
                got = await answer(reader, "GET")
            id_got = got.headers.get(b"x-request-id", b"").decode()
            mine = (302, f"n%3D{number}", id_) if own else (200, "", "")
            if (
                got.status,
                got.headers.get(b"location", b"").decode()[-len(mine[1]) or 9999 :],
                id_got,
            ) != mine:
                self.faults.append(f"The one beside got {got.status} {dict(got.headers)} for {path}")
            await asyncio.sleep(BETWEEN)
