"""tournament/live/front.py: the ASGI application with Django behind it, in memory."""

import asyncio
import gzip
from collections import Counter
from typing import Any

import pytest
from cachetools import FIFOCache
from django.http import HttpResponse
from pytest_django import Settings

from tests.live.conftest import Site
from tests.live.driver import PATIENCE, Answer, Reader, applied, ask, given, request, unpacked
from tests.support.sign_in import known_cookie
from tournament.live import front, turns

PATH = "/en/page/a/"


async def until(condition: Any) -> None:
    """Let the loop run until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.001)


async def stale(site: Site) -> None:
    """A page that was published, and a change after it."""
    site.save("a", 1)
    await ask(site.app, PATH)
    site.facts.clear()
    site.save("a", 2)


@pytest.mark.parametrize(
    "headers",
    [{}, {"accept-encoding": "gzip"}, {"accept-encoding": "br"}, {"if-none-match": "*"}],
    ids=["plain", "gzip", "br", "unchanged"],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_bytes_from_the_store_are_those_of_django(
    site: Site, settings: Settings, method: str, headers: dict[str, str]
) -> None:
    async def run() -> list[Answer]:
        site.save("a", 1)
        first = await ask(site.app, PATH, headers)
        stored = await ask(site.app, PATH, headers, method)
        settings.PUBLISH = False
        return [first, stored, await ask(Site().app, PATH, headers, method)]

    first, stored, rendered = asyncio.run(run())
    assert site.facts.renders["a"] == 2
    assert (stored.status, stored.headers) == (rendered.status, rendered.headers)
    if method == "GET":
        assert first.all == stored.all == rendered.all
    else:
        assert stored.body == b""


def test_a_page_is_rendered_once_for_each_change(site: Site) -> None:
    async def run() -> list[Answer]:
        answers = []
        for version in (1, 1, 2, 2, 2):
            site.save("a", version)
            answers.append(await ask(site.app, PATH))
        return answers

    answers = asyncio.run(run())
    assert site.facts.renders["a"] == 2
    assert answers[0].all == answers[1].all
    assert b'data-version="2"' in answers[2].body
    assert answers[2].all == answers[3].all == answers[4].all


def test_an_unchanged_page_is_a_304_also_after_a_change_elsewhere(site: Site) -> None:
    async def run() -> list[Answer]:
        site.save("a", 1)
        first = await ask(site.app, PATH, {"accept-encoding": "gzip"})
        site.save("b", 7)
        return [
            first,
            await ask(site.app, PATH, {"accept-encoding": "gzip", "if-none-match": first.headers["etag"]}),
        ]

    first, second = asyncio.run(run())
    assert gzip.decompress(first.body).startswith(b"<!doctype html>")
    assert (second.status, second.body, second.headers["etag"]) == (304, b"", first.headers["etag"])


def test_one_request_renders_after_a_change_and_the_others_wait_for_it(site: Site) -> None:
    async def run() -> list[Answer]:
        await stale(site)
        site.facts.gate.clear()
        asked = [asyncio.create_task(ask(site.app, PATH, method=method)) for method in ["GET", "HEAD"] * 25]
        await until(site.facts.rendering.is_set)
        site.facts.gate.set()
        return await asyncio.gather(*asked)

    answers = asyncio.run(run())
    assert site.facts.renders["a"] == 1
    assert {answer.status for answer in answers} == {200}
    assert {answer.headers["etag"] for answer in answers} == {answers[0].headers["etag"]}
    assert {answer.body for answer in answers[::2]} == {answers[0].body}
    assert b'data-version="2"' in answers[0].body
    assert site.facts.paths == [f"GET {PATH}"]


def test_who_asks_during_a_render_that_began_before_a_change_gets_the_change(site: Site) -> None:
    async def run() -> list[Answer]:
        await stale(site)
        site.facts.gate.clear()
        early = asyncio.create_task(ask(site.app, PATH))
        await until(site.facts.rendering.is_set)
        site.save("a", 3)
        late = asyncio.create_task(ask(site.app, PATH))
        await asyncio.sleep(0)
        site.facts.gate.set()
        return [await early, await late]

    early, late = asyncio.run(run())
    assert b'data-version="2"' in early.body or b'data-version="3"' in early.body
    assert b'data-version="3"' in late.body


def test_the_first_reader_going_away_leaves_nobody_waiting(site: Site) -> None:
    async def run() -> Answer:
        await stale(site)
        site.facts.gate.clear()
        first = asyncio.create_task(ask(site.app, PATH))
        await until(site.facts.rendering.is_set)
        second = asyncio.create_task(ask(site.app, PATH))
        await asyncio.sleep(0)
        first.cancel()
        site.facts.gate.set()
        return await second

    assert b'data-version="2"' in asyncio.run(run()).body
    assert site.facts.renders["a"] == 1


@pytest.mark.parametrize("first", ["save", "page"])
def test_a_page_waits_for_saves_that_came_before_it_but_not_for_slow_ones(
    site: Site, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setattr(front, "SAVES_FIRST_S", PATIENCE if first == "save" else 0.01)
    order: list[str] = []

    async def run() -> None:
        await stale(site)
        django, ends = site.app._django, asyncio.Event()

        async def held(scope: Any, receive: Any, send: Any) -> None:
            if scope["method"] == "POST":
                await ends.wait()
            order.append("save" if scope["method"] == "POST" else "page")
            await django(scope, receive, send)

        monkeypatch.setattr(site.app, "_django", held)
        known = {"cookie": known_cookie()}
        save = asyncio.create_task(ask(site.app, "/en/echo/", known, "POST"))
        await until(lambda: site.app._saves.count)
        page = asyncio.create_task(ask(site.app, PATH))
        await until(lambda: site.app._renders if first == "save" else order)
        for _ in range(10):  # a page that does not wait would begin
            await asyncio.sleep(0)
        ends.set()
        await asyncio.gather(save, page)
        assert site.app._saves.count == 0

    asyncio.run(run())
    assert order[0] == first
    assert sorted(order) == ["page", "save"]


def test_readers_do_not_wait_for_ever(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "RENDER_WAIT", 0.01)

    async def run() -> list[Answer]:
        await stale(site)
        site.facts.gate.clear()
        slow = await ask(site.app, PATH)
        site.facts.gate.set()
        await until(lambda: site.store.fresh(PATH) and not site.app._renders)
        return [slow, await ask(site.app, PATH)]

    slow, later = asyncio.run(run())
    assert (slow.status, slow.headers["retry-after"]) == (503, "2")
    assert later.status == 200


def test_a_page_that_went_away_is_forgotten(site: Site) -> None:
    async def run() -> Answer:
        await stale(site)
        site.facts.status["a"] = HttpResponse("gone", status=404)
        return await ask(site.app, PATH)

    answer = asyncio.run(run())
    assert (answer.status, answer.body) == (404, b"gone")
    assert site.store.last(PATH) is None


def test_a_page_that_fails_fails_for_its_reader_and_is_tried_again(site: Site) -> None:
    async def run() -> list[Answer]:
        await stale(site)
        site.facts.status["a"] = HttpResponse("broken", status=500)
        broken = await ask(site.app, PATH)
        site.facts.status.clear()
        return [broken, await ask(site.app, PATH)]

    broken, mended = asyncio.run(run())
    assert (broken.status, mended.status) == (500, 200)
    assert b'data-version="2"' in mended.body


def test_a_render_is_given_nothing_of_the_person_who_caused_it(site: Site) -> None:
    seen: list[dict[bytes, bytes]] = []

    async def run() -> None:
        await stale(site)
        django = site.app._django

        async def spy(scope: Any, receive: Any, send: Any) -> None:
            seen.append(dict(scope["headers"]))
            await django(scope, receive, send)

        site.app._django = spy
        await ask(
            site.app, PATH, {"cookie": "sessionid=1", "accept-language": "fi", "authorization": "Basic x"}
        )

    asyncio.run(run())
    assert seen == [{b"host": b"testserver"}]


@pytest.mark.parametrize(
    "target", ["/en/p%61ge/a/", "/en/page/%61/", "/en/page/a%2F", f"{PATH}?", f"{PATH}?x=1"]
)
def test_only_the_exact_path_is_answered_from_the_store(site: Site, target: str) -> None:
    async def run() -> Answer:
        site.save("a", 1)
        await ask(site.app, PATH)
        site.facts.versions.clear()  # now Django knows nothing of it
        return await ask(site.app, target)

    # `?` with nothing after it is the same address
    assert asyncio.run(run()).status == (200 if target.endswith("?") else 404)


def test_an_encoded_path_does_not_take_a_plain_path_s_place(site: Site) -> None:
    async def run() -> Answer:
        site.facts.versions |= {"a": 1, "%61": 1}
        await ask(site.app, "/en/page/%2561/")
        return await ask(site.app, PATH)

    assert b'data-live="a"' in asyncio.run(run()).body


def test_other_methods_go_to_django(site: Site) -> None:
    async def run() -> list[Answer]:
        site.save("a", 1)
        await ask(site.app, PATH)
        return [await ask(site.app, "/en/echo/", method="PUT", body=b"")]

    assert asyncio.run(run())[0].status == 403  # Django's CSRF check


def test_where_https_is_demanded_the_store_does_not_answer_http(site: Site, settings: Settings) -> None:
    async def run() -> list[Answer]:
        site.save("a", 1)
        await ask(site.app, PATH)
        settings.SECURE_SSL_REDIRECT = True
        app, renders = Site().app, site.facts.renders["a"]
        await ask(app, PATH, {"x-forwarded-proto": "https"})
        assert site.facts.renders["a"] == renders
        await ask(app, PATH)
        assert site.facts.renders["a"] == renders + 1  # a Django loaded with the setting redirects
        return []

    asyncio.run(run())


def test_healthz_answers_without_django(site: Site) -> None:
    answer = asyncio.run(ask(site.app, "/healthz"))
    assert (answer.status, answer.body, answer.headers["cache-control"]) == (200, b"ok", "no-store")


def test_odd_bytes_in_a_query_are_no_fault(site: Site) -> None:
    answer = asyncio.run(ask(site.app, "/en/echo/?q=\xff+%41&b=\xe4"))
    assert answer.status == 200
    assert "A" in answer.body.decode()


def test_a_header_with_an_underscore_does_not_pass_for_a_proxy_s(site: Site) -> None:
    answer = asyncio.run(ask(site.app, "/en/echo/", {"x_forwarded_proto": "https"}))
    assert "https" not in answer.body.decode()


GONE = [None, ConnectionResetError(), RuntimeError("the handler is closed")]


@pytest.mark.parametrize("gone", GONE, ids=["takes nothing", "hung up", "closed"])
def test_a_reader_who_takes_nothing_or_is_gone_holds_no_thread(
    site: Site, monkeypatch: pytest.MonkeyPatch, gone: Exception | None
) -> None:
    monkeypatch.setattr(turns, "READ_PAUSE", 0.01)
    taken: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        taken.append(message)
        if gone:
            raise gone
        await asyncio.Event().wait()

    async def run() -> None:
        async with asyncio.timeout(PATIENCE):
            await site.app(request("GET", "/en/echo/"), receive, send)

    asyncio.run(run())
    assert [message["type"] for message in taken] == ["http.response.start"]


def test_websockets_are_closed(site: Site) -> None:
    scope = {"type": "websocket", "path": "/live/site"}
    assert given(site.app, scope, {"type": "websocket.connect"}) == [
        {"type": "websocket.close", "code": 1000}
    ]


def test_the_first_request_of_a_path_renders_and_the_others_wait_for_it(site: Site) -> None:
    async def run() -> list[Answer]:
        site.save("a", 1)
        site.facts.gate.clear()
        first = asyncio.create_task(ask(site.app, PATH))
        await until(site.facts.rendering.is_set)
        others = [asyncio.create_task(ask(site.app, PATH, method=method)) for method in ["GET", "HEAD"] * 10]
        await asyncio.sleep(0)
        site.facts.gate.set()
        return [await first, *await asyncio.gather(*others)]

    answers = asyncio.run(run())
    assert site.facts.renders["a"] == 1
    assert {answer.headers["etag"] for answer in answers} == {answers[0].headers["etag"]}


def test_a_page_that_fails_does_not_bring_every_reader_into_django(site: Site) -> None:
    async def run() -> list[Answer]:
        await stale(site)
        site.facts.status["a"] = HttpResponse("broken", status=500)
        return await asyncio.gather(*(ask(site.app, PATH) for _ in range(200)))

    answers = asyncio.run(run())
    statuses = Counter(answer.status for answer in answers)
    assert statuses.keys() == {500, 503}
    assert statuses[500] <= 3
    assert len(site.facts.paths) <= 6
    assert {answer.headers["retry-after"] for answer in answers if answer.status == 503} == {"2"}


@pytest.mark.parametrize("outcome", ["goes away", "fails"])
def test_a_first_request_that_comes_to_nothing_leaves_nobody_waiting(site: Site, outcome: str) -> None:
    async def run() -> Answer:
        site.save("a", 1)
        site.facts.gate.clear()
        first = asyncio.create_task(ask(site.app, PATH))
        await until(site.facts.rendering.is_set)
        second = asyncio.create_task(ask(site.app, PATH))
        await asyncio.sleep(0)
        if outcome == "goes away":
            first.cancel()
        else:
            site.facts.broken = True
        site.facts.gate.set()
        answer = await second
        await asyncio.wait([first])
        assert not site.app._leaders
        await asyncio.to_thread(site.pool.shutdown)  # a thread that still answers needs the loop
        return answer

    assert asyncio.run(run()).status == (200 if outcome == "goes away" else 500)


def test_pages_that_are_not_published_are_never_waited_for_again(site: Site) -> None:
    async def run() -> list[Answer]:
        await ask(site.app, "/en/elsewhere/")
        assert "/en/elsewhere/" in site.app._unpublished
        return [await ask(site.app, "/en/elsewhere/"), await ask(site.app, "/en/page/nobody/")]

    elsewhere, nobody = asyncio.run(run())
    assert (elsewhere.status, nobody.status) == (302, 404)
    assert "/en/page/nobody/" not in site.app._unpublished  # it may come to be


def test_what_is_remembered_of_other_paths_is_bounded(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.app, "_unpublished", FIFOCache(2))

    async def run() -> None:
        for path in ("/fi/echo/", "/sv/echo/", "/en/echo/"):
            await ask(site.app, path)

    asyncio.run(run())
    assert list(site.app._unpublished) == ["/sv/echo/", "/en/echo/"]


def test_streams_of_a_published_page_are_told_the_bytes_that_changed(site: Site) -> None:
    async def run() -> tuple[Answer, list[str], Answer]:
        site.hub.start()
        site.save("a", 1)
        before = await ask(site.app, PATH)
        readers = [Reader(site.app, f"a?page={PATH}") for _ in range(2)]
        for reader in readers:
            await reader.event()
        site.save("a", 2)
        told = [await reader.chunk() for reader in readers]
        for reader in readers:
            await reader.close()
        return before, told, await ask(site.app, PATH)

    before, told, after = asyncio.run(run())
    assert site.facts.renders["a"] == 2
    event, data = told[0].splitlines()[:2]
    assert (event, told[1]) == ("event: changes", told[0])
    former, tag, version, _ = data.removeprefix("data: ").split(" ")
    assert [f'"{former}"', f'"{tag}"'] == [each.headers["etag"] for each in (before, after)]
    assert version == "2"
    assert applied(before.body.decode(), unpacked(data.encode())).encode() == after.body


@pytest.mark.parametrize("why", ["unknown", "not published", "broken", "too busy"])
def test_changes_of_a_page_that_are_not_known_are_not_told(
    site: Site, settings: Settings, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    async def run() -> bytes | None:
        if why == "not published":
            settings.PUBLISH = False
        await stale(site)
        site.facts.versions["a"] = 2
        site.facts.broken = why == "broken"
        if why == "too busy":
            monkeypatch.setattr(front, "RENDER_WAIT", 0)
            site.facts.gate.clear()
        path = "/en/page/b/" if why == "unknown" else PATH
        changed = await site.app._changes(path, request("GET", "/live/a"))
        site.facts.gate.set()
        await until(lambda: not site.app._renders)
        return changed

    assert asyncio.run(run()) is None
