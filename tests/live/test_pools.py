"""tournament/live/pools.py: some of Django's threads are referees'."""

import asyncio
import threading
from typing import Any

import pytest

from tests.live.driver import PATIENCE, request
from tournament.live import pools
from tournament.server.database import can_wait

SIGNED_IN = [(b"cookie", b"csrftoken=x; sessionid=y")]


@pytest.mark.parametrize(
    ("path", "headers", "works"),
    [
        ("/en/", [], False),
        ("/en/", SIGNED_IN, True),
        ("/en/", [(b"cookie", b"csrftoken=x")], False),
        ("/api/v1/tables/7/rounds", [(b"authorization", b"Bearer x")], True),
        ("/en/at/token/propose/", [], True),
        ("/en/t/cup/results.xlsx", SIGNED_IN, False),
        ("/en/organise/t/cup/archive/event.zip", SIGNED_IN, False),
        ("/en/organise/stage/7/print/sheets/", SIGNED_IN, False),
    ],
    ids=["visitor", "signed in", "no session", "program", "table", "workbook", "archive", "paper"],
)
def test_who_enters_or_may_is_told_from_visitors(path: str, headers: list[Any], works: bool) -> None:
    assert pools.works_here({"path": path, "headers": headers}) is works


def test_referee_is_answered_while_visitors_hold_every_thread_of_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, begun = threading.Event(), threading.Semaphore(0)

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if "HTTP_COOKIE" not in environ:
            begun.release()
            assert done.wait(PATIENCE)
        start_response("200 OK", [])
        return [b"answered"]

    monkeypatch.setattr(pools, "share_connections", lambda: None)

    async def run() -> list[bytes]:
        django = pools.django_asgi(application, workers=4)
        answers: list[bytes] = []

        async def ask(headers: list[Any]) -> None:
            async def receive() -> dict[str, Any]:
                return {"type": "http.request", "body": b"", "more_body": False}

            async def send(message: dict[str, Any]) -> None:
                answers.append(message.get("body", b""))

            await django({**request("GET", "/en/"), "headers": headers}, receive, send)

        visitors = [asyncio.create_task(ask([])) for _ in range(9)]
        for _ in range(3):  # as many as have a thread
            assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE)
        async with asyncio.timeout(PATIENCE):
            await ask(SIGNED_IN)
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

        async def ask(path: str, headers: list[Any]) -> None:
            async def receive() -> dict[str, Any]:
                return {"type": "http.request", "body": b"", "more_body": False}

            async def send(_: dict[str, Any]) -> None: ...

            await django({**request("GET", path), "headers": headers}, receive, send)

        asked = [
            asyncio.create_task(ask(path, headers))
            for path, headers in [("/1/", SIGNED_IN), ("/2/", SIGNED_IN), ("/3/", [])]
        ]
        for _ in asked:
            assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE)
        done.set()
        await asyncio.gather(*asked)

    asyncio.run(run())
    assert sorted(waiting) == [("/1/", False), ("/2/", False), ("/3/", True)]
