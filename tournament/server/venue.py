"""The server's address for phones, and QR codes."""

import io
import ipaddress
import os
import socket
import time
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

# Unassigned (RFC 5737); UDP connect sends nothing.
NOBODY = ("192.0.2.1", 9)


def public_address(request: HttpRequest, path: str = "") -> str:
    """URL for other devices: PUBLIC_URL, else the request's host or, for loopback, the network address."""
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    host, _colon, port = request.get_host().rpartition(":")
    if not host or "]" in port:
        host, port = request.get_host(), ""
    if is_loopback(host.strip("[]")) and (found := network_address()):
        host = found
    return f"{request.scheme}://{host}{f':{port}' if port else ''}{path}"


def qr_svg(address: str) -> SafeString:
    """QR code as scalable SVG with white quiet zone."""
    import segno

    out = io.BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=4, light="#fff"
    )
    return mark_safe(out.getvalue().decode())  # noqa: S308 - an SVG of segno's own numbers


def network_address() -> str | None:
    """This computer's network address, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(NOBODY)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if is_loopback(found) else found


def in_container() -> bool:
    """Whether the process runs in a container."""
    return Path("/.dockerenv").exists() or Path("/run/.containerenv").exists() or "container" in os.environ


def is_loopback(host: str) -> bool:
    """Whether the host is loopback."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# ---- Whether another device ever reached this server ----

PATIENCE_S = 120.0  # seconds before warning


class Reach:
    """State of one process; `run`: its unique id."""

    def __init__(self) -> None:
        self.run = uuid4().hex
        self._since: float | None = None
        self._reached = False

    def begin(self, host: str) -> None:
        """Start waiting, if other devices can reach `host`."""
        self._since = None if is_loopback(host) else time.monotonic()

    def met(self, peer: str, own: str) -> None:
        """Note a connection from `peer` to our address `own`; equal ones are local."""
        if not self._reached and peer and peer != own and not is_loopback(peer):
            self._reached = True

    @property
    def nobody(self) -> bool:
        """Whether no other device came in PATIENCE_S, without https."""
        return (
            not self._reached
            and not settings.HTTPS
            and self._since is not None
            and time.monotonic() - self._since >= PATIENCE_S
        )


reach = Reach()
