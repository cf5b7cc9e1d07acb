"""Phones that watch a page, on a server that streams versions and serves a page of the newest."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tournament.extras.rehearsal import watchers as module
from tournament.extras.rehearsal.watchers import Crowd, Watched, version_of

PATIENCE = 10  # seconds


class Site:
    """A page of a version and the streams of those who watch it; `stale` fetches are answered with the one before."""

    def __init__(self) -> None:
        self.version, self.stale, self.refuses = 1, 0, 0
        self.streams: list[asyncio.StreamWriter] = []
        self.pages: list[asyncio.StreamWriter] = []
        self.asked: list[bytes] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                self.asked.append(request)
                if request.startswith((b"GET /live/a ", b"GET /live/a?page=/page ")):
                    self.streams.append(writer)
                    writer.write(b"HTTP/1.1 200 OK\r\n\r\nretry: 2000\n" + self.event())
                else:
                    self.pages.append(writer)
                    writer.write(self.page(request))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def event(self) -> bytes:
        return b"event: version\ndata: %d\n\n" % self.version

    def page(self, request: bytes) -> bytes:
        if self.refuses:
            self.refuses -= 1
            return b"HTTP/1.1 503 Busy\r\ncontent-length: 4\r\n\r\nBusy"
        version, self.stale = self.version - (self.stale > 0), max(0, self.stale - 1)
        tag = b'"%d"' % version
        if b"If-None-Match: " + tag in request:
            return b"HTTP/1.1 304 Not Modified\r\netag: %b\r\n\r\n" % tag
        body = gzip.compress(b'<body data-version="%d">' % version)
        return b"HTTP/1.1 200 OK\r\netag: %b\r\ncontent-length: %d\r\n\r\n%b" % (tag, len(body), body)

    def tell(self, version: int) -> None:
        self.version = version
        for stream in self.streams:
            stream.write(self.event())


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRY", (0.01, 0.02))
    monkeypatch.setattr(module, "AGAIN", 0.01)


def with_site(work: Callable[[Crowd, Site], Awaitable[Any]], *, streams: int = 3, **more: Any) -> Any:
    """Run the work with a crowd that is open, and give its result."""

    async def run() -> Any:
        site = Site()
        async with await asyncio.start_server(site.serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            crowd = Crowd(Watched(port, "/page", "a", **{"fetches": True, "history": True} | more))
            try:
                await crowd.open(streams, 2)
                return await work(crowd, site)
            finally:
                crowd.close()
                await asyncio.sleep(0.05)

    return asyncio.run(asyncio.wait_for(run(), PATIENCE))


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.01)


def test_every_watcher_hears_of_a_version_and_fetches_its_page() -> None:
    async def work(crowd: Crowd, site: Site) -> Any:
        assert crowd.behind(1) == 0
        site.tell(2)
        heard = await crowd.until(2, "heard")
        shown = await crowd.until(2, "shown")
        assert all(late >= early for early, late in zip(heard, shown, strict=True))
        return (
            [list(each.versions) for each in crowd.watchers],
            crowd.behind(2),
            crowd.behind(3),
            crowd.refused,
        )

    assert with_site(work) == ([[1, 2]] * 3, 0, 3, 0)


@pytest.mark.parametrize(("former", "fetched"), [(b"1", 0), (b"0", 1)], ids=["of this text", "of another"])
def test_what_changed_is_shown_without_a_fetch_where_its_former_text_is(former: bytes, fetched: int) -> None:
    async def work(crowd: Crowd, site: Site) -> Any:
        before, site.version = len(site.asked), 2
        for stream in site.streams:
            stream.write(b"event: changes\ndata: %b 2 2 q1YqLU5NzgcA\n\n" % former)
        await crowd.until(2, "shown")
        return len(site.asked) - before

    assert with_site(work, streams=1) == fetched


def test_a_page_that_is_too_old_is_fetched_again() -> None:
    async def work(crowd: Crowd, site: Site) -> Any:
        site.stale = 2
        before = len(site.asked)
        site.tell(2)
        await crowd.until(2, "shown")
        return len(site.asked) - before, any(b"If-None-Match" in each for each in site.asked[before:])

    asked, conditional = with_site(work, streams=1)
    assert asked == 3
    assert conditional


def test_an_answer_that_is_no_page_is_counted_and_asked_for_again() -> None:
    async def work(crowd: Crowd, site: Site) -> Any:
        site.refuses = 1
        site.tell(2)
        await crowd.until(2, "shown")
        return crowd.refused

    assert with_site(work, streams=1) == 1


def test_streams_and_connections_that_were_cut_are_opened_again() -> None:
    async def work(crowd: Crowd, site: Site) -> Any:
        for writer in (*site.streams, *{*site.pages}):
            writer.transport.abort()
        site.streams.clear()
        await until(lambda: len(site.streams) == 3)
        site.tell(2)
        await crowd.until(2, "shown")
        return crowd.cut

    assert with_site(work) == 3


def test_a_server_that_is_away_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(crowd: Crowd, site: Site) -> Any:
        connect, refused = crowd._connect, list[str]()

        async def away(protocol: Any, part: int | None = None) -> None:
            if refused.count(name := type(protocol).__name__) < 2:
                refused.append(name)
                raise ConnectionRefusedError
            await connect(protocol, part)

        monkeypatch.setattr(crowd, "_connect", away)
        for writer in (*site.streams, *{*site.pages}):
            writer.transport.abort()
        site.streams.clear()
        await until(lambda: len(site.streams) == 1)
        site.tell(2)
        await crowd.until(2, "shown")
        return set(refused)

    assert with_site(work, streams=1) == {"Watcher", "Fetcher"}


def test_events_that_are_lost_on_the_way_are_caught_up_by_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL", 0.2)

    async def work(crowd: Crowd, site: Site) -> Any:
        crowd.watched.drop = 1.0
        site.tell(2)
        await crowd.until(2, "shown")
        return [each.heard for each in crowd.watchers], crowd.dropped

    assert with_site(work) == ([1, 1, 1], 3)


def test_who_only_listens_fetches_nothing() -> None:
    async def work(crowd: Crowd, site: Site) -> Any:
        site.tell(2)
        await crowd.until(2, "heard")
        return site.pages, crowd.fetchers, [list(each.versions) for each in crowd.watchers]

    assert with_site(work, fetches=False) == ([], [], [[], [], []])


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_version_of_a_page_is_what_it_says(pack: Callable[[bytes], bytes]) -> None:
    assert version_of(pack(b'<body data-version="12">')) == 12
    with pytest.raises(AssertionError):
        version_of(b"no page")
