"""Requests that are too large are refused in words, and cost little. The seconds of processor time are shown; only
`make soak` decides by them, since whatever else a machine does counts too."""

import json
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import quote
from uuid import uuid4

import pytest

from tests.attacks.conftest import FEW
from tests.attacks.hall import MB, Hall
from tests.attacks.sheets import names, session
from tests.attacks.strangers import PIECE, head, parts, ready
from tests.attacks.visitors import FORM, Visitor
from tests.depth import SOAK, dear
from tournament.settings import EXTRAS

pytestmark = pytest.mark.server

MOST = 0.5  # seconds of the server's processor
PATIENCE = 20  # seconds


@contextmanager
def quick(hall: Hall, what: str) -> Iterator[None]:
    began = hall.processor
    yield
    took = hall.processor - began
    print(f"{what}: {took:.2f} s of the server's processor")
    assert took < MOST or not SOAK


def upload(name: str, content: str) -> tuple[str, str]:
    """A form with one file, and its type."""
    lines = [
        "--b",
        f'Content-Disposition: form-data; name="file"; filename="{name}"',
        "",
        content,
        "--b--",
        "",
    ]
    return "\r\n".join(lines), "multipart/form-data; boundary=b"


@pytest.mark.skipif("imports" not in EXTRAS, reason="an extra reads lists")
@pytest.mark.sweep
@pytest.mark.parametrize(
    "content", ["\n" * (2 * MB - 1000), *dear("Aino" + "\n" * (2 * MB - 1000))], ids=["all", "but one"]
)
def test_a_list_of_two_megabytes_of_empty_lines(hall: Hall, content: str) -> None:
    body, kind = upload("list.csv", content)
    with quick(hall, "2 MB newlines"):
        said = hall.referee.ask("POST", f"/en/organise/t/{hall.event.slug}/import/", body, Content_Type=kind)
    assert said.status == 422
    assert "The file is empty." in said.text or "At most 1000 players" in said.text


def people(many: int) -> str:
    sheet = {"sheet": 1, "kind": "match", "ruleset": "mattel-108", "settings": {}, "rounds": []}
    return json.dumps(sheet | {"players": [{"id": f"p{n}", "name": f"P{n}"} for n in range(many)]})


@pytest.mark.soak
def test_twenty_thousand_friends_at_one_table(hall: Hall) -> None:
    visitor = Visitor(hall.server.port, hall.stranger())
    with quick(hall, "20,000 players, as a form"):
        said = visitor.ask("POST", "/en/score/", f"do=show&sheet={quote(people(20_000))}", Content_Type=FORM)
    assert said.status == 422
    assert "more than 300000 bytes" in said.text
    with quick(hall, "20,000 players, as JSON"):
        answer = visitor.ask("POST", "/api/v1/score", people(20_000), Content_Type="application/json")
    assert answer.status == 422
    assert "At most 10000 players at a time." in answer.text


def test_an_event_of_three_hundred_games(hall: Hall) -> None:
    visitor = Visitor(hall.server.port, hall.stranger())
    body = f"do=event&name=Ours&event={uuid4()}&sheet={session()}"
    with quick(hall, "300 games as an event"):
        said = visitor.ask("POST", "/en/score/", body, Content_Type=FORM)
    assert said.status == 422
    assert "An event holds at most 60 games" in said.text


@pytest.mark.soak
def test_five_thousand_names(hall: Hall) -> None:
    visitor = Visitor(hall.server.port, hall.stranger())
    body = f"do=event&name=Ours&event={uuid4()}&sheet={session(3, 1)}"
    assert visitor.ask("POST", "/en/score/", body, Content_Type=FORM).status == 302
    (role,) = visitor.ask("GET", "/api/v1/me").json["roles"]
    rows = [{"name": name} for name in names(5000)]
    for who, event in ((visitor, role["tournament"]), (hall.referee, hall.tournament)):
        with quick(hall, "5,000 names"):
            said = who.send(f"/api/v1/tournaments/{event}/entries", {"players": rows})
        assert said.status in {400, 422}
        assert "At most" in said.text


def test_a_header_of_a_hundred_megabytes(hall: Hall) -> None:
    address = ("127.0.0.1", hall.server.port)
    with quick(hall, "a header of 100 MB"), socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(head("/en/")[:-2] + b"X-Long: ")
        sent = 0
        try:
            for part in parts(100 * MB):
                connection.sendall(part)
                sent += len(part)
        except ConnectionError:
            pass
        assert sent < 10 * MB  # the rest would have come to nobody
    said = Visitor(hall.server.port, hall.stranger()).ask("GET", "/en/", X_Long="x" * 20_000)
    assert said.status == 431
    assert "The head of the request is too large: at most 16 kB" in said.text


def connections(hall: Hall, stack: ExitStack, many: int, asks: bytes) -> list[socket.socket]:
    """So many connections of one address, each of which has asked this."""
    source, made = hall.stranger(), []
    for _ in range(many):
        connection = socket.create_connection(
            ("127.0.0.1", hall.server.port), timeout=PATIENCE, source_address=(source, 0)
        )
        connection.sendall(asks)
        made.append(stack.enter_context(connection))
    return made


@pytest.mark.soak
def test_a_thousand_silent_connections(small_hall: Hall) -> None:
    """The newest take the places of the oldest: who asks something is answered, also from the same address."""
    with ExitStack() as stack, quick(small_hall, "1,000 silent connections"):
        *silent, newest = connections(small_hall, stack, 1000, b"")
        wait_until(lambda: len(ready(silent, select.POLLIN, 0)) >= 1000 - FEW // 2)
        newest.sendall(head("/healthz"))
        assert newest.recv(PIECE).startswith(b"HTTP/1.1 200 ")
        assert small_hall.page().status == 200
        assert small_hall.referee.save().status == 200


@pytest.mark.soak
def test_a_thousand_connections_that_ask(small_hall: Hall) -> None:
    """Each sends a body that does not end, so that none can be taken for silent."""
    asks = head("/en/score/", "Content-Length: 9\r\n", method="POST") + b"a"
    with ExitStack() as stack, quick(small_hall, "1,000 connections that ask"):
        held = connections(small_hall, stack, 1000, asks)
        wait_until(lambda: len(ready(held, select.POLLIN, 0)) >= 1000 - FEW // 2)
        for each in ready(held, select.POLLIN, 0):
            said = each.recv(PIECE)
            assert said.startswith(b"HTTP/1.1 503 ")
            assert b"Too many connections from your network. Try again in 10 seconds." in said
        assert small_hall.page().status == 200
        assert small_hall.referee.save().status == 200


def wait_until(done: Callable[[], bool]) -> None:
    """Wait for this, as long as a busy machine may take."""
    give_up = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < give_up
        time.sleep(0.02)  # the server is another process: it is asked again
