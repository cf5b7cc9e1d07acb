"""The organiser's side of a rehearsal, against a server that answers as it is told."""

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.test import Client

from tests.support import factories
from tournament.extras.rehearsal.organiser import Address, Impossible, Organiser, number_of_parts
from tournament.extras.rehearsal.plan import KINDS, Size
from tournament.models import Entry, Stage


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


class Within(Organiser):
    """Asks the views of this process, signed in as `client` is."""

    client: Client

    def _ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        answer = self.client.generic(method, path, body, "application/json", headers=dict(headers or {}))
        return answer.status_code, answer.content


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_event_is_set_up_as_large_as_the_day_and_put_away(kind: str, client: Client) -> None:
    client.force_login(factories.StaffFactory.create())
    organiser = Within(Address("testserver", 80, tls=False))
    organiser.client = client
    event = organiser.found(Size(players=5, tables=2, referees=60, kind=kind), "Rehearsal")
    stage = Stage.objects.get(uid=event.stage)
    assert (stage.kind, stage.state) == (kind, Stage.State.RUNNING)
    assert {str(table.uid) for table in stage.tables.all()} == event.seats.keys()
    entries = Entry.objects.order_by("start_number")
    names = {str(entry.uid): entry.public_name for entry in entries}
    assert [[names[uid] for uid in seats] for seats in event.seats.values()] == [
        ["Player 1", "Player 3", "Player 5"], ["Player 2", "Player 4"],
    ]  # fmt: skip
    assert sorted(Counter(event.links).values()) == [10, 50]
    assert (b"Player 5" in organiser.page(event.page), organiser.real_events()) == (True, 0)
    organiser.put_away(event)
    assert organiser.all("tournaments") == []
