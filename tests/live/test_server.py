"""tournament/live/server.py and front.py behind real sockets."""

import contextlib
import http.client
import logging
import socket
import time

import pytest
from pytest_django import Settings

from tests.live.conftest import Site, serving
from tests.live.driver import PATIENCE
from tournament.live import protocol, server
from tournament.live.hub import Hub

PATH = "/en/page/a/"


def open_stream(port: int, scope: str = "a") -> http.client.HTTPResponse:
    """A stream whose first event has been read."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", f"/live/{scope}")
    response = connection.getresponse()
    assert response.status == 200
    assert event(response).startswith("retry: ")
    return response


def event(response: http.client.HTTPResponse) -> str:
    """The next event's lines; empty at the end of the stream."""
    lines: list[str] = []
    while (line := response.readline().decode()) not in ("\n", ""):
        lines.append(line)
    return "".join(lines)


def test_a_page_and_a_stream_over_the_wire(site: Site) -> None:
    site.save("a", 1)
    with serving(site.app) as (_, port):
        stream = open_stream(port)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", PATH)
        first = connection.getresponse()
        assert b'data-version="1"' in first.read()
        site.save("a", 2)
        assert event(stream) == "event: version\ndata: 2\n"
        connection.request("HEAD", PATH)
        head = connection.getresponse()
        assert (head.status, head.read()) == (200, b"")
        connection.request("GET", PATH, headers={"If-None-Match": first.headers["ETag"]})
        second = connection.getresponse()
        body = second.read()
        assert second.status == 200
        assert b'data-version="2"' in body
        assert head.headers["Content-Length"] == str(len(body))
        connection.request("GET", PATH, headers={"If-None-Match": second.headers["ETag"]})
        third = connection.getresponse()
        assert (third.status, third.read()) == (304, b"")
        connection.close()


def test_a_reader_that_hangs_up_is_let_go(site: Site) -> None:
    site.save("a", 1)
    with serving(site.app) as (_, port):
        streams = [open_stream(port) for _ in range(3)]
        assert site.hub.open == 3
        for stream in streams:
            stream.close()
        give_up = time.monotonic() + PATIENCE
        while site.hub.open and time.monotonic() < give_up:
            time.sleep(0.001)
        assert site.hub.open == 0


@pytest.mark.parametrize(
    ("trusted", "answers"),
    [([], [200, 503, 503]), (["127.0.0.1"], [200, 200, 503])],
    ids=["nobody", "a proxy"],
)
def test_an_address_that_was_passed_on_counts_only_from_a_proxy_that_is_named(
    site: Site, settings: Settings, trusted: list[str], answers: list[int]
) -> None:
    settings.TRUSTED_PROXIES = trusted
    site.app.hub = Hub(site.versions, cap=10, each=1)
    site.save("a", 1)
    with serving(site.app) as (_, port):
        found, connections = [], []
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.2"):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            connection.request("GET", "/live/a", headers={"X-Forwarded-For": address})
            found.append(connection.getresponse().status)
            connections.append(connection)
    assert found == answers


@pytest.mark.parametrize(
    ("files", "each", "given"),
    [(300, 4000, (150, 75)), (300, 20, (150, 20)), (300, 5000, (150, 5000)), (1_000_000, 4000, (5000, 2500))],
    ids=["few files", "a small share", "all for one", "many files"],
)
def test_streams_leave_half_of_the_files_and_those_of_one_address_half_of_the_streams(
    site: Site, monkeypatch: pytest.MonkeyPatch, files: int, each: int, given: tuple[int, int]
) -> None:
    monkeypatch.setattr(server, "most_files", lambda: files)
    site.hub.each = each
    server.Server(site.app)
    assert (site.hub.cap, site.hub.each) == given


def test_a_stop_ends_streams_first_and_waits_for_nobody(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    site.save("a", 1)
    with caplog.at_level(logging.ERROR, "uvicorn.error"), serving(site.app) as (running, port):
        streams = [open_stream(port) for _ in range(20)]
        idle = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        running.should_exit = True
        assert [event(stream) for stream in streams] == [""] * 20
    idle.close()
    assert "graceful" not in caplog.text  # uvicorn's words when it had to cancel something


@pytest.mark.parametrize(
    "said", [b"", b"GET /en/page/a/ HTTP/1.1\r\nHost: x\r\nX-Slow: "], ids=["nothing", "half"]
)
def test_who_does_not_say_what_is_asked_for_is_cut_off(
    site: Site, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(protocol, "HEAD_S", 0.05)
    with serving(site.app) as (_, port):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as first:
            assert cut_off(first, said)
        if said:  # that one waits between two requests is its right
            with answered_once(port) as later:
                assert cut_off(later, said)


def cut_off(slow: socket.socket, said: bytes) -> bool:
    """Tell whether the server hangs up on a client that says this and no more, or has done so before."""
    with contextlib.suppress(ConnectionError):
        slow.sendall(said)
        return slow.recv(1000) == b""
    return True


def answered_once(port: int) -> socket.socket:
    """A connection on which one request was answered; on a busy machine the first ones may be too slow for that."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        with contextlib.suppress(ConnectionError):
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            if line.recv(1000).startswith(b"HTTP/1.1 200"):
                return line
        line.close()
    raise AssertionError("every connection was cut off")


def test_garbage_is_a_bad_request(site: Site) -> None:
    with (
        serving(site.app) as (_, port),
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as garbage,
    ):
        garbage.sendall(b"\x16\x03\x01\x02\x00nonsense\r\n\r\n")
        assert garbage.recv(100).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "lengths",
    [
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: -1",
    ],
    ids=["both", "twice", "negative"],
)
def test_request_with_two_lengths_is_refused(site: Site, lengths: str) -> None:
    with (
        serving(site.app) as (_server, port),
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line,
    ):
        line.sendall(
            f"POST /en/page/a/ HTTP/1.1\r\nHost: x\r\n{lengths}\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n".encode()
        )
        answer = b""
        while piece := line.recv(4096):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1
