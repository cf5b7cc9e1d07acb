"""The server's address for phones, and QR codes.

An organiser at the server sees 127.0.0.1, which no phone reaches: QR codes use the network address.
"""

import ctypes
import io
import ipaddress
import os
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe
from portalocker import AlreadyLocked, LockFlags, lock

# Unassigned (RFC 5737); UDP connect sends nothing.
NOBODY = ("192.0.2.1", 9)


def public_address(request: HttpRequest, path: str = "") -> str:
    """URL for other devices: PUBLIC_URL, else the request's host, if loopback the network address."""
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
        """Whether no other device came in PATIENCE_S, without https (another network)."""
        return (
            not self._reached
            and not settings.HTTPS
            and self._since is not None
            and time.monotonic() - self._since >= PATIENCE_S
        )


reach = Reach()


# ---- Process and machine ----

# glibc mallopt: M_MMAP_THRESHOLD in bytes (large blocks are returned), M_ARENA_MAX (per-thread heaps stay at their
# peak).
OPTIONS = {-3: 128 * 1024, -8: 2}
LEAST_FREE_MB = 200  # warning threshold of the disk


def memory(process: int | str = "self") -> int:
    """Resident bytes of a process, by default this one; 0 if unknown."""
    try:
        with open(f"/proc/{process}/statm") as file:  # noqa: PTH123 - quicker than a Path
            return int(file.read().split()[1]) * int(os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, AttributeError):
        return 0


def hold_little() -> None:
    """Hold less unused memory and trim it now (milliseconds; glibc only). Call before threads start."""
    with suppress(OSError, AttributeError, TypeError):
        for option, value in OPTIONS.items():
            ctypes.CDLL(None).mallopt(option, value)
        ctypes.CDLL(None).malloc_trim(0)


def most_files() -> int:
    """Raise the limit of open files to the maximum and return it."""
    try:
        import resource
    except ImportError:  # Windows
        return 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def be_nice() -> None:
    """Lower the process priority, if supported."""
    if hasattr(os, "nice"):
        os.nice(10)


def take_lock(file: IO[bytes] | int, *, shared: bool = False) -> bool:
    """Non-blocking lock between processes; False if held elsewhere. Released at close or process end."""
    try:
        lock(file, (LockFlags.SHARED if shared else LockFlags.EXCLUSIVE) | LockFlags.NON_BLOCKING)
    except AlreadyLocked:
        return False
    return True
