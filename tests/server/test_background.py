"""A server's background work: a task with a thread that asks, and a thread that looks now and then."""

import asyncio
import threading
import time
from typing import Any

import pytest
from django.db import connections

from tournament.server import background
from tournament.server.background import Beside, Every, asking

PATIENCE = 10  # seconds


class Asks(Beside):
    """Asks once for a thread's name, then waits to be stopped."""

    name = "asks"

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.ended = False

    async def _run(self) -> None:
        try:
            self.found.append(await self._in_thread(lambda: threading.current_thread().name))
            await asyncio.Event().wait()
        finally:
            self.ended = True


def test_task_asks_in_its_own_thread_until_it_is_stopped() -> None:
    async def run() -> Asks:
        task = Asks()
        await task.start()
        while not task.found:
            await asyncio.sleep(0.01)
        await task.stop()
        return task

    task = asyncio.run(asyncio.wait_for(run(), PATIENCE))
    assert [name.partition("_")[0] for name in task.found] == ["asks"]
    assert task.ended


def test_stop_waits_for_no_query_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "CLOSES_S", 0.05)
    free = threading.Event()

    class Hangs(Asks):
        async def _run(self) -> None:
            await self._in_thread(free.wait, PATIENCE)

    async def run() -> float:
        task = Hangs()
        await task.start()
        await asyncio.sleep(0.05)
        began = time.monotonic()
        await task.stop()
        return time.monotonic() - began

    try:
        assert asyncio.run(run()) < PATIENCE / 2
    finally:
        free.set()


def test_what_was_never_started_can_be_stopped() -> None:
    asyncio.run(Asks().stop())


def test_failing_work_closes_the_connection_that_may_have_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    monkeypatch.setattr(connections["default"], "close", lambda: closed.append("closed"))
    assert asking(lambda number: number + 1, 2) == 3
    assert closed == []
    with pytest.raises(ZeroDivisionError):
        asking(lambda: 1 / 0)
    assert closed == ["closed"]


def test_thread_looks_again_and_again_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, thrice = list[str](), threading.Event()

    def look() -> None:
        looks.append(threading.current_thread().name)
        if len(looks) == 3:
            thrice.set()

    every = Every("looks", 0.01, look)
    every.start()
    assert thrice.wait(PATIENCE)
    every.stop()
    for thread in threading.enumerate():
        if thread.name == "looks":
            thread.join(PATIENCE)
    assert "looks" not in {thread.name for thread in threading.enumerate()}
    assert set(looks) == {"looks"}


def test_thread_that_is_stopped_first_never_looks() -> None:
    looks: list[int] = []
    every = Every("never looks", 0.01, lambda: looks.append(1))
    every.stop()
    every.start()
    for thread in threading.enumerate():
        if thread.name == "never looks":
            thread.join(PATIENCE)
    assert "never looks" not in {thread.name for thread in threading.enumerate()}
    assert looks == []


def test_connection_of_a_thread_is_its_own() -> None:
    usual, found = connections["default"], list[Any]()

    def own() -> None:
        background.own_connection()
        found.append(connections["default"])

    thread = threading.Thread(target=own)
    thread.start()
    thread.join()
    assert found[0] is not usual
    assert found[0].settings_dict is not usual.settings_dict
    bounded = found[0].vendor == "postgresql"
    assert ("connect_timeout" in found[0].settings_dict["OPTIONS"]) is bounded
