"""A hall under attack: a real server, a referee who saves once a second, a player who looks at the event's page as
often, and strangers who attack from another address (strangers.py). What the referee and the player see is compared
with what they saw before.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise, starmap
from pathlib import Path
from shutil import rmtree
from statistics import quantiles

from tests.attacks.strangers import SLOW
from tests.attacks.visitors import Referee, Visitor
from tests.e2e.arranger import Arranger
from tests.e2e.server import ROOT, Server
from tests.faults.phones import Said
from tournament.server.machine import memory

REFEREE, PLAYER = "127.0.0.3", "127.0.0.4"
STRANGERS = "127.0.1.{}"  # an address for each attack: what one was refused, the next is not
TABLES = 8
WARMING = 12  # visitors who look at everything before anything is measured: more than there are threads
FIRST = 2.0  # seconds
UPKEEP = 75  # seconds in which a server gives back what nobody uses: its upkeep does each minute
MB = 1024 * 1024
MOST_MEMORY = 3000 * MB  # at which an attack is ended, for the machine's sake
LOOK = 0.2  # seconds between two looks at the server's memory
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Habit:
    """Somebody who does one thing once in so many seconds, and what they saw: when it began, how many seconds it took,
    and the status, 0 for no answer."""

    once: Callable[[], int]
    every: float
    seen: list[tuple[float, float, int]] = field(default_factory=list)
    failed: list[BaseException] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> threading.Thread:
        thread = threading.Thread(target=self._go_on, daemon=True)
        thread.start()
        return thread

    def end(self) -> None:
        self._ended.set()

    def between(self, start: float, end: float) -> "Times":
        """Give what they saw of the requests that began in this time."""
        seen = [(took, status) for began, took, status in self.seen if start <= began < end]
        return Times(
            sorted(took for took, _ in seen), [status for _, status in seen if not 200 <= status < 500]
        )

    def _go_on(self) -> None:
        try:
            while not self._ended.is_set():
                began = time.monotonic()
                status = self.once()
                took = time.monotonic() - began
                self.seen.append((began, took, status))
                self._ended.wait(self.every - took)
        except BaseException as error:
            self.failed.append(error)


@dataclass(frozen=True)
class Times:
    """The observations of one person in one part of a run: seconds in order, and statuses that a server gives in
    trouble."""

    seconds: list[float]
    broken: list[int]

    def at(self, percent: int) -> float:
        """The percentile, in milliseconds; 0 of nothing."""
        if not self.seconds:
            return 0
        return quantiles(self.seconds * 2, n=100, method="inclusive")[percent - 1] * 1000


@dataclass(frozen=True)
class Run:
    """The effects of an attack: the referee's saves and the player's pages in quiet, under attack and afterwards; bytes
    that the server held; answers that the strangers got; seconds of processor time of the server."""

    name: str
    saves: tuple[Times, ...]
    pages: tuple[Times, ...]
    memory: tuple[int, int, int]  # before, the most, after
    said: "Counter[str]"
    processor: float

    @property
    def broken(self) -> list[int]:
        """Answers to the referee and the player that say that the server is in trouble; 0 for none."""
        return [status for times in (*self.saves[1:], *self.pages[1:]) for status in times.broken]

    def __str__(self) -> str:
        parts = [self.name]
        for what, (quiet, under, _) in (("save", self.saves), ("page", self.pages)):
            parts.append(
                f"{what} p50 {quiet.at(50):.0f} -> {under.at(50):.0f} ms, "
                f"p95 {quiet.at(95):.0f} -> {under.at(95):.0f} ms "
                f"(x{under.at(95) / (quiet.at(95) or 1):.1f}, of {len(under.seconds)})"
            )
        parts.append(f"5xx or none {dict(Counter(self.broken))}")
        parts.append("memory " + " / ".join(f"{held / MB:.0f}" for held in self.memory) + " MB")
        parts.append(f"processor {self.processor:.1f} s, strangers got {dict(self.said)}")
        return "; ".join(parts)


class Hall:
    """A server with one match at several tables, its referee and a player."""

    def __init__(self, prepared: Path, files: int = 0, *, warming: int = WARMING, **settings: str) -> None:
        self.server = Server(prepared, files, **settings)
        self.server.start()
        self.arranger = Arranger(self.server)
        names = [f"Player {number}" for number in range(2 * TABLES)]
        self.event = self.arranger.match(names=names, tables=TABLES)
        self.referee = Referee(self.server.port, REFEREE, self.event)
        (role,) = self.referee.ask("GET", "/api/v1/me").json["roles"]
        self.tournament: str = role["tournament"]
        self.player = Visitor(self.server.port, PLAYER)
        self._attacks = 1  # the last number of an address
        for _ in range(3):
            assert self.referee.save().status == 200
            assert self.page().status == 200
        self._warm(warming)

    def _warm(self, many: int) -> None:
        """Have the server load what it needs, with so many visitors every thread of it, so that the strangers are not
        taken for its growth."""
        with ThreadPoolExecutor(many) as pool:
            paths = [path for path in SLOW for _ in range(many)]
            said = list(pool.map(lambda path: self.player.ask("GET", path).status, paths))
        assert set(said) == {200}, said

    def page(self) -> Said:
        return self.player.ask("GET", self.event.public)

    @property
    def memory(self) -> int:
        return memory(self.server.pid)

    @property
    def processor(self) -> float:
        """Seconds of processor time that the server has taken."""
        after_name = Path(f"/proc/{self.server.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / TICKS

    def stranger(self) -> str:
        """An address that nobody has used."""
        self._attacks += 1
        return STRANGERS.format(self._attacks)

    def attacked(
        self, name: str, *, connections: int = 20, quiet: float = 20, seconds: float = 60, after: float = 15,
        every: float = 1, small: bool = False,
    ) -> Run:  # fmt: skip
        """Run one attack between two quiet times."""
        habits = (
            Habit(lambda: self.referee.status(self.referee.save), every),
            Habit(lambda: self.player.status(self.page), every),
        )
        said: Counter[str] = Counter()
        if not small:  # one of them first: what its kind loads once is no growth
            with self.strangers(name, 1, FIRST, small) as first:
                first.wait()
        turns = [time.monotonic()]
        threads = [habit.start() for habit in habits]
        time.sleep(quiet)  # the habits are measured meanwhile
        most = before = self.memory
        processor = self.processor
        turns.append(time.monotonic())
        with self.strangers(name, connections, seconds, small) as strangers:
            while strangers.poll() is None:
                most = max(most, self.memory)
                if most > MOST_MEMORY:
                    said["ended for memory"] = 1
                    strangers.kill()
                time.sleep(LOOK)  # a look takes processor time from whoever is measured
            assert strangers.stdout is not None
            said.update(json.loads(strangers.stdout.read() or "{}"))
        turns.append(time.monotonic())
        processor = self.processor - processor
        time.sleep(after)  # the server recovers, and the habits go on
        give_up = time.monotonic() + (0 if small else UPKEEP)
        while self.memory > before * 1.1 and time.monotonic() < give_up:
            time.sleep(LOOK)  # until the upkeep has given back
        for habit in habits:
            habit.end()
        for thread in threads:
            thread.join()
        turns.append(time.monotonic())
        assert [habit.failed for habit in habits] == [[], []]
        saves, pages = (tuple(starmap(habit.between, pairwise(turns))) for habit in habits)
        return Run(name, saves, pages, (before, most, self.memory), said, processor)

    @contextmanager
    def strangers(
        self, name: str, connections: int, seconds: float, small: bool
    ) -> Iterator["subprocess.Popen[str]"]:
        """Strangers who attack for so many seconds, or until the end of the block."""
        words = [name, str(self.server.port), self.stranger(), str(connections), str(seconds)]
        command = [sys.executable, "-m", "tests.attacks.strangers", *words, *(["--small"] if small else [])]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            try:
                yield process
            finally:
                process.kill()

    def end(self) -> int:
        """End the server in the middle of its work; gives how many tracebacks it logged."""
        self.arranger.close()
        self.server.kill()
        tracebacks = self.server.log.read_text().count("Traceback")
        rmtree(self.server.data)
        return tracebacks

    def close(self) -> None:
        self.arranger.close()
        self.server.close()
