"""SSRF protection: public addresses over https only, plus WEBHOOKS_ALLOW. Connections use the checked IP (DNS
rebinding)."""

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from tournament.results import Fault, Refused

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
    names, networks = _allowed()
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


def _allowed() -> tuple[set[str], list[ipaddress.IPv4Network | ipaddress.IPv6Network]]:
    names, networks = set(), []
    for each in settings.WEBHOOKS_ALLOW:
        try:
            networks.append(ipaddress.ip_network(each, strict=False))
        except ValueError:
            names.add(each.lower())
    return names, networks


def _refused(code: str) -> Refused:
    return Refused(Fault(code, "/address"))
