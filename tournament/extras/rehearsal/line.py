"""A phone's HTTP/1.1 connection: keep-alive, cookies, injected failures."""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from http.cookies import SimpleCookie

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
