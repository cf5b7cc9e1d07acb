"""The address under which phones at the venue reach this Lastcard, and its QR codes.

A QR code leads a phone back to the computer that runs Lastcard. An organiser may sit at that computer and see it as
127.0.0.1, which no phone can reach: then the computer's own address in the venue's network stands in the code.
"""

import io
import ipaddress
import os
import socket
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

# An address that belongs to nobody (RFC 5737): asking which way it lies sends nothing.
NOBODY = ("192.0.2.1", 9)


def public_address(request: HttpRequest, path: str = "") -> str:
    """The address of a path for other people's phones: PUBLIC_URL, else the host of the request; where that is this
    computer's loopback, its address in the network, if it has one."""
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    host, _colon, port = request.get_host().rpartition(":")
    if not host or "]" in port:
        host, port = request.get_host(), ""
    if is_loopback(host.strip("[]")) and (found := network_address()):
        host = found
    return f"{request.scheme}://{host}{f':{port}' if port else ''}{path}"


def qr_svg(address: str) -> SafeString:
    """The address as a QR code: an SVG without a size of its own, dark on a quiet white zone, for any page."""
    import segno

    out = io.BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=4, light="#fff"
    )
    return mark_safe(out.getvalue().decode())  # noqa: S308 - an SVG of segno's own numbers


def network_address() -> str | None:
    """This computer's address in its network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(NOBODY)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if is_loopback(found) else found


def in_container() -> bool:
    """Tell whether a container's engine started this process."""
    return Path("/.dockerenv").exists() or Path("/run/.containerenv").exists() or "container" in os.environ


def is_loopback(host: str) -> bool:
    """Tell whether only this computer can reach the host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
