"""A phone's connection, to a server that answers as it is told."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tournament.extras.rehearsal import phones as module
from tournament.extras.rehearsal.phones import Broken, Line, Lost

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def with_server(answers: list[bytes], work: Callable[[Line], Awaitable[Any]]) -> tuple[Any, list[bytes], int]:
    """Run the work on a line to a server with these answers. Give its result, the requests, and how many connections it
    took."""
    heard: list[bytes] = []
    connections: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        while data := await reader.read(65536):
            heard.append(data)
            if not answers:
                break
            writer.write(answers.pop(0))
        writer.close()

    async def run() -> Any:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            line = Line("127.0.0.1", server.sockets[0].getsockname()[1], tls=False)
            try:
                return await work(line)
            finally:
                line.close()

    return asyncio.run(asyncio.wait_for(run(), 10)), heard, len(connections)


def test_requests_follow_each_other_over_one_connection_and_keep_cookies() -> None:
    welcome = (
        b"HTTP/1.1 302 Found\r\nSet-Cookie: csrftoken=abc; Path=/\r\nset-cookie: sessionid=xyz; HttpOnly\r\n"
        b"Content-Length: 0\r\n\r\n"
    )

    async def work(line: Line) -> Any:
        return [
            await line.ask("GET", "/a"),
            await line.ask("POST", "/b", b"x=1", {"X-Own": "1"}),
        ], line.origin

    (answers, origin), heard, connections = with_server([welcome, OK], work)
    assert (answers, connections) == ([(302, b""), (200, b"ok")], 1)
    first, second = heard
    assert first.startswith(b"GET /a HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"Cookie" not in first
    assert b"Content-Length" not in first
    for said in (
        b"Cookie: csrftoken=abc; sessionid=xyz",
        b"X-CSRFToken: abc",
        b"Content-Length: 3",
        b"X-Own: 1",
    ):
        assert said + b"\r\n" in second
    assert f"Referer: {origin}/".encode() in second
    assert second.endswith(b"\r\n\r\nx=1")


def test_chunks_and_answers_without_a_body_are_read_to_their_end() -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n"
    empty = b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"

    async def work(line: Line) -> Any:
        return [await line.ask("GET", f"/{number}") for number in range(3)]

    found, _, connections = with_server([chunked, empty, OK], work)
    assert found == [(200, b"abc0123456789"), (304, b""), (200, b"ok")]
    assert connections == 1


@pytest.mark.parametrize(
    ("broken", "whole"),
    [(Broken.CUT, False), (Broken.GONE, True), (Broken.UNHEARD, True)],
    ids=["cut", "gone", "unheard"],
)
def test_broken_request_is_lost_and_the_next_one_takes_another_connection(
    broken: Broken, *, whole: bool
) -> None:
    async def work(line: Line) -> Any:
        with pytest.raises(Lost, match=broken.value):
            await line.ask("POST", "/a", b"first", broken=broken)
        return await line.ask("GET", "/b")

    found, heard, connections = with_server([OK, OK], work)
    assert (found, connections) == ((200, b"ok"), 2)
    arrived = heard[0] if heard[0].startswith(b"POST") else b""
    assert arrived.endswith(b"first") is whole or not arrived


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", b"HTTP/1.1 none\r\n\r\n"]
)
def test_answer_that_breaks_off_or_is_none_is_lost(answer: bytes) -> None:
    async def work(line: Line) -> Any:
        with pytest.raises(Lost):
            await line.ask("GET", "/a")
        return line._writer

    kept, _, _ = with_server([answer] if b"half" not in answer and answer else [], work)
    assert kept is None


def test_server_that_says_nothing_is_lost_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)

    async def work(line: Line) -> Any:
        with pytest.raises(Lost):
            await line.ask("GET", "/a")

    with_server([b"HTTP/1.1 200"], work)
