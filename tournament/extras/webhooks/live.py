"""HTTP client.

SSRF protection: public addresses over https only, plus WEBHOOKS_ALLOW. Connections use the checked IP (DNS rebinding);
no redirects, no proxies.

Messages are signed by Standard Webhooks 1.0.0 (standardwebhooks.com).
"""

import asyncio
import ipaddress
import re
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
from urllib.parse import urlsplit
from uuid import UUID

import httptools
from django.conf import settings

from tournament.models import Delivery
from tournament.results import Fault, Refused
from tournament.words.text import clean

LONGEST_ADDRESS = 500  # characters
PORTS = {"https": 443, "http": 80}

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address

_WRITABLE = re.compile(r"[!-~]+")  # valid in an HTTP request line
_HOST = re.compile(r"[a-z0-9_]([a-z0-9._-]*[a-z0-9])?\.?")
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # last 32 bits: an IPv4 address
# Teredo, 6to4; documentation (RFC 9637), which Python 3.11 takes for global.
_NOT_HOSTS = tuple(ipaddress.ip_network(each) for each in ("2001::/32", "2002::/16", "3fff::/20"))
_RELAYS = ipaddress.ip_network("192.88.99.0/24")


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed address: `host` is a name or an IP without brackets; `path` includes the query."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS["https" if self.secure else "http"] else f"{host}:{self.port}"


def target_of(address: str) -> Target:
    """Parse an address. Raises Refused: `webhook_address` (malformed), `webhook_https`, `webhook_private` (names are
    not resolved)."""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").encode("idna").decode() if parts.hostname else ""
        port = parts.port
    except ValueError:  # also UnicodeError
        raise _refused("webhook_address") from None
    number = _number(host)
    if not (
        _WRITABLE.fullmatch(f"{parts.path}?{parts.query}")
        and parts.scheme in PORTS
        and "@" not in parts.netloc
        and "#" not in address
        and (number or _HOST.fullmatch(host))
        and port != 0
        and len(address) <= LONGEST_ADDRESS
    ):
        raise _refused("webhook_address")
    target = Target(
        secure=parts.scheme == "https",
        host=host.lower(),
        port=port or PORTS[parts.scheme],
        path=f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}",
    )
    if not target.secure and not settings.WEBHOOKS_ALLOW:
        raise _refused("webhook_https")
    if number and not may_reach(target, [number]):
        raise _refused("webhook_private")
    return target


def may_reach(target: Target, found: Sequence[Ip]) -> bool:
    """Whether every resolved IP is allowed by the operator, or public over https."""
    names, networks = set(), []
    for each in settings.WEBHOOKS_ALLOW:
        try:
            networks.append(ipaddress.ip_network(each, strict=False))
        except ValueError:
            names.add(each.lower())
    return bool(found) and (
        target.host in names
        or all(
            any(ip in network for network in networks) or (target.secure and is_public(ip))
            for ip in map(_unmapped, found)
        )
    )


def is_public(ip: Ip) -> bool:
    """Whether an IP is public (RFC 6890), also when embedded in IPv6."""
    ip = _unmapped(ip)
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not ip.is_multicast and not ip.is_reserved and ip not in _RELAYS
    if ip in _NAT64:
        return is_public(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
    return ip in _GLOBAL_UNICAST and not any(ip in network for network in _NOT_HOSTS) and ip.is_global


def _unmapped(ip: Ip) -> Ip:
    """IPv4-mapped IPv6 to IPv4."""
    return (ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None) or ip


def _number(host: str) -> Ip | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _refused(code: str) -> Refused:
    return Refused(Fault(code, "/address"))


# ---- Messages ----


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


@dataclass(frozen=True, slots=True)
class Answer:
    """The receiver's `status` and start of its `text`, or a Delivery.Delivery.Fault."""

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
        return Answer(fault=Delivery.Fault.TIMEOUT)
    except Refused:
        return Answer(fault=Delivery.Fault.PRIVATE)
    except ssl.SSLError:  # subclass of OSError
        return Answer(fault=Delivery.Fault.CERTIFICATE)
    except OSError:
        return Answer(fault=Delivery.Fault.UNREACHABLE)
    except (_NotHttp, httptools.HttpParserError, httptools.HttpParserUpgrade):
        return Answer(fault=Delivery.Fault.NOT_HTTP)


async def _post(target: Target, body: bytes, headers: Mapping[str, str], resolve: Resolve) -> Answer:
    found = await resolve(target.host, target.port)
    if not may_reach(target, found):
        return Answer(fault=Delivery.Fault.PRIVATE)
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
