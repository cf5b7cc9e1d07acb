"""Background work on own database connections."""

import asyncio
import copy
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar, TypeVarTuple, Unpack

from django.db import connections

Given = TypeVarTuple("Given")
Found = TypeVar("Found")

CLOSES_S = 0.3  # seconds to close; a hung query is abandoned


class Beside(ABC):
    """Event loop task with a database thread called `name`."""

    name: str

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Run in the background until `stop`."""
        self._thread = self._new_thread()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Cancel the task and close its connection."""
        tasks = list(self._tasks())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        if self._thread is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSES_S):
                    await self._in_thread(connections.close_all)
            self._thread.shutdown(wait=False)

    @abstractmethod
    async def _run(self) -> None:
        """Run until cancelled."""

    def _tasks(self) -> Iterable[asyncio.Task[None]]:
        return [self._task] if self._task else []

    def _new_thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, self.name, initializer=own_connection)

    async def _in_thread(self, work: Callable[[Unpack[Given]], Found], *given: *Given) -> Found:
        assert self._thread is not None, "start() first"
        return await asyncio.get_running_loop().run_in_executor(self._thread, asking, work, *given)


class Every:
    """Daemon thread that calls `look` every `seconds`; `look` must not raise."""

    def __init__(self, name: str, seconds: float, look: Callable[[], object]) -> None:
        self._name, self._seconds, self._look = name, seconds, look
        self._stop = threading.Event()

    def start(self) -> None:
        """Start; the first call comes after one interval."""
        threading.Thread(target=self._run, name=self._name, daemon=True).start()

    def stop(self) -> None:
        """Make no further calls; a running one finishes."""
        self._stop.set()

    def _run(self) -> None:
        own_connection()
        while not self._stop.wait(self._seconds):
            self._look()
            connections.close_all()


def asking(work: Callable[[Unpack[Given]], Found], *given: *Given) -> Found:
    """Return `work`'s result; after a failure the thread reconnects."""
    try:
        return work(*given)
    except Exception:  # the connection may be broken
        connections["default"].close()
        raise


def own_connection() -> None:
    """Give this thread its own connection, with network timeouts."""
    settings = copy.deepcopy(connections["default"].settings_dict)
    if connections["default"].vendor == "postgresql":
        settings["OPTIONS"] |= {"connect_timeout": 5, "tcp_user_timeout": 5_000}  # seconds, milliseconds
    connections["default"] = type(connections["default"])(settings, "default")
