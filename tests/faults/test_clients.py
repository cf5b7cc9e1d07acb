"""Clients that are slow, hang or come in too great numbers: entries go on beside them."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.depth import dear
from tests.e2e.arranger import Arranged
from tests.faults.phones import BUSY, CSRF, referees
from tests.faults.rig import Rig

pytestmark = pytest.mark.server

SLOW = 60  # of each kind, more than there are threads
SECONDS = 1.5  # that entries go on beside them
AT_MOST = 15  # seconds that one may take meanwhile; who hangs is cut off after 20 at the earliest


def head(event: Arranged) -> bytes:
    return b"GET /en/ HTTP/1.1\r\nHost: x\r\nX-Slow: "


def body(event: Arranged) -> bytes:
    """Give a request of a referee who is signed in, so that it is for the referees' threads."""
    cookie = f"sessionid={event.organiser.session}; csrftoken={CSRF}"
    lines = [
        "POST /en/desk/send/ HTTP/1.1",
        "Host: x",
        f"Cookie: {cookie}",
        "Content-Length: 5000",
        "",
        '{"user": ',
    ]
    return "\r\n".join(lines).encode()


def stream(event: Arranged, method: str = "GET") -> bytes:
    return f"{method} /live/{event.stage} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def answer_to(rig: Rig, request: bytes) -> bytes:
    """How the answer to a request begins."""
    with socket.create_connection(("127.0.0.1", rig.port), timeout=BUSY) as one:
        one.sendall(request)
        return one.recv(1000)


def page(event: Arranged) -> bytes:
    """A long one, asked for many times on one connection."""
    return b"GET /static/lastcard/app.css?%d HTTP/1.1\r\nHost: x\r\n\r\n" * 20 % tuple(range(20))


@contextmanager
def hanging(port: int, said: bytes) -> Iterator[list[socket.socket]]:
    """Clients that say this and then neither say nor read anything."""
    with ExitStack() as stack:
        clients = []
        for _ in range(SLOW):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", port))
            clients.append(stack.enter_context(client))
            client.setblocking(False)
            client.send(said)
        yield clients


@pytest.mark.sweep
@pytest.mark.parametrize("said", [body, *dear(stream, head, page)])
def test_entries_go_on_beside_clients_that_hang(rig: Rig, said: Callable[[Arranged], bytes]) -> None:
    event = rig.match(tables=2)
    phones = rig.phones(event)
    with hanging(rig.port, said(event)), referees(phones):
        until = time.monotonic() + SECONDS
        while time.monotonic() < until or not all(len(phone.acknowledged) > 1 for phone in phones):
            assert time.monotonic() < until + BUSY, "entries do not go on"
            began = time.monotonic()
            assert rig.get(event.public).status == 200
            assert rig.get(event.table, Cookie=f"sessionid={phones[0].session}").status == 200
            assert time.monotonic() - began < AT_MOST
            time.sleep(0.2)
    assert [phone.lost for phone in phones] == [0, 0]
    rig.holds(event, phones)


@pytest.mark.soak
def test_streams_beyond_the_cap_are_told_to_ask_instead_and_entries_go_on(few_streams: Rig) -> None:
    rig = few_streams
    event = rig.match(tables=2)
    phones = rig.phones(event)
    while answer_to(rig, stream(event, "HEAD")).startswith(b"HTTP/1.1 404"):
        time.sleep(0.05)  # another process made the event: until the server has looked
    with ExitStack() as stack:
        answers = []
        for _ in range(8):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", rig.port), timeout=BUSY))
            one.sendall(stream(event))
            answers.append(one.recv(1000))
        assert [answer.startswith(b"HTTP/1.1 200") for answer in answers] == [True] * 5 + [False] * 3
        assert all(b"503" in answer and b"retry-after" in answer.lower() for answer in answers[5:])
        for phone in phones:
            phone.enter()
        assert rig.get(event.public).status == 200
    rig.holds(event, phones)
