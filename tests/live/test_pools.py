"""tournament/live/pools.py: some of Django's threads are referees'."""

import asyncio
import threading
import time
from collections import defaultdict
from typing import Any

import pytest

from tests.live.driver import PATIENCE, given, request
from tournament.live import pools
from tournament.server import database
from tournament.server.database import can_wait

REFEREE = {"proved": True}


@pytest.mark.parametrize(
    ("path", "proved", "kept"),
    [
        ("/en/", False, False),
        ("/en/", True, True),
        ("/en/t/cup/results.xlsx", True, False),
        ("/en/organise/t/cup/archive/event.zip", True, False),
        ("/en/organise/stage/7/print/sheets/", True, False),
    ],
    ids=["visitor", "referee", "workbook", "archive", "paper"],
)
def test_referees_threads_are_for_referees_and_not_for_slow_files(
    path: str, proved: bool, kept: bool
) -> None:
    shares: list[bool] = []

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        del environ
        shares.append(getattr(database._thread, "shares", False))
        start_response("200 OK", [])
        return []

    assert given(pools.django_asgi(application, workers=4), {**request("GET", path), "proved": proved})
    assert shares == [not kept]


def test_the_time_on_the_processor_is_noted() -> None:
    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        del environ
        while time.thread_time() < began[threading.current_thread().name] + 0.02:
            pass
        start_response("200 OK", [])
        return []

    began: dict[str, float] = defaultdict(time.thread_time)
    scope = request("GET", "/en/")
    assert given(pools.django_asgi(application, workers=4), scope)
    assert scope["processor_s"] >= 0.02


def test_referee_is_answered_while_visitors_hold_every_thread_of_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, begun = threading.Event(), threading.Semaphore(0)

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if not environ["asgi.scope"].get("proved"):
            begun.release()
            assert done.wait(PATIENCE)
        start_response("200 OK", [])
        return [b"answered"]

    monkeypatch.setattr(pools, "share_connections", lambda: None)

    async def run() -> list[bytes]:
        django = pools.django_asgi(application, workers=4)
        answers: list[bytes] = []

        async def ask(who: dict[str, bool]) -> None:
            async def receive() -> dict[str, Any]:
                return {"type": "http.request", "body": b"", "more_body": False}

            async def send(message: dict[str, Any]) -> None:
                answers.append(message.get("body", b""))

            await django({**request("GET", "/en/"), **who}, receive, send)

        visitors = [asyncio.create_task(ask({})) for _ in range(9)]
        for _ in range(3):  # as many as have a thread
            assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE)
        async with asyncio.timeout(PATIENCE):
            await ask(REFEREE)
        before = list(answers)
        done.set()
        await asyncio.gather(*visitors)
        return before

    assert b"answered" in asyncio.run(run())


def test_referee_beyond_the_referees_threads_is_not_taken_for_a_visitor() -> None:
    done, begun = threading.Event(), threading.Semaphore(0)
    waiting: list[tuple[str, bool]] = []

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        waiting.append((environ["PATH_INFO"], can_wait.get()))
        begun.release()
        assert done.wait(PATIENCE)
        start_response("200 OK", [])
        return []

    async def run() -> None:
        django = pools.django_asgi(application, workers=4)  # one of them the referees'

        async def ask(path: str, who: dict[str, bool]) -> None:
            async def receive() -> dict[str, Any]:
                return {"type": "http.request", "body": b"", "more_body": False}

            async def send(_: dict[str, Any]) -> None: ...

            await django({**request("GET", path), **who}, receive, send)

        asked = [
            asyncio.create_task(ask(path, who))
            for path, who in [("/1/", REFEREE), ("/2/", REFEREE), ("/3/", {})]
        ]
        for _ in asked:
            assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE)
        done.set()
        await asyncio.gather(*asked)

    asyncio.run(run())
    assert sorted(waiting) == [("/1/", False), ("/2/", False), ("/3/", True)]
