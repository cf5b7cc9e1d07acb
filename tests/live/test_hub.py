"""tournament/live/hub.py: event streams, in memory."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.live.conftest import Site
from tests.live.driver import Reader, ask, request
from tournament.live.hub import Channel, Hub, Stream
from tournament.live.versions import Versions


class Clock:
    """A loop's clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[[], None]) -> object:
        self.timers.append((when, call))
        return object()

    def move(self, seconds: float) -> None:
        self.now += seconds
        due = [call for when, call in self.timers if when <= self.now]
        self.timers = [timer for timer in self.timers if timer[0] > self.now]
        for call in due:
            call()


def woken(stream: Stream) -> bool:
    news = stream.news.is_set()
    stream.news.clear()
    return news


def test_the_first_change_wakes_at_once_further_ones_together_the_last_always() -> None:
    clock, stream = Clock(), Stream()
    channel = Channel(clock, 0.5)  # type: ignore[arg-type]
    channel.streams.add(stream)
    channel.changed()
    assert woken(stream)
    channel.changed()
    channel.changed()
    clock.move(0.4)
    assert not woken(stream)
    clock.move(0.2)
    assert woken(stream)
    clock.move(0.3)
    channel.changed()
    assert not woken(stream)
    clock.move(0.3)
    assert woken(stream)
    clock.move(10)
    assert not woken(stream)
    channel.changed()
    assert woken(stream)


def test_a_stream_begins_with_the_version_and_hears_changes(site: Site) -> None:
    async def run() -> None:
        site.hub.start()
        site.versions.announce({"a": 3, "b": 1})
        reader = Reader(site.app, "a")
        assert await reader.event() == ("version", 3)
        assert reader.answer.status == 200
        site.versions.announce({"b": 2})
        site.versions.announce({"a": 4})
        assert await reader.event() == ("version", 4)
        await reader.close()
        assert site.hub.open == 0

    asyncio.run(run())


def test_an_announcement_from_another_thread_is_heard(site: Site) -> None:
    async def run() -> None:
        site.hub.start()
        site.versions.announce({"a": 1})
        reader = Reader(site.app, "a")
        await reader.event()
        await asyncio.to_thread(site.versions.announce, {"a": 2})
        assert await reader.event() == ("version", 2)
        await reader.close()

    asyncio.run(run())


def test_of_a_burst_the_last_is_heard(site: Site) -> None:
    async def run() -> None:
        site.hub.start()
        site.versions.announce({"a": 1})
        reader = Reader(site.app, "a")
        await reader.event()
        for version in range(2, 200):
            site.versions.announce({"a": version})
        heard = [0]
        while heard[-1] < 199:
            heard.append((await reader.event())[1])
        assert heard == sorted(heard)
        await reader.close()

    asyncio.run(run())


def test_a_slow_reader_holds_up_nobody_and_gets_the_last(site: Site) -> None:
    async def run() -> None:
        hub = Hub(site.versions, cap=10, apart=0)
        hub.start()
        site.versions.announce({"a": 1})
        slow, quick = Reader(hub, "a"), Reader(hub, "a")
        await slow.event()
        await quick.event()
        slow.stall()
        for version in range(2, 50):
            site.versions.announce({"a": version})
            assert await quick.event() == ("version", version)
        slow.go_on()
        heard = [await slow.event()]
        while heard[-1][1] < 49:
            heard.append(await slow.event())
        assert len(heard) <= 2  # the one it was being sent, and the last
        await slow.close()
        await quick.close()
        hub.close()

    asyncio.run(run())


def test_a_silent_stream_says_that_it_is_there(site: Site) -> None:
    async def run() -> None:
        hub = Hub(site.versions, cap=10, silence=0.001)
        site.versions.announce({"a": 7})
        reader = Reader(hub, "a")
        assert "retry: " in await reader.chunk()
        assert await reader.event() == ("ping", 7)
        assert await reader.event() == ("ping", 7)
        await reader.close()

    asyncio.run(run())


def test_a_scope_that_is_gone_ends_its_streams(site: Site) -> None:
    async def run() -> None:
        site.hub.start()
        site.versions.announce({"a": 1})
        reader = Reader(site.app, "a")
        await reader.event()
        site.versions.settle(site.versions.all(), {})
        assert await reader.chunk() == ""
        await reader.close()

    asyncio.run(run())


def test_a_version_that_went_back_is_told(site: Site) -> None:
    async def run() -> None:
        site.hub.start()
        site.versions.announce({"a": 9})
        reader = Reader(site.app, "a")
        await reader.event()
        site.versions.settle(site.versions.all(), {"a": 2})
        assert await reader.event() == ("version", 2)
        await reader.close()

    asyncio.run(run())


KNOWN = "5f3c0d58-3f5e-4d0c-9a50-0c5b8f6a4d11"


@pytest.mark.parametrize(
    "scope",
    [
        "",
        "nonsense",
        "0f1e2d3c-4b5a-4c6d-8e9f-a0b1c2d3e4f5",  # nobody's
        KNOWN.upper(),
        f"{{{KNOWN}}}",
        f"{KNOWN}/",
        f"{KNOWN}%20",
        "%73ite",
        "site/../site",
        "site\x00",
        "x" * 10_000,
    ],
)
def test_an_unknown_or_garbled_scope_is_not_found(site: Site, scope: str) -> None:
    site.versions.announce({"site": 1, KNOWN: 1})
    assert asyncio.run(ask(site.app, f"/live/{scope}")).status == 404


def test_streams_are_read_only(site: Site) -> None:
    site.versions.announce({"site": 1})
    answer = asyncio.run(ask(site.app, "/live/site", method="POST"))
    assert (answer.status, answer.headers["allow"]) == (405, "GET")


def test_more_streams_than_the_cap_are_refused_until_one_ends() -> None:
    async def run() -> None:
        versions = Versions()
        versions.announce({"site": 1})
        hub = Hub(versions, cap=2)
        readers = [Reader(hub, "site") for _ in range(2)]
        for reader in readers:
            await reader.event()
        refused = await ask(hub, "/live/site")
        assert (refused.status, refused.headers["retry-after"]) == (503, "10")
        await readers[0].close()
        last = Reader(hub, "site")
        assert await last.event() == ("version", 1)
        await last.close()
        await readers[1].close()

    asyncio.run(run())


def test_a_closed_hub_ends_its_streams_and_takes_no_more(site: Site) -> None:
    async def run() -> None:
        site.hub.start()
        site.versions.announce({"a": 1, "b": 1})
        readers = [Reader(site.app, scope) for scope in "aab"]
        for reader in readers:
            await reader.event()
        site.hub.close()
        for reader in readers:
            assert await reader.chunk() == ""
            await reader.close()
        assert (await ask(site.app, "/live/a")).status == 503
        site.versions.announce({"a": 2})

    asyncio.run(run())


def test_streams_tell_proxies_to_pass_events_on(site: Site) -> None:
    headers: dict[bytes, bytes] = {}

    async def run() -> None:
        site.versions.announce({"a": 1})

        async def send(message: Any) -> None:
            headers.update(message.get("headers", []))
            site.hub.close()

        async def receive() -> Any:
            return {"type": "http.disconnect"}

        await site.app(request("GET", "/live/a"), receive, send)

    asyncio.run(run())
    assert headers[b"content-type"] == b"text/event-stream"
    assert headers[b"cache-control"] == b"no-store"
    assert headers[b"x-accel-buffering"] == b"no"
