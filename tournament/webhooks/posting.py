"""One message, one POST: to an address that was checked, by a certificate that was checked, within a time.

The answer is read to a bounded length and never acted on but for its status; no redirect is followed, and no proxy of
the environment is asked.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import httptools

from tournament.models import Delivery
from tournament.results.faults import Refused
from tournament.webhooks.addresses import Ip, Target, may_reach, target_of
from tournament.words.text import clean

TIMEOUT = 10.0  # seconds for all of it
MOST_READ = 64 * 1024  # bytes of an answer
MOST_KEPT = 200  # characters of it
AGENT = "Lastcard"

Resolve = Callable[[str, int], Awaitable[Sequence[Ip]]]
Fault = Delivery.Fault


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the receiver's `status` and how its `text` begins, or why nothing did: a Delivery.Fault."""

    status: int | None = None
    text: str = ""
    fault: str = ""


class _NotHttp(Exception):
    """What came back is no answer."""


async def resolved(host: str, port: int) -> Sequence[Ip]:
    """Every address of a host. Raises OSError where there is none."""
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
    """Send the bytes; never raises for what the other side does."""
    try:
        async with asyncio.timeout(timeout):
            return await _post(target_of(address), body, headers, resolve)
    except TimeoutError:
        return Answer(fault=Fault.TIMEOUT)
    except Refused:
        return Answer(fault=Fault.PRIVATE)
    except ssl.SSLError:  # before OSError, which it is too
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
        with suppress(ConnectionError):  # who has answered already need not take the rest
            await writer.drain()
        return await _read(reader)
    finally:
        writer.transport.abort()  # not a word more, also to who would hold the connection open


async def _connected(
    target: Target, found: Sequence[Ip]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to one of the addresses, the first that takes it; the certificate is the host's."""
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
    """Which certificates hold: those that the system trusts, for the host's own name."""
    return ssl.create_default_context()


async def _read(reader: asyncio.StreamReader) -> Answer:
    """The answer, as far as it comes within the bounds. Raises _NotHttp where it has no status by then."""
    answer = _Reading()
    parser = httptools.HttpResponseParser(answer)
    answer.parser = parser
    read = 0
    while read < MOST_READ and not answer.complete:
        try:
            data = await reader.read(min(MOST_READ - read, 16 * 1024))
        except OSError:  # cut off: what was said before that counts
            if answer.status is None:
                raise
            break
        if not data:
            break
        read += len(data)
        parser.feed_data(data)
    if answer.status is None:
        raise _NotHttp
    text = clean(bytes(answer.body).decode(errors="replace"))
    return Answer(answer.status, text[:MOST_KEPT])


class _Reading:
    """What the parser found so far; an interim answer (1xx) counts for nothing."""

    parser: httptools.HttpResponseParser

    def __init__(self) -> None:
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
