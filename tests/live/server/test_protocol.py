"""Stored pages over the wire, and everything that is not one on its usual way."""

import asyncio
import contextlib
import re
import socket
import time
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.live.conftest import Site, serving
from tests.live.driver import PATIENCE, ask
from tournament.live import front

PATH = "/en/page/a/"
DATE = re.compile(rb"date: [^\r]+\r\n")


class Wire:
    """One connection, spoken to in bytes."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._read = b""

    def get(self, *headers: str, method: str = "GET", target: str = PATH, version: str = "1.1") -> bytes:
        self.send(*headers, method=method, target=target, version=version)
        return self.answer(body=method != "HEAD")

    def send(self, *headers: str, method: str = "GET", target: str = PATH, version: str = "1.1") -> None:
        lines = [f"{method} {target} HTTP/{version}", "Host: testserver", *headers, "", ""]
        self.socket.sendall("\r\n".join(lines).encode())

    def answer(self, *, body: bool = True) -> bytes:
        """Read the next answer, by the length that it states, and give it without its date."""
        while b"\r\n\r\n" not in self._read:
            self._more()
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        found = re.search(rb"content-length: (\d+)", head)
        length = int(found[1]) if found and body else 0
        while len(self._read) < length:
            self._more()
        content, self._read = self._read[:length], self._read[length:]
        return DATE.sub(b"", head + b"\r\n\r\n" + content)

    def _more(self) -> None:
        piece = self.socket.recv(65_536)
        assert piece, "the server hung up"
        self._read += piece


@pytest.fixture
def stored(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site with one page in its store; `site.usual` counts the requests that went their usual way."""
    usual = front.Front.__call__
    site.usual = 0  # type: ignore[attr-defined]  # the test's own

    def counted(self: front.Front, scope: front.Message, *rest: object) -> object:
        site.usual += scope["type"] == "http"  # type: ignore[attr-defined]
        return usual(self, scope, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(front.Front, "__call__", counted)
    site.save("a", 1)
    asyncio.run(ask(site.app, PATH))
    site.usual = 0  # type: ignore[attr-defined]
    return site


@contextlib.contextmanager
def wire(site: Site) -> Iterator[Wire]:
    with serving(site.app) as (_, port):
        one = Wire(port)
        try:
            yield one
        finally:
            one.socket.close()


@pytest.mark.parametrize(
    "headers",
    [(), ("Accept-Encoding: gzip",), ("Accept-Encoding: br",), ("If-None-Match: *",), ("If-None-Match: x",)],
    ids=["plain", "gzip", "br", "unchanged", "changed"],
)
def test_the_bytes_are_those_of_the_usual_way(stored: Site, headers: tuple[str, ...]) -> None:
    with wire(stored) as one:
        straight = one.get(*headers)
        assert stored.usual == 0  # type: ignore[attr-defined]
        usual = one.get(*headers, "Content-Length: 0")
        assert stored.usual == 1  # type: ignore[attr-defined]
    assert straight == usual
    assert straight.startswith(b"HTTP/1.1 304 Not Modified" if "*" in str(headers) else b"HTTP/1.1 200 OK")


def test_one_connection_asks_for_many_things_one_after_the_other(stored: Site) -> None:
    with wire(stored) as one:
        first = one.get()
        assert one.get(target="/healthz").endswith(b"ok")
        assert one.get() == first
        stored.save("a", 2)
        assert b'data-version="2"' in one.get()
        assert one.get(target="/en/nowhere/").startswith(b"HTTP/1.1 404")
        assert b'data-version="2"' in one.get()


def test_requests_that_do_not_wait_for_answers_get_them_in_order(stored: Site) -> None:
    with wire(stored) as one:
        for target in (PATH, "/healthz", PATH, "/en/nowhere/", PATH):
            one.send(target=target)
        statuses = [one.answer()[9:12] for _ in range(5)]
    assert statuses == [b"200", b"200", b"200", b"404", b"200"]


@pytest.mark.parametrize(
    ("method", "target", "headers"),
    [
        ("HEAD", PATH, ()),
        ("POST", PATH, ("Content-Length: 0",)),
        ("GET", f"{PATH}?a=1", ()),
        ("GET", "/en/page/%61/", ()),
        ("GET", PATH, ("Content-Length: 0",)),
        ("GET", PATH, ("Connection: close",)),
    ],
    ids=["HEAD", "POST", "query", "encoded", "body", "close"],
)
def test_what_is_not_a_plain_get_of_the_exact_path_goes_its_usual_way(
    stored: Site, method: str, target: str, headers: tuple[str, ...]
) -> None:
    with wire(stored) as one:
        one.get(*headers, method=method, target=target)
    assert stored.usual == 1  # type: ignore[attr-defined]


def test_an_old_browser_is_answered_and_hung_up_on(stored: Site) -> None:
    with wire(stored) as one:
        assert one.get(version="1.0").startswith(b"HTTP/1.1 200")
        assert one.socket.recv(1) == b""


def test_with_publish_off_nothing_is_answered_from_the_store(stored: Site, settings: Settings) -> None:
    settings.PUBLISH = False
    site = Site()
    with wire(site) as one:
        one.get()
    assert stored.usual == 1  # type: ignore[attr-defined]


def test_where_https_is_demanded_http_is_not_answered_from_the_store(
    stored: Site, settings: Settings
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    site = Site()
    with wire(site) as one:
        one.get("X-Forwarded-Proto: https")
        assert stored.usual == 0  # type: ignore[attr-defined]
        one.get()
    assert stored.usual == 1  # type: ignore[attr-defined]


def test_a_reader_that_takes_nothing_is_not_written_to_without_end(stored: Site) -> None:
    """Once the network's buffers are full, a request waits for its turn as uvicorn's do."""
    with wire(stored) as one:
        one.socket.setblocking(False)
        request = f"GET {PATH} HTTP/1.1\r\nHost: testserver\r\n\r\n".encode()
        give_up = time.monotonic() + PATIENCE
        while stored.usual == 0:  # type: ignore[attr-defined]
            assert time.monotonic() < give_up
            with contextlib.suppress(BlockingIOError):
                one.socket.send(request * 100)
        one.socket.settimeout(PATIENCE)
        assert one.answer().startswith(b"HTTP/1.1 200")


def test_a_stop_hangs_up_on_connections_that_only_had_stored_pages(stored: Site) -> None:
    with serving(stored.app) as (running, port):
        one = Wire(port)
        one.get()
        running.should_exit = True
        assert one.socket.recv(1) == b""
