"""Drives an ASGI application in memory."""

import asyncio
import base64
import json
import zlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

PATIENCE = 60.0  # seconds a test waits for what must happen; it decides nothing


@dataclass
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def all(self) -> tuple[int, dict[str, str], bytes]:
        return self.status, self.headers, self.body


def request(
    method: str, target: str, headers: dict[str, str] | None = None, address: str = "127.0.0.1"
) -> dict[str, Any]:
    """The ASGI scope that uvicorn makes of a request line and headers."""
    path, _, query = target.partition("?")
    given = {"host": "testserver", **(headers or {})}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "server": ("127.0.0.1", 8000),
        "client": (address, 50000),
        "root_path": "",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode("latin-1"),
        "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
        "state": {},
    }


async def ask(
    app: Any,
    target: str,
    headers: dict[str, str] | None = None,
    method: str = "GET",
    body: bytes = b"",
    *,
    address: str = "127.0.0.1",
) -> Answer:
    """Make one request and read the whole answer. The body of a HEAD is what the application sent: uvicorn would leave
    it out."""
    answer = Answer()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode("latin-1") for name, value in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    async with asyncio.timeout(PATIENCE):
        await app(request(method, target, headers, address), receive, send)
    return answer


def given(app: Any, scope: dict[str, Any], *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """List what an application sends when it receives these messages."""
    coming, sent = list(messages), []

    async def receive() -> dict[str, Any]:
        if coming:
            return coming.pop(0)
        return await asyncio.Event().wait()  # type: ignore[return-value]  # nothing more, ever

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def run() -> None:
        async with asyncio.timeout(PATIENCE):
            await app(scope, receive, send)

    asyncio.run(run())
    return sent


class Reader:
    """An open event stream; `await reader.event()` gives the next event as (name, version)."""

    def __init__(
        self, app: Any, scope: str, address: str = "127.0.0.1", headers: dict[str, str] | None = None
    ) -> None:
        self.answer = Answer()
        self.breaks: type[Exception] | None = None  # what is raised when something is sent to it
        self.ended = asyncio.Event()
        self._gone = asyncio.Event()
        self._taking = asyncio.Event()
        self._taking.set()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._task = asyncio.create_task(self._run(app, request("GET", f"/live/{scope}", headers, address)))

    async def _run(self, app: Callable[..., Awaitable[None]], scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._receive, self._send)
        finally:
            self.ended.set()

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        await self._taking.wait()
        if self.breaks:
            raise self.breaks
        if message["type"] == "http.response.start":
            self.answer.status = message["status"]
        else:
            self._chunks.put_nowait(message.get("body", b""))

    async def chunk(self) -> str:
        async with asyncio.timeout(PATIENCE):
            return (await self._chunks.get()).decode()

    async def event(self) -> tuple[str, int]:
        """The last event of the next chunk."""
        lines = (await self.chunk()).strip().splitlines()
        return lines[-2].removeprefix("event: "), int(lines[-1].removeprefix("data: "))

    @property
    def quiet(self) -> bool:
        """Whether everything that was sent has been read."""
        return self._chunks.empty()

    def stall(self) -> None:
        """Stop reading, as a phone in a tunnel does."""
        self._taking.clear()

    def go_on(self) -> None:
        self._taking.set()

    async def close(self) -> None:
        self._gone.set()
        self._taking.set()
        async with asyncio.timeout(PATIENCE):
            await self.ended.wait()


def unpacked(changes: bytes | None) -> list[Any]:
    """Decode an event's changes as js/watch/changes.js does."""
    assert changes is not None
    found: list[Any] = json.loads(zlib.decompress(base64.b64decode(changes.split()[-1]), -zlib.MAX_WBITS))
    return found


def applied(text: str, changes: Iterable[Any]) -> str:
    """The text with these changes, as js/watch/changes.js makes it."""
    lines, found, at = text.split("\n"), [], 0
    for same, gone, *come in changes:
        found += [*lines[at : at + same], *come]
        at += same + gone
    return "\n".join([*found, *lines[at:]])
