"""tournament/live/bodies.py: how large a body may be, how long it may take, and how much is kept of all."""

import asyncio
import re
from contextlib import AsyncExitStack
from typing import Any

import pytest
from django.urls import get_resolver

from tests.live.conftest import Site
from tests.live.driver import given, request
from tests.support.sign_in import known_cookie
from tournament.live import bodies
from tournament.live.bodies import MB, MOST, MOST_UPLOAD, SMALL, UPLOADS, Bodies, Refused

GONE = {"type": "http.disconnect"}


def part(size: int, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": b"x" * size, "more_body": more}


def test_half_a_form_is_none(site: Site) -> None:
    assert given(site.app, request("POST", "/en/echo/"), part(8), GONE) == []


def test_a_body_that_stops_is_answered(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BEGIN_S", 0.01)
    assert given(site.app, request("POST", "/en/echo/"), part(8))[0]["status"] == 408


def test_a_body_that_drips_ends_too_however_short_its_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = 0

    async def run() -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        monkeypatch.setattr(loop, "time", lambda: now)

        async def receive() -> Any:
            nonlocal pieces, now
            pieces, now = pieces + 1, now + 5
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return part(1)

        async with Bodies().read(request("POST", "/en/"), receive, "a"):
            raise AssertionError

    with pytest.raises(Refused) as refused:
        asyncio.run(run())
    assert refused.value.args[0] == 408
    assert pieces <= 7, "30 seconds"


@pytest.mark.parametrize("headers", [{}, {"content-length": str(MOST + 1)}], ids=["unannounced", "announced"])
def test_a_body_that_is_too_large_is_refused_in_words(site: Site, headers: dict[str, str]) -> None:
    coming = [] if headers else [part(MOST), part(1)]
    start, body = given(site.app, request("POST", "/en/echo/", headers), *coming)
    assert (start["status"], body["body"]) == (413, b"That is too large. At most 2 MB can be sent here.")
    assert (b"connection", b"close") in start["headers"]


def test_addresses_that_take_files_are_those_whose_views_do() -> None:
    known: Any = get_resolver().reverse_dict
    found = {
        view
        for view in known
        for possible, *_ in known.getlist(view)
        if callable(view) and UPLOADS.fullmatch("/" + re.sub(r"%\(\w+\)s", "x", possible[0][0]))
    }
    assert all(view.__module__.startswith("tournament.extras.") for view in found)
    assert not UPLOADS.fullmatch("/en/sign-in/?x=/en/organise/import-archive/")


def test_file_is_taken_where_files_are() -> None:
    read = asyncio.run(whole("/en/organise/t/cup/results-import/", MOST_UPLOAD))
    assert len(read) == MOST_UPLOAD
    with pytest.raises(Refused):
        asyncio.run(whole("/en/organise/t/cup/results-import/", MOST_UPLOAD + 1))
    with pytest.raises(Refused):
        asyncio.run(whole("/en/organise/t/cup/walk-in/", MOST + 1))


async def whole(path: str, size: int) -> bytes:
    async def receive() -> Any:
        return part(size, more=False)

    async with Bodies().read(request("POST", path), receive, "a") as body:
        return body


def test_all_bodies_are_bounded_of_an_address_and_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MOST_EACH", 3 * MB)
    monkeypatch.setattr(bodies, "MOST_ALL", 5 * MB)
    held = Bodies()
    answers = []

    async def ask(stack: AsyncExitStack, address: str | None, size: int) -> None:
        async def receive() -> Any:
            return part(size, more=False)

        try:
            await stack.enter_async_context(held.read(request("POST", "/en/"), receive, address))
            answers.append(200)
        except Refused as refused:
            answers.append(refused.args[0])

    async def run() -> None:
        async with AsyncExitStack() as stack:
            for address, size in [
                ("a", 2 * MB), ("a", 2 * MB), ("a", SMALL), ("b", 2 * MB), ("c", 2 * MB), (None, 2 * MB), ("c", SMALL),
            ]:  # fmt: skip
                await ask(stack, address, size)
        await ask(stack, "c", 2 * MB)
        await stack.aclose()

    asyncio.run(run())
    assert answers == [200, 503, 200, 200, 503, 200, 200, 200]
    assert not held._held, "nothing is left of them"


def test_a_referee_is_answered_while_strangers_hold_all_that_is_kept(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "MOST_ALL", 0)
    big = part(MB, more=False)
    assert given(site.app, request("POST", "/en/echo/"), big)[0]["status"] == 503
    known = {"cookie": known_cookie()}
    assert (
        given(site.app, request("POST", "/en/echo/", known), big)[0]["status"] == 403
    )  # Django's CSRF check
