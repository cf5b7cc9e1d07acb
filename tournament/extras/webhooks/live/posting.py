"""HTTP client: checked address and certificate, no redirects, no proxies.

Messages are signed by Standard Webhooks 1.0.0 (standardwebhooks.com).
"""

import asyncio
import ipaddress
import socket
import ssl
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from hmac import digest
from random import Random
from secrets import token_bytes
from typing import Any
from uuid import UUID

import httptools

from tournament.extras.webhooks.live.addresses import Ip, Target, may_reach, target_of
from tournament.models import Delivery
from tournament.results import Refused
from tournament.words.text import clean

TIMEOUT = 10.0  # seconds in total
MOST_READ = 64 * 1024  # bytes of a response
MOST_KEPT = 200  # characters of it
AGENT = "Lastcard"

PREFIX = "whsec_"
SECRET_BYTES = 32

# Backoff after each try.
PAUSES = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(hours=24),
)
SPREAD = 0.2  # jitter, as a share of the pause
PATIENCE = timedelta(days=3)  # of failures before a webhook is disabled
GONE = 410  # the receiver unsubscribes

Resolve = Callable[[str, int], Awaitable[Sequence[Ip]]]
Fault = Delivery.Fault


@dataclass(frozen=True, slots=True)
class Answer:
    """The receiver's `status` and start of its `text`, or a Delivery.Fault."""

    status: int | None = None
    text: str = ""
    fault: str = ""

    @property
    def arrived(self) -> bool:
        """Whether delivery succeeded; redirects are failures."""
        return self.status is not None and 200 <= self.status < 300


class _NotHttp(Exception):
    """The response is not HTTP."""


def next_try(tries: int, now: datetime, chance: Random) -> datetime | None:
    """Time of the next try; None to give up."""
    return now + PAUSES[tries - 1] * (1 + SPREAD * chance.random()) if tries <= len(PAUSES) else None


def new_secret() -> str:
    """New secret: `whsec_` and base64."""
    return PREFIX + b64encode(token_bytes(SECRET_BYTES)).decode()


def headers_of(message: UUID, at: datetime, body: bytes, secret: str) -> dict[str, str]:
    """The three signature headers."""
    second = str(int(at.timestamp()))
    signed = b".".join((str(message).encode(), second.encode(), body))
    signature = digest(b64decode(secret.removeprefix(PREFIX)), signed, sha256)
    return {
        "webhook-id": str(message),
        "webhook-timestamp": second,
        "webhook-signature": f"v1,{b64encode(signature).decode()}",
    }


async def resolved(host: str, port: int) -> Sequence[Ip]:
    """All IPs of a host. Raises OSError if none."""
    found = await asyncio.get_running_loop().getaddrinfo(
        host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
    )
    return [ipaddress.ip_address(str(to[0]).partition("%")[0]) for *_rest, to in found]


async def post(
    address: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    resolve: Resolve = resolved,
    timeout: float = TIMEOUT,
) -> Answer:
    """POST `body`; remote errors become an Answer."""
    try:
        async with asyncio.timeout(timeout):
            return await _post(target_of(address), body, headers, resolve)
    except TimeoutError:
        return Answer(fault=Fault.TIMEOUT)
    except Refused:
        return Answer(fault=Fault.PRIVATE)
    except ssl.SSLError:  # subclass of OSError
        return Answer(fault=Fault.CERTIFICATE)
    except OSError:
        return Answer(fault=Fault.UNREACHABLE)
    except (_NotHttp, httptools.HttpParserError, httptools.HttpParserUpgrade):
        return Answer(fault=Fault.NOT_HTTP)


async def _post(target: Target, body: bytes, headers: Mapping[str, str], resolve: Resolve) -> Answer:
    found = await resolve(target.host, target.port)
    if not may_reach(target, found):
        return Answer(fault=Fault.PRIVATE)
    reader, writer = await _connected(target, found)
    try:
        lines = [
            f"POST {target.path} HTTP/1.1",
            f"Host: {target.authority}",
            f"User-Agent: {AGENT}",
            "Accept-Encoding: identity",
            "Connection: close",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        with suppress(ConnectionError):  # a receiver may answer early
            await writer.drain()
        return await _read(reader)
    finally:
        writer.transport.abort()  # closes even if the receiver stalls


async def _connected(
    target: Target, found: Sequence[Ip]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """First IP that accepts; the certificate must match the host."""
    secure: dict[str, Any] = {"ssl": certificates(), "server_hostname": target.host} if target.secure else {}
    for last, ip in enumerate(found, 1):
        try:
            return await asyncio.open_connection(str(ip), target.port, **secure)
        except ssl.SSLError:
            raise
        except OSError:
            if last == len(found):
                raise
    raise OSError("no address")


@cache
def certificates() -> ssl.SSLContext:
    """TLS context of the system's trust store."""
    return ssl.create_default_context()


async def _read(reader: asyncio.StreamReader) -> Answer:
    """Read a response. Raises _NotHttp if no status arrives."""
    answer, read = _Reading(), 0
    while read < MOST_READ and not answer.complete:
        try:
            data = await reader.read(min(MOST_READ - read, 16 * 1024))
        except OSError:  # a status already read counts
            if answer.status is None:
                raise
            break
        if not data:
            break
        read += len(data)
        answer.parser.feed_data(data)
    if answer.status is None:
        raise _NotHttp
    return Answer(answer.status, clean(bytes(answer.body).decode(errors="replace"))[:MOST_KEPT])


class _Reading:
    """Parser callbacks; ignores interim responses (1xx)."""

    def __init__(self) -> None:
        self.parser = httptools.HttpResponseParser(self)
        self.status: int | None = None
        self.body = bytearray()
        self.complete = False

    def on_headers_complete(self) -> None:
        status = self.parser.get_status_code()
        self.status = status if status >= 200 else None

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.complete = self.status is not None
