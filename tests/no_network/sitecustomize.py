"""No process of a test run asks anything of the network: Lastcard makes no request but those that are configured.

An audit hook hears of every connection, message and look-up of a name that Python makes, in any library.
tests/conftest.py loads it for the tests, this folder in PYTHONPATH for the servers that they start. It refuses what
leaves this computer, and says so in a way that nobody swallows: in `REFUSED`, which fails the run, and in the log of
the server, which its test reads.
"""

import ipaddress
import socket
import sys
from typing import Any

REFUSED: list[str] = []


class LeavesThisComputer(OSError):
    """An attempted request to another computer."""


def _stays(host: Any) -> bool:
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback or text in ("0.0.0.0", "::")
    except ValueError:
        return False


def _literal(host: Any) -> bool:
    """Whether there is no name to look up."""
    try:
        ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host))
    except ValueError:
        return False
    return True


def hear(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse what leaves this computer."""
    if event in ("socket.connect", "socket.sendto"):
        asked, address = arguments[0], arguments[1]
        silent = event == "socket.connect" and asked.type == socket.SOCK_DGRAM  # sends nothing
        local = asked.family == getattr(socket, "AF_UNIX", None)  # Windows has none
        if local or silent or _stays(address[0]):
            return
        said = f"{event} {address[0]}"
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        if _stays(arguments[0]) or _literal(arguments[0]):
            return
        said = f"{event} {arguments[0]!r}"
    else:
        return
    REFUSED.append(said)
    print(f"Traceback: a request would have left this computer: {said}", file=sys.stderr, flush=True)
    raise LeavesThisComputer(said)


sys.addaudithook(hear)
