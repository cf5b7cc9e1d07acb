"""The background work of a server, on database connections of its own: a task that asks in a thread again and again
(`Beside`), and a thread that does something at intervals (`Every`)."""

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

CLOSES_S = 0.3  # seconds in which a connection is closed; a query that hangs is left to end by itself


class Beside(ABC):
    """A task of the event loop, with one thread that asks the database for it; `name` is the thread's."""

    name: str

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Run in the background until `stop`."""
        self._thread = self._new_thread()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop at once and close the database connection."""
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
        """The tasks that `stop` cancels."""
        return [self._task] if self._task else []

    def _new_thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, self.name, initializer=own_connection)

    async def _in_thread(self, work: Callable[[Unpack[Given]], Found], *given: *Given) -> Found:
        """Do the work in the thread; gives its result."""
        assert self._thread is not None, "start() first"
        return await asyncio.get_running_loop().run_in_executor(self._thread, asking, work, *given)


class Every:
    """A thread called `name` that does the due work at an interval in seconds. The end of the process does not wait for
    it.

    `look` does once what is due, and raises nothing.
    """

    def __init__(self, name: str, seconds: float, look: Callable[[], object]) -> None:
        self._name, self._seconds, self._look = name, seconds, look
        self._stop = threading.Event()

    def start(self) -> None:
        """Begin; the first look is after the first pause."""
        threading.Thread(target=self._run, name=self._name, daemon=True).start()

    def stop(self) -> None:
        """Do not look again; a look that has begun ends by itself."""
        self._stop.set()

    def _run(self) -> None:
        own_connection()
        while not self._stop.wait(self._seconds):
            self._look()
            connections.close_all()


def asking(work: Callable[[Unpack[Given]], Found], *given: *Given) -> Found:
    """Do the work and give its result; where it fails, the next work in this thread gets a new connection."""
    try:
        return work(*given)
    except Exception:  # raised again; the connection may be what failed
        connections["default"].close()
        raise


def own_connection() -> None:
    """Give this thread a connection that cannot hang: a lost network ends a query within seconds."""
    settings = copy.deepcopy(connections["default"].settings_dict)
    if connections["default"].vendor == "postgresql":
        settings["OPTIONS"] |= {"connect_timeout": 5, "tcp_user_timeout": 5_000}  # seconds, milliseconds
    connections["default"] = type(connections["default"])(settings, "default")
