"""Stored pages over the wire, and everything that is not one on its usual way."""

import asyncio
import contextlib
import gc
import re
import socket
import struct
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pytest_django import Settings

from tests.live.conftest import Site, serving
from tests.live.driver import PATIENCE, ask
from tournament.live import front, protocol
from tournament.live.hub import Message, Receive, Send, refuse
from tournament.live.server import Server

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

    def rest(self) -> bytes:
        """Everything until the server hangs up."""
        with contextlib.suppress(ConnectionError):
            while piece := self.socket.recv(65_536):
                self._read += piece
        return self._read

    def _more(self) -> None:
        piece = self.socket.recv(65_536)
        assert piece, "the server hung up"
        self._read += piece


@pytest.fixture
def stored(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site with one page in its store; `site.usual` counts the requests that went their usual way."""
    usual = front.Front.__call__

    def counted(self: front.Front, scope: Any, *rest: Any) -> object:
        site.scopes += [scope] * (scope["type"] == "http")
        site.usual += scope["type"] == "http"
        return usual(self, scope, *rest)

    monkeypatch.setattr(front.Front, "__call__", counted)
    site.save("a", 1)
    asyncio.run(ask(site.app, PATH))
    site.usual = 0
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
        assert stored.usual == 0
        usual = one.get(*headers, "Content-Length: 0")
        assert stored.usual == 1
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
    assert stored.usual == 1


def test_an_old_browser_is_answered_and_hung_up_on(stored: Site) -> None:
    with wire(stored) as one:
        assert one.get(version="1.0").startswith(b"HTTP/1.1 200")
        assert one.socket.recv(1) == b""


def test_with_publish_off_nothing_is_answered_from_the_store(stored: Site, settings: Settings) -> None:
    settings.PUBLISH = False
    site = Site()
    with wire(site) as one:
        one.get()
    assert stored.usual == 1


def test_where_https_is_demanded_http_is_not_answered_from_the_store(
    stored: Site, settings: Settings
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    site = Site()
    with wire(site) as one:
        one.get("X-Forwarded-Proto: https")
        assert stored.usual == 0
        one.get()
    assert stored.usual == 1


def test_a_reader_that_takes_nothing_is_not_written_to_without_end(stored: Site) -> None:
    """Once the network's buffers are full, a request waits for its turn as uvicorn's do."""
    with wire(stored) as one:
        one.socket.setblocking(False)
        request = f"GET {PATH} HTTP/1.1\r\nHost: testserver\r\n\r\n".encode()
        give_up = time.monotonic() + PATIENCE
        while stored.usual == 0:
            assert time.monotonic() < give_up
            with contextlib.suppress(BlockingIOError, ConnectionError):  # 32 wait at most
                one.socket.send(request * 100)
        one.socket.settimeout(PATIENCE)
        assert one.answer().startswith(b"HTTP/1.1 200")


def test_a_stop_hangs_up_on_connections_that_only_had_stored_pages(stored: Site) -> None:
    with serving(stored.app) as (running, port):
        one = Wire(port)
        one.get()
        running.should_exit = True
        assert one.socket.recv(1) == b""


# ---- what a stranger may send


def padded(size: int, *, line: str = "X-Long: ") -> bytes:
    """A GET whose line and headers have this many bytes, as they are counted."""
    head = f"GET {PATH} HTTP/1.1\r\nHost: testserver\r\n{line}"
    counted = len(PATH) + len("Hosttestserver") + 4 + len(line) - 2 + 4
    return f"{head}{'a' * (size - counted)}\r\n\r\n".encode()


def test_head_of_16_kb_is_read_and_a_larger_one_is_refused_in_words(stored: Site) -> None:
    with wire(stored) as one:
        one.socket.sendall(padded(protocol.HEAD_MOST))
        assert one.answer().startswith(b"HTTP/1.1 200")
        one.socket.sendall(padded(protocol.HEAD_MOST + 1))
        refused = one.rest()
    assert refused.startswith(b"HTTP/1.1 431 ")
    assert b"connection: close\r\n" in refused
    assert refused.endswith(b"\r\n\r\nThe head of the request is too large: at most 16 kB and 100 headers.")
    assert stored.usual == 0


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (b"", 400),
        (b"Host: testserver\r\nHost: testserver\r\n", 400),
        (b"Host: testserver\r\nTransfer-Encoding: gzip, chunked\r\n", 501),
    ],
    ids=["no host", "two hosts", "packed body"],
)
def test_request_that_is_not_framed_as_http_says_is_refused(stored: Site, lines: bytes, status: int) -> None:
    with wire(stored) as one:
        one.socket.sendall(b"GET " + PATH.encode() + b" HTTP/1.1\r\n" + lines + b"\r\n")
        assert one.rest().startswith(b"HTTP/1.1 %d " % status)
    assert stored.usual == 0


def test_http_1_0_needs_no_host(stored: Site) -> None:
    with wire(stored) as one:
        one.socket.sendall(f"GET {PATH} HTTP/1.0\r\n\r\n".encode())
        assert not one.rest().startswith(b"HTTP/1.1 501")


@pytest.mark.parametrize(
    "begins", [b"X-Long: ", b"X-", b"A: a\r\n", b""], ids=["value", "name", "line", "nothing"]
)
def test_head_without_end_is_refused_before_it_ends(stored: Site, begins: bytes) -> None:
    with wire(stored) as one:
        head = f"GET {PATH} HTTP/1.1\r\nHost: testserver\r\n".encode() if begins else b"\r\n"
        one.socket.sendall(head + (begins or b"\r\n") * 60_000)
        assert one.rest()[9:12] in (b"431", b"400")  # the parser itself refuses some
    assert stored.usual == 0


@pytest.mark.parametrize(
    ("name", "most"), protocol.MOST.items(), ids=[each.decode() for each in protocol.MOST]
)
def test_header_that_takes_long_to_read_is_refused_by_its_name(stored: Site, name: bytes, most: int) -> None:
    with wire(stored) as one:
        assert one.get(f"{name.decode()}: {'a' * most}").startswith(b"HTTP/1.1 200")
        half = f"{name.decode().title()}: {'a' * (most // 2)}"
        one.send(half, half, f"{name.decode()}: a")
        refused = one.rest()
    assert refused.startswith(b"HTTP/1.1 431 ")
    assert refused.endswith(f"The header {name.decode()} is too long: at most {most:,} bytes.".encode())


def test_more_than_100_headers_are_refused(stored: Site) -> None:
    with wire(stored) as one:
        assert one.get(*["Accepted: yes"] * 99).startswith(b"HTTP/1.1 200")
        one.send(*["Accepted: yes"] * 100)
        assert one.rest().endswith(b"at most 16 kB and 100 headers.")


def chunked(*chunks: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    head = f"POST {PATH} HTTP/1.1\r\nHost: testserver\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    return head + b"".join(b"%x\r\n%b\r\n" % (len(each), each) for each in chunks) + end


def test_what_follows_a_body_is_no_header(stored: Site) -> None:
    with wire(stored) as one:
        one.socket.sendall(chunked(b"a=1", end=b"0\r\nAuthorization: Bearer x\r\nHost: evil\r\n\r\n"))
        one.answer()
    scope = stored.scopes[-1]
    assert scope["headers"] == [(b"host", b"testserver"), (b"transfer-encoding", b"chunked")]


@pytest.mark.parametrize(
    "end",
    [b"0\r\nX-Long: " + b"a" * 60_000, b"3;" + b"a" * 60_000, b"nonsense\r\n"],
    ids=["trailer", "extension", "nonsense"],
)
def test_what_frames_a_body_has_a_limit_too(stored: Site, end: bytes) -> None:
    with wire(stored) as one:
        one.socket.sendall(chunked(b"a=1", end=end))
        answer = one.rest()
    assert answer[9:12] in (b"431", b"400")
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("size", [1, 100, 60_000])
def test_body_in_chunks_is_read_whole(stored: Site, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies: list[bytes] = []

    async def kept(scope: Message, receive: Receive, send: Send) -> None:
        bodies.append((await receive())["body"])
        await refuse(send, 200, b"ok")

    monkeypatch.setattr(stored.app, "_django", kept)
    body = bytes(range(256)) * 400
    with wire(stored) as one:
        one.socket.sendall(chunked(*(body[at : at + size] for at in range(0, len(body), size))))
        assert one.answer().endswith(b"ok")
    assert bodies == [body]


def test_no_more_than_32_requests_wait_on_one_connection(stored: Site) -> None:
    with wire(stored) as one:
        one.socket.sendall(f"GET {PATH}?a HTTP/1.1\r\nHost: testserver\r\n\r\n".encode() * 1000)
        answers = one.rest()
    assert answers.count(b"HTTP/1.1 200") <= 1
    assert stored.usual == 1


def test_whoever_hangs_up_on_a_stream_with_a_question_behind_it_is_let_go(stored: Site) -> None:
    with serving(stored.app) as (_, port):
        one = Wire(port)
        one.send(target="/live/a")
        one.send(target=PATH)
        assert b"event-stream" in one.answer()
        assert stored.hub.open == 1
        one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # it resets
        one.socket.close()
        stored.save("a", 2)  # what is written to it fails
        give_up = time.monotonic() + PATIENCE
        while stored.hub.open:
            assert time.monotonic() < give_up
            stored.save("a", stored.facts.versions["a"] + 1)
            time.sleep(0.01)  # the server runs in another thread


# ---- a connection with a clock of the test's


class Clock:
    """In the event loop's place: timers that a test lets run."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, call: Callable[[], object]) -> "Timer":
        self.timers.append(Timer(self.now + seconds, call))
        return self.timers[-1]

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while due := [timer for timer in self.timers if timer.at <= until]:
            timer = min(due, key=lambda each: each.at)
            self.timers.remove(timer)
            self.now = max(self.now, timer.at)
            if not timer.cancelled:
                timer.call()
        self.now = until


@dataclass(eq=False)
class Timer:
    at: float
    call: Callable[[], object]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class Line(asyncio.Transport):
    """A connection: the answers on it and its end; the client has not taken `unsent` bytes."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 50000)})
        self.said = b""
        self.did: list[str] = []
        self.unsent = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.said += bytes(data)

    def is_closing(self) -> bool:
        return bool({"close", "abort"} & set(self.did))

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def pause_reading(self) -> None:
        self.did.append("pause")

    def resume_reading(self) -> None:
        self.did.append("resume")

    def write_eof(self) -> None:
        self.did.append("eof")

    def close(self) -> None:
        self.did.append("close")

    def abort(self) -> None:
        self.did.append("abort")


@dataclass
class Alone:
    """One connection without a network, and the clock that it goes by."""

    clock: Clock
    line: Line
    protocol: Any

    def get(self) -> None:
        self.protocol.data_received(f"GET {PATH} HTTP/1.1\r\nHost: testserver\r\n\r\n".encode())


@pytest.fixture
def alone(stored: Site, monkeypatch: pytest.MonkeyPatch) -> Alone:
    monkeypatch.setattr(protocol, "TARPIT_S", 1)
    server = Server(stored.app)
    server.config.load()
    clock, line = Clock(), Line("192.0.2.7")
    protocol_class: Any = server.config.http_protocol_class
    made = protocol_class(config=server.config, server_state=server.server_state, app_state={}, _loop=clock)
    made.connection_made(line)
    return Alone(clock, line, made)


def test_refusal_is_told_a_second_later_and_nothing_is_read_meanwhile(alone: Alone) -> None:
    for _ in range(5):
        alone.protocol.data_received(padded(40_000))
    alone.clock.run(0.9)
    assert (alone.line.said, alone.line.did) == (b"", ["pause"])
    alone.clock.run(0.2)
    assert alone.line.said.startswith(b"HTTP/1.1 431 ")
    assert alone.line.did == ["pause", "eof"]
    alone.clock.run(1)
    assert alone.line.did == ["pause", "eof", "abort"]


def test_refusal_does_not_pass_for_the_answer_to_what_was_asked_before(alone: Alone) -> None:
    alone.protocol._start_asgi_task = lambda *_: None  # a request that is not answered
    alone.protocol.data_received(b"HEAD / HTTP/1.1\r\nHost: testserver\r\n\r\n" * 2 + padded(40_000))
    alone.clock.run(1)
    assert (alone.line.said, alone.line.did[-1]) == (b"", "eof")


def test_answer_that_comes_once_the_connection_was_ended_is_not_written(alone: Alone) -> None:
    begun: list[Any] = []

    def begin(cycle: Any, _app: Any) -> None:
        alone.protocol._running = cycle
        begun.append(cycle)

    alone.protocol._start_asgi_task = begin
    alone.protocol.data_received(b"HEAD / HTTP/1.1\r\nHost: testserver\r\n\r\n" * 2 + padded(40_000))
    assert [cycle.disconnected for cycle in begun] == [False]
    alone.clock.run(1)
    assert alone.line.did[-1] == "eof"
    asyncio.run(begun[0].send({"type": "http.response.start", "status": 200, "headers": []}))
    assert (begun[0].disconnected, alone.line.said) == (True, b"")


def test_blank_lines_keep_no_connection_open(alone: Alone) -> None:
    alone.get()
    for _ in range(7):
        alone.clock.run(10)
        alone.protocol.data_received(b"\r\n")
    assert "close" in alone.line.did


def test_reader_that_takes_nothing_of_the_last_answer_is_cut_off(alone: Alone) -> None:
    alone.get()
    alone.line.unsent = 100
    alone.line.close()
    for left in (90, 80):
        alone.line.unsent = left
        alone.clock.run(protocol.HEAD_S)
        assert "abort" not in alone.line.did
    alone.clock.run(protocol.HEAD_S)
    assert "abort" in alone.line.did


def test_connection_that_waits_can_be_taken_and_one_that_is_served_not(alone: Alone) -> None:
    place = alone.protocol.door.enter("192.0.2.7")
    assert list(place.waiting) == [alone.protocol]
    alone.get()
    assert list(place.waiting) == [alone.protocol]
    alone.protocol._start_asgi_task = lambda *_: None  # a request that is not answered
    alone.protocol.data_received(b"HEAD / HTTP/1.1\r\nHost: testserver\r\n\r\n")
    assert list(place.waiting) == []


def test_connection_leaves_nothing_behind(alone: Alone) -> None:
    """The garbage collector comes so seldom that what waits for it would fill the memory."""
    alone.protocol._start_asgi_task = lambda *_: None
    alone.protocol.data_received(b"HEAD / HTTP/1.1\r\nHost: testserver\r\n\r\n" * 20)
    held = [weakref.ref(cycle) for cycle, _ in alone.protocol.pipeline]
    assert len(held) == 19
    gc.disable()
    try:
        alone.protocol.connection_lost(None)
        assert [each() for each in held] == [None] * 19
    finally:
        gc.enable()


def test_there_is_no_room_for_an_address_whose_connections_are_all_busy(
    stored: Site, settings: Settings
) -> None:
    settings.TRUSTED_PROXIES, settings.CONNECTIONS_EACH = [], 2
    with serving(stored.app) as (_, port):
        streams = [Wire(port) for _ in range(2)]
        for stream in streams:
            stream.send(target="/live/a")
            assert b"event-stream" in stream.answer()
        refused = Wire(port).rest()
        for stream in streams:
            stream.socket.close()
    assert refused.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 10\r\n" in refused
    assert refused.endswith(b"Too many connections from your network. Try again in 10 seconds.")


def test_silent_connections_of_an_address_make_room_for_one_that_asks(
    stored: Site, settings: Settings
) -> None:
    settings.TRUSTED_PROXIES, settings.CONNECTIONS_EACH = [], 2
    with serving(stored.app) as (_, port):
        silent = [Wire(port) for _ in range(4)]
        one = Wire(port)
        assert one.get().startswith(b"HTTP/1.1 200")
        assert silent[0].rest() == b""
