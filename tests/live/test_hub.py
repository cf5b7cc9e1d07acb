"""tournament/live/hub.py: event streams, in memory."""

import asyncio
import contextlib
import time
from typing import Any
from urllib.parse import quote

import pytest

from tests.live.conftest import Site
from tests.live.driver import Reader, ask, request
from tournament.live.hub import CHANGES_S, LATER_S, PART, Hub, Message
from tournament.live.store import DOUBT_S, Versions


class Turns(asyncio.SelectorEventLoop):
    """A loop whose clock stands still while there is anything to do, and then jumps to the next timer."""

    now = 100.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        base: Any = self  # the stubs leave out what begins with an underscore
        timers = [timer.when() for timer in base._scheduled if not timer.cancelled()]
        if timers and not base._ready:
            self.now = max(self.now, min(timers))
        super()._run_once()  # type: ignore[misc]  # the base class's own


def test_the_first_change_is_told_at_once_further_ones_together_the_last_always() -> None:
    heard: list[tuple[float, int]] = []

    async def run() -> None:
        loop, versions = asyncio.get_running_loop(), Versions()
        begin = loop.time()
        versions.announce({"a": 0})
        hub = Hub(versions, cap=1)
        hub.start()
        reader = Reader(hub, "a")
        assert await reader.event() == ("version", 0)

        async def listen() -> None:
            while True:
                event, version = await reader.event()
                assert event == "version"
                heard.append((loop.time() - begin, version))

        listening = asyncio.create_task(listen())
        for version, at in enumerate([1.0, 1.1, 1.2, 1.499, 1.6, 1.7, 2.4, 3.2], 1):
            await asyncio.sleep(begin + at - loop.time())
            versions.announce({"a": version})
        await asyncio.sleep(2)
        listening.cancel()
        await reader.close()

    with asyncio.Runner(loop_factory=Turns) as runner:
        runner.run(run())
    rounded: list[tuple[Any, int]] = [(pytest.approx(at), version) for at, version in heard]
    assert rounded == [
        (1.0, 1),  # at once
        (1.5, 4),  # half a second later, all that came meanwhile
        (2.0, 6),
        (2.5, 7),
        (3.2, 8),
    ]


def test_pings_come_after_eight_seconds_without_news_and_twice_after_a_change() -> None:
    heard: list[tuple[str, float]] = []

    async def run() -> None:
        loop, versions = asyncio.get_running_loop(), Versions()
        versions.announce({"a": 1})
        hub = Hub(versions, cap=1)
        hub.start()
        reader, begin = Reader(hub, "a"), loop.time()

        async def listen() -> None:
            while True:
                heard.append(((await reader.event())[0], loop.time() - begin))

        listening = asyncio.create_task(listen())
        await asyncio.sleep(5)
        versions.announce({"a": 2})
        await asyncio.sleep(17)
        listening.cancel()
        await reader.close()

    with asyncio.Runner(loop_factory=Turns) as runner:
        runner.run(run())
    rounded: list[tuple[str, Any]] = [(name, pytest.approx(at)) for name, at in heard]
    assert rounded == [
        ("version", 0),
        ("version", 5),
        ("ping", 6),  # an event that was lost is noticed
        ("ping", 8),
        ("ping", 16),
    ]


@pytest.mark.parametrize("streams", [1, PART, 3 * PART + 1])
def test_everybody_is_told_of_a_change_and_nobody_twice(streams: int) -> None:
    async def run() -> None:
        versions = Versions()
        versions.announce({"a": 1})
        hub = Hub(versions, cap=streams)
        hub.start()
        readers = [Reader(hub, "a") for _ in range(streams)]
        for reader in readers:
            assert await reader.event() == ("version", 1)
        versions.announce({"a": 2})
        for reader in readers:
            assert await reader.event() == ("version", 2)
        assert all(reader.quiet for reader in readers)
        for reader in readers:
            await reader.close()
        assert hub.open == 0

    asyncio.run(run())


def test_between_two_parts_of_the_streams_others_have_their_turn() -> None:
    """Pages and saves share the loop: an event for thousands does not hold them up until the last has it."""

    async def run() -> int:
        versions = Versions()
        versions.announce({"a": 1})
        hub = Hub(versions, cap=4 * PART)
        hub.start()
        readers = [Reader(hub, "a") for _ in range(4 * PART)]
        for reader in readers:
            await reader.event()
        versions.announce({"a": 2})
        turns = 0
        while any(reader.quiet for reader in readers):
            turns += 1
            await asyncio.sleep(0)
        for reader in readers:
            await reader.close()
        return turns

    assert asyncio.run(run()) >= 4


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


def test_a_page_that_several_watch_is_told_what_changed_and_others_the_version(site: Site) -> None:
    asked: list[str] = []

    async def changes(page: str, scope: Message) -> bytes | None:
        asked.append(f"{page} for {dict(scope['headers'])[b'host'].decode()}")
        return None if page == "/unknown/" else b"former tag 2 packed"

    async def run() -> None:
        hub = Hub(site.versions, cap=10)
        hub.changes = changes
        hub.start()
        site.versions.announce({"a": 1})
        pages = ["/shared/", "/shared/", "/alone/", "/unknown/", "/unknown/", "", ""]
        readers = [Reader(hub, f"a?page={quote(page, safe='')}" if page else "a") for page in pages]
        for reader in readers:
            assert await reader.event() == ("version", 1)
        site.versions.announce({"a": 2})
        heard = [await reader.chunk() for reader in readers]
        told, version = "event: changes\ndata: former tag 2 packed\n\n", "event: version\ndata: 2\n\n"
        assert heard == [told, told, *[version] * 5]
        assert sorted(asked) == ["/shared/ for testserver", "/unknown/ for testserver"]
        for reader in readers:
            await reader.close()
        hub.close()

    asyncio.run(run())


def test_the_version_alone_is_told_where_comparing_takes_long(site: Site) -> None:
    async def never(page: str, scope: Message) -> bytes | None:
        await asyncio.Event().wait()
        return None

    async def run() -> None:
        loop = asyncio.get_running_loop()
        hub = Hub(site.versions, cap=10)
        hub.changes = never
        hub.start()
        site.versions.announce({"a": 1})
        readers = [Reader(hub, "a?page=/en/") for _ in range(2)]
        for reader in readers:
            await reader.event()
        begin = loop.time()
        site.versions.announce({"a": 2})
        assert [await reader.event() for reader in readers] == [("version", 2)] * 2
        assert loop.time() - begin == pytest.approx(CHANGES_S)
        for reader in readers:
            await reader.close()
        hub.close()

    with asyncio.Runner(loop_factory=Turns) as runner:
        runner.run(run())


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


def test_a_stream_is_silent_while_nobody_knows_what_others_saved(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its page hears nothing, and asks by itself."""

    async def run() -> None:
        hub = Hub(site.versions, cap=10, silence=0.001)
        hub.start()
        site.versions.announce({"a": 7})
        reader = Reader(hub, "a")
        await reader.chunk()
        assert await reader.event() == ("ping", 7)
        monkeypatch.setattr(site.versions, "_settled", time.monotonic() - DOUBT_S - 1)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.1):  # pings that were on their way
                while True:
                    await reader.event()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await reader.event()
        site.versions.announce({"a": 8})  # what is known is told
        assert await reader.event() == ("version", 8)
        await reader.close()
        hub.close()

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


def test_a_scope_that_another_process_has_just_made_is_waited_for(site: Site) -> None:
    async def made_meanwhile() -> int:
        asyncio.get_running_loop().call_later(0.05, site.versions.announce, {KNOWN: 1})
        return (await ask(site.app, f"/live/{KNOWN}", method="POST")).status

    assert asyncio.run(made_meanwhile()) == 405


def test_streams_are_read_only(site: Site) -> None:
    site.versions.announce({"site": 1})
    answer = asyncio.run(ask(site.app, "/live/site", method="POST"))
    assert (answer.status, answer.headers["allow"]) == (405, "GET")


@pytest.mark.parametrize(
    ("allowed", "answered"),
    [(["*"], b"*"), (["https://board.example"], b"https://board.example"), (["https://x.example"], None)],
    ids=["all", "this one", "another"],
)
@pytest.mark.parametrize(
    "asked",
    [("site", "GET", 1, 200), ("nobody", "GET", 1, 404), ("site", "POST", 1, 405), ("site", "GET", 0, 503)],
)
def test_page_of_another_site_reads_every_answer_where_the_operator_allows_it(
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    allowed: list[str],
    answered: bytes | None,
    asked: tuple[str, str, int, int],
) -> None:
    path, method, cap, status = asked
    monkeypatch.setattr("tournament.live.hub.LATER_S", 0)
    settings.CORS_ALLOW_ALL_ORIGINS, settings.CORS_ALLOWED_ORIGINS = allowed == ["*"], allowed
    versions = Versions()
    versions.announce({"site": 1})
    said: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        said.append(message)

    sent = request(method, f"/live/{path}", {"origin": "https://board.example"})
    asyncio.run(Hub(versions, cap=cap)(sent, receive, send))
    assert said[0]["status"] == status
    headers = dict(said[0]["headers"])
    assert headers.get(b"access-control-allow-origin") == answered
    assert b"access-control-allow-credentials" not in headers


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

    with asyncio.Runner(loop_factory=Turns) as runner:
        runner.run(run())


def test_customer_of_ipv6_is_one_address() -> None:
    async def run() -> None:
        versions = Versions()
        versions.announce({"site": 1})
        hub = Hub(versions, cap=4, each=1)
        one = Reader(hub, "site", "2001:db8::7")
        await one.event()
        assert (await ask(hub, "/live/site", address="2001:db8::8")).status == 503
        await one.close()

    with asyncio.Runner(loop_factory=Turns) as runner:
        runner.run(run())


def test_more_streams_of_one_address_than_its_share_are_refused_and_others_are_not() -> None:
    async def run() -> None:
        versions = Versions()
        versions.announce({"site": 1})
        hub = Hub(versions, cap=4, each=2)
        crowd = [Reader(hub, "site", "192.0.2.7") for _ in range(2)]
        for reader in crowd:
            await reader.event()
        now = asyncio.get_running_loop().time()
        refused = await ask(hub, "/live/site", address="192.0.2.7")
        assert (refused.status, refused.headers["retry-after"]) == (503, "10")
        assert asyncio.get_running_loop().time() - now >= LATER_S
        other = Reader(hub, "site", "192.0.2.8")
        assert await other.event() == ("version", 1)
        await crowd[0].close()
        again = Reader(hub, "site", "192.0.2.7")
        assert await again.event() == ("version", 1)
        for reader in (crowd[1], other, again):
            await reader.close()
        assert hub.open == 0
        assert not hub._of  # nobody is remembered

    with asyncio.Runner(loop_factory=Turns) as runner:
        runner.run(run())


@pytest.mark.parametrize("error", [ConnectionResetError, RuntimeError])
def test_a_reader_that_is_gone_in_the_middle_of_a_write_harms_nobody(error: type[Exception]) -> None:
    """A server may say so by raising OSError (ASGI 2.4); an event loop, that its connection is closed."""

    async def run() -> None:
        versions = Versions()
        versions.announce({"a": 1})
        hub = Hub(versions, cap=2, apart=0)
        hub.start()
        gone, stays = Reader(hub, "a"), Reader(hub, "a")
        await gone.event()
        await stays.event()
        gone.breaks = error
        for version in (2, 3):
            versions.announce({"a": version})
            assert await stays.event() == ("version", version)
        await gone.close()
        await stays.close()

    asyncio.run(run())


def test_a_scope_that_comes_back_has_streams_again(site: Site) -> None:
    async def run() -> None:
        site.hub.start()
        site.versions.announce({"a": 5})
        first = Reader(site.app, "a")
        await first.event()
        site.versions.settle(site.versions.all(), {})
        assert await first.chunk() == ""
        site.versions.announce({"a": 1})
        await asyncio.sleep(0)
        second = Reader(site.app, "a")
        assert await second.event() == ("version", 1)
        await first.close()
        site.versions.announce({"a": 2})
        assert await second.event() == ("version", 2)
        await second.close()
        assert site.hub.open == 0

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
