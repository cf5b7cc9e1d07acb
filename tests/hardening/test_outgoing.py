"""No outgoing request but configured ones: the whole run, and every server that it starts, listens for them."""

import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.server import environment
from tests.no_network import sitecustomize


@pytest.mark.parametrize(
    "leave",
    [
        lambda: socket.create_connection(("198.51.100.1", 80), timeout=0.1),
        lambda: socket.getaddrinfo("uno.example", 443),
        lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("198.51.100.1", 53)),
    ],
    ids=["connection", "name", "message"],
)
def test_what_leaves_this_computer_is_refused_and_remembered(
    leave: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(sitecustomize, "REFUSED", refused)
    with pytest.raises(sitecustomize.LeavesThisComputer):
        leave()
    assert len(refused) == 1


def test_what_stays_here_is_not_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as which_way:
        try:
            which_way.connect(("192.0.2.1", 9))
        except sitecustomize.LeavesThisComputer:
            pytest.fail("asking which way a network lies sends nothing")
        except OSError:
            pass  # a computer without a network


def test_servers_of_the_tests_are_guarded_too(tmp_path: Any) -> None:
    ask = "import socket; socket.create_connection(('198.51.100.1', 80), timeout=0.1)"
    done = subprocess.run(
        [sys.executable, "-c", ask], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert "a request would have left this computer" in done.stderr
