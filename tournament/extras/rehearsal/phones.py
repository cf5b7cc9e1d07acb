"""Process of the referees' phones, like `static/lastcard/js/outbox/outbox.js`.

python -m tournament.extras.rehearsal.phones    JSON lines on stdin and stdout
"""

import asyncio
import html
import json
import re
import ssl
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from http.cookies import SimpleCookie
from random import Random
from typing import Any
from urllib.parse import urlencode

from tournament.extras.rehearsal.plan import Entry
from tournament.extras.rehearsal.watchers import main

PATIENCE = 15.0  # response timeout in seconds, as the outbox's


class Broken(Enum):
    """Ways for a request to fail."""

    NOT = "nothing"
    CUT = "cut off half way"
    UNHEARD = "the answer is lost"
    GONE = "cut off once it was sent"


class Lost(Exception):
    """No response: the outcome is unknown."""


@dataclass(slots=True)
class Line:
    """A phone's connection, sequential and reopened after failures."""

    host: str
    port: int
    tls: bool
    cookies: dict[str, str] = field(default_factory=dict)
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    @property
    def origin(self) -> str:
        return f"http{'s' * self.tls}://{self.host}:{self.port}"

    async def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        broken: Broken = Broken.NOT,
    ) -> tuple[int, bytes]:
        """Send a request; return (status, body). Raises Lost."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._asked(self._request(method, path, body, headers or {}), broken)
        except (OSError, EOFError, TimeoutError, ValueError, Lost) as error:
            self.close()
            raise Lost(str(error)) from error

    def close(self) -> None:
        if self._writer is not None:
            self._writer.transport.abort()
        self._reader = self._writer = None

    def _request(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        sent = {
            "Host": f"{self.host}:{self.port}",
            "Referer": f"{self.origin}/",
            "User-Agent": "rehearsal",
            "Accept-Encoding": "identity",
            **headers,
        }
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if method == "POST":
            sent |= {"Content-Length": str(len(body)), "X-CSRFToken": self.cookies.get("csrftoken", "")}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
        return "\r\n".join(lines).encode() + body

    async def _asked(self, request: bytes, broken: Broken) -> tuple[int, bytes]:
        if self._writer is None or self._reader is None or self._reader.at_eof():
            self._reader, self._writer = await asyncio.open_connection(
                self.host, self.port, ssl=ssl.create_default_context() if self.tls else None
            )
        reader, writer = self._reader, self._writer
        writer.write(request[: len(request) // 2] if broken is Broken.CUT else request)
        await writer.drain()
        if broken in {Broken.CUT, Broken.GONE}:
            raise Lost(broken.value)
        status, headers = self._head(await reader.readuntil(b"\r\n\r\n"))
        if broken is Broken.UNHEARD:
            raise Lost(broken.value)
        if headers.get("transfer-encoding") == "chunked":
            whole = b""
            while size := int(await reader.readuntil(b"\r\n"), 16):
                whole += (await reader.readexactly(size + 2))[:-2]
            await reader.readuntil(b"\r\n")
            return status, whole
        length = 0 if status in {204, 304} else int(headers.get("content-length", "0"))
        return status, await reader.readexactly(length)

    def _head(self, head: bytes) -> tuple[int, dict[str, str]]:
        first, *lines = head.decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                self.cookies |= {key: morsel.value for key, morsel in SimpleCookie(value).items()}
            headers[name.lower()] = value
        return int(first.split(" ")[1]), headers


# ---- Phones ----


MOST_ENTRIES = 50  # entries per request
OFFLINE = 0.1  # share of the day offline
BROKEN = {Broken.CUT: 0.02, Broken.UNHEARD: 0.02, Broken.GONE: 0.01}  # share of requests
PAUSE = 0.25  # seconds before a retry, doubled up to LONGEST_PAUSE
LONGEST_PAUSE = 2.0
DRAIN = 60.0  # seconds to deliver everything afterwards


@dataclass(slots=True)
class Sent:
    """Outcome of an entry. `state`: answer or ""; `at`: its time (monotonic); `took`: seconds of a single request;
    `waited`: since first sent; `second`: a duplicate that must conflict."""

    command: str
    kind: str
    state: str = ""
    sequence: int = 0
    at: float = 0.0
    took: float | None = None
    waited: float = 0.0
    tries: int = 0
    second: bool = False
    said: str = ""


@dataclass
class Phone:
    """A referee's phone. `answers` counts statuses."""

    line: Line
    name: str
    random: Random
    answers: Counter[str]
    faults: bool = False
    user: str = ""
    away: tuple[float, float] = (0.0, 0.0)  # offline from, to (monotonic)
    sent: list[Sent] = field(default_factory=list)
    _kept: list[tuple[Entry, Sent]] = field(default_factory=list)

    def another(self, *, faults: bool) -> "Phone":
        """Another phone of the same person, with its own connection."""
        line = Line(self.line.host, self.line.port, self.line.tls, self.line.cookies)
        return Phone(line, self.name, self.random, self.answers, faults, self.user)

    async def join(self, link: str) -> None:
        """Accept an invite."""
        await self.line.ask("GET", link)
        form = {"csrfmiddlewaretoken": self.line.cookies.get("csrftoken", ""), "name": self.name}
        status, body = await self.line.ask(
            "POST", link, urlencode(form).encode(), {"Content-Type": "application/x-www-form-urlencoded"}
        )
        if status != 302:
            raise SystemExit(f"The invite was not accepted: {status} {body[:500].decode()}")
        _, desk = await self.line.ask("GET", "/en/desk/")
        found = re.search(r'data-user="([0-9a-f-]{36})"', html.unescape(desk.decode()))
        if found is None:
            raise SystemExit("The desk does not say who is signed in.")
        self.user = found[1]

    async def day(self, entries: Sequence[Entry], begin: float, seconds: float, second: "Phone") -> None:
        """Send a table's entries in order; `second`: another's phone."""
        give_up = begin + seconds + DRAIN
        for entry in entries:
            await _until(begin + entry.due)
            kept = Sent(entry.command, entry.kind)
            self.sent.append(kept)
            self._kept.append((entry, kept))
            if self.away[0] <= time.monotonic() < self.away[1]:
                continue
            await self._send_kept(give_up)
            if entry.second and self.faults and kept.state == "saved":
                told = Sent(entry.second.command, entry.second.kind, second=True)
                second.sent.append(told)
                await second.send([(entry.second, told)], give_up)
        await _until(self.away[1])
        await self._send_kept(give_up)

    async def _send_kept(self, give_up: float) -> None:
        await self.send(self._kept, give_up)
        self._kept = []

    async def send(self, waiting: Sequence[tuple[Entry, Sent]], give_up: float) -> None:
        """Retry until all entries are answered, or `give_up` (monotonic)."""
        pause, left = PAUSE, [*waiting]
        while left and time.monotonic() < give_up:
            batch = left[:MOST_ENTRIES]
            broken = self._broken()
            for _, kept in batch:
                kept.tries += 1
            began = time.monotonic()
            try:
                answers = await self._batch([entry for entry, _ in batch], broken)
            except Lost:
                answers = {}
            for _, kept in batch:
                settle(kept, answers.get(kept.command), began, alone=len(batch) == 1)
            before, left = len(left), [each for each in left if each[1].state in {"", "wait"}]
            if len(left) < before:
                pause = PAUSE
            elif left:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _batch(self, entries: Sequence[Entry], broken: Broken) -> Mapping[str, Mapping[str, Any]]:
        now = int(time.time() * 1000)
        body = {"user": self.user, "now": now, "entries": [entry.as_sent(now) for entry in entries]}
        status, said = await self.line.ask(
            "POST", "/en/desk/send/", json.dumps(body).encode(), {"Content-Type": "application/json"}, broken
        )
        self.answers[str(status)] += 1
        return {each["command"]: each for each in json.loads(said)["answers"]} if status == 200 else {}

    def _broken(self) -> Broken:
        chance = self.random.random() if self.faults else 1.0
        for broken, share in BROKEN.items():
            chance -= share
            if chance < 0:
                return broken
        return Broken.NOT


def settle(kept: Sent, said: Mapping[str, Any] | None, began: float, *, alone: bool) -> None:
    """Record the answer to a request sent at `began`, None if lost."""
    now = time.monotonic()
    if kept.tries == 1:
        kept.waited = -began
    if said is None or said["state"] == "wait":
        return
    kept.state, kept.at = said["state"], now
    kept.waited += now
    kept.sequence = said.get("sequence", 0)
    kept.said = " ".join(map(str, said.get("said", ())))
    if alone and kept.tries == 1:
        kept.took = now - began


async def _until(moment: float) -> None:
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


async def serve() -> None:
    phones: list[Phone] = []
    answers: Counter[str] = Counter()
    print("{}", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        asked = json.loads(line)
        if asked["do"] == "join":
            random = Random(asked["seed"])
            phones = [
                Phone(Line(**asked["to"]), f"Referee {number}", Random(random.random()), answers)
                for number in range(1, len(asked["links"]) + 1)
            ]
            for phone, link in zip(phones, asked["links"], strict=True):
                await phone.join(link)
            print(json.dumps({"joined": len(phones)}), flush=True)
        else:
            print(json.dumps(await _play(phones, answers, asked)), flush=True)


async def _play(phones: Sequence[Phone], answers: Counter[str], asked: Mapping[str, Any]) -> dict[str, Any]:
    """A phone per table, even for a referee of several."""
    begin, seconds, faults = time.monotonic(), asked["seconds"], asked["faults"]
    at_tables: list[tuple[Phone, Phone, list[Entry]]] = []
    for number, forms in enumerate(asked["tables"]):
        phone = phones[number % len(phones)].another(faults=faults)
        other = phones[(number + 1) % len(phones)].another(faults=False)
        if faults:
            away = begin + phone.random.uniform(0, seconds * (1 - OFFLINE))
            phone.away = (away, away + seconds * OFFLINE)
        at_tables.append((phone, other, [_entry(each) for each in forms]))
    await asyncio.gather(*(phone.day(entries, begin, seconds, other) for phone, other, entries in at_tables))
    sent = [asdict(each) for phone, other, _ in at_tables for each in (*phone.sent, *other.sent)]
    return {"sent": sent, "answers": answers, "begin": begin}


def _entry(said: Mapping[str, Any]) -> Entry:
    return Entry(**{**said, "second": _entry(said["second"]) if said["second"] else None})


if __name__ == "__main__":
    main(serve())
