"""The organiser's side of a rehearsal, against a server that answers as it is told."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tournament.extras.rehearsal.organiser import Address, Impossible, Organiser, number_of_parts
from tournament.extras.rehearsal.plan import Size


def test_addresses() -> None:
    assert Address.of("http://localhost:8000").url == "http://127.0.0.1:8000"
    assert Address.of("https://play.example") == Address("play.example", 443, tls=True)
    with pytest.raises(Impossible):
        Address.of("play.example")


def test_parts_of_a_page_are_counted() -> None:
    stage = "6f1c7f0e-6f0d-4b52-9c4e-0a4d2f5b8a11"
    assert number_of_parts(b"no links") == 1
    assert (
        number_of_parts(f'<a href="/en/t/x/stage/{stage}/2/"><a href="/en/t/x/stage/{stage}/10/">'.encode())
        == 10
    )


class Told(BaseHTTPRequestHandler):
    """Answers with the next of `answers`, (status, what follows as JSON), and notes what was asked."""

    answers: list[tuple[int, Any]]
    asked: list[tuple[str, str, dict[str, str], bytes]]

    def do_GET(self) -> None:
        self.asked.append(
            (
                self.command,
                self.path,
                {name.lower(): value for name, value in self.headers.items()},
                self.rfile.read(int(self.headers.get("Content-Length") or 0)),
            )
        )
        status, said = self.answers.pop(0)
        body = b"" if said is None else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Set-Cookie", "csrftoken=abc; Path=/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_GET  # noqa: N815 - names of http.server's

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def told() -> Iterator[type[Told]]:
    handler: Any = type("Handler", (Told,), {"answers": [], "asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    handler.address = Address("127.0.0.1", server.server_port, tls=False)
    yield handler
    server.shutdown()
    server.server_close()
    thread.join()


def test_lists_are_read_to_their_end(told: Any) -> None:
    told.answers += [
        (200, {"results": [1, 2], "next": "http://127.0.0.1/api/v1/tournaments?cursor=more"}),
        (200, {"results": [3], "next": None}),
        (200, [4]),
    ]
    organiser = Organiser(told.address, token="secret")
    assert organiser.all("tournaments") == [1, 2, 3]
    assert organiser.all("stages") == [4]
    assert [path for _, path, _, _ in told.asked] == [
        "/api/v1/tournaments?limit=500",
        "/api/v1/tournaments?cursor=more",
        "/api/v1/stages?limit=500",
    ]
    assert {headers["authorization"] for _, _, headers, _ in told.asked} == {"Bearer secret"}


def test_real_events_are_those_that_are_no_rehearsals(told: Any) -> None:
    told.answers.append((200, [{"rehearsal": True}, {"rehearsal": False}, {"rehearsal": False}]))
    assert Organiser(told.address).real_events() == 2


def test_signing_in_keeps_the_cookies_and_sends_the_form_back(told: Any) -> None:
    organiser = Organiser(told.address)
    told.answers += [(200, None), (302, None), (201, {"uid": "a"})]
    organiser.sign_in("kim", "pass word")
    assert organiser.write("POST", "tournaments", {"name": "Cup"}, key="k") == {"uid": "a"}
    _, form, command = told.asked
    assert form[3] == b"username=kim&password=pass+word&csrfmiddlewaretoken=abc"
    assert (command[2]["x-csrftoken"], command[2]["cookie"]) == ("abc", "csrftoken=abc")
    assert (command[2]["idempotency-key"], json.loads(command[3])) == ("k", {"name": "Cup"})


def test_what_the_server_does_not_take_is_said(told: Any) -> None:
    organiser = Organiser(told.address)
    told.answers += [(200, None), (200, None), (409, {"code": "taken"}), (404, None), (204, None)]
    with pytest.raises(Impossible, match=r"does not accept this user and password \(200\)"):
        organiser.sign_in("kim", "wrong")
    with pytest.raises(Impossible, match=r"answered 409 to tournaments: .*taken"):
        organiser.write("POST", "tournaments", {})
    with pytest.raises(Impossible, match="answered 404 to /en/"):
        organiser.page("/en/")
    assert organiser.write("POST", "tournaments/a/put-away", {}) is None


def test_server_that_is_not_there_is_said() -> None:
    with pytest.raises(Impossible, match="does not answer"):
        Organiser(Address("127.0.0.1", 9, tls=False)).read("me")


def test_event_is_set_up_as_large_as_the_day(told: Any) -> None:
    size = Size(players=5, tables=2, referees=60, kind="match")
    tables = [{"uid": "t2", "number": 2}, {"uid": "t1", "number": 1}]
    told.answers += [
        (201, {}), (201, {}), (200, [{"uid": "stage"}]), (200, {}), (200, {}), (201, {}), (201, {}),
        (200, [{"link": "/i/a"}, {"link": "/i/b"}]), (200, tables), (200, {"slug": "rehearsal"}),
    ]  # fmt: skip
    event = Organiser(told.address).found(size, "Rehearsal")
    assert told.answers == []
    bodies: list[Any] = [json.loads(body) if body else None for _, _, _, body in told.asked]
    made, players, _, seated, *_ = bodies
    assert (made["ruleset"], made["stages"]) == (
        "mattel-108",
        [{"kind": "match", "settings": {"target": 500}}],
    )
    entries = [each["entry"] for each in players["players"]]
    assert [table["entries"] for table in seated["tables"]] == [entries[::2], entries[1::2]]
    assert event.seats == {"t1": entries[::2], "t2": entries[1::2]}
    assert (event.links.count("/i/a"), event.links.count("/i/b")) == (50, 10)
    assert (event.stage_page(1), event.stage_page(3)) == (
        "/en/t/rehearsal/stage/stage/", "/en/t/rehearsal/stage/stage/3/",
    )  # fmt: skip
