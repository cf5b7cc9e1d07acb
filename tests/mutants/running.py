"""Runs the tests against each mutant, inside one pytest process that collected them once.

1. All tests run once under coverage: which of them takes which line.
2. They run once more in a child process, the quickest first and with nothing changed: how long each takes. Tests that
   fail in either are not asked about mutants.
3. For each mutant a child process puts the change in place and runs the tests of its line until the first one fails:
   those first that noticed other changes to the same function, then those whose file has the name of the changed one,
   then the quickest. A test that takes far longer than it did counts as one that fails; a mutant that no test takes is
   alive.

A child starts from the parent's memory, with its database in it, and leaves nothing there.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

import coverage
import pytest
from _pytest.runner import runtestprotocol

from .sites import Mutant, mutants_of
from .swapping import Functions

KILLED, ALIVE, TIMED_OUT, BROKEN = "killed", "alive", "timed out", "broken"
TIMES_LONGER, AT_LEAST_S = (
    10,
    5,
)  # processor seconds that a test may take: its usual ones so many times, and these
STUCK_S = 120  # by the clock, for a test that waits for what never comes
MOST_MEMORY = 6 * 2**30  # bytes
FAILED, FAULTY = 1, 2  # exit codes of a child
Takes = dict[str, dict[int, list[str]]]  # the tests by line by file


@dataclass(frozen=True, slots=True)
class Verdict:
    """The fate of a mutant, the test that decided it, and how many tests there were to ask."""

    mutant: Mutant
    state: str
    test: str
    asked: int


class Run:
    """A pytest plugin that asks the tests about mutants, in the place of pytest's own loop."""

    def __init__(
        self,
        files: Iterable[Path],
        wanted: Callable[[Mutant], bool],
        *,
        at_once: int,
        seconds: float,
        tell: Callable[[Verdict], None],
        say: Callable[[str], None],
    ) -> None:
        """`at_once` children run beside each other; the tests asked about one mutant usually take no more than
        `seconds`. Each verdict is reported as soon as it is known."""
        self._files = [str(file) for file in files]
        self._paths = {file: str(Path(file).resolve()) for file in self._files}
        self._wanted = wanted
        self._at_once = at_once
        self._seconds = seconds
        self._tell = tell
        self._say = say
        self._kills: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do everything, once the tests are collected."""
        if session.testsfailed:
            raise session.Interrupted("the tests could not be collected")
        mutants = [mutant for mutant in self._mutants() if self._wanted(mutant)]
        self._say(f"{len(mutants)} mutants. {len(session.items)} tests run once under coverage ...")
        takes, passed = self._first_run(session)
        self._say("... and once more in a child, with nothing changed ...")
        usual = _usual_seconds(session, passed)
        self._say(
            f"{len(mutants)} mutants; {len(usual)} tests of {len(session.items)}, {sum(usual.values()):.0f} s"
        )
        for item in session.items:
            if item.nodeid not in usual:
                self._say(f"not asked, fails here without a change: {item.nodeid}")
        functions = Functions(self._paths)
        gc.collect()
        gc.freeze()  # children share the parent's memory as long as nobody writes to it
        self._ask(session, functions, [(mutant, _tests(mutant, takes, usual)) for mutant in mutants], usual)
        return True

    def _mutants(self) -> Iterator[Mutant]:
        for file in self._files:
            module = importlib.import_module(
                file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            )
            yield from mutants_of(Path(file).read_text(), file, vars(module))

    def _first_run(self, session: pytest.Session) -> tuple[Takes, list[pytest.Item]]:
        """Which tests take which line, and those that pass, the quickest first."""
        seen = coverage.Coverage(data_file=None, config_file=False, include=list(self._paths.values()))
        seconds: dict[str, float] = {}
        passed = []
        seen.start()
        for item, following in _in_turn(session, session.items):
            seen.switch_context(item.nodeid)
            began = time.process_time()
            if _passes(item, following):
                passed.append(item)
            seconds[item.nodeid] = time.process_time() - began
        seen.stop()
        data = seen.get_data()
        takes = {file: data.contexts_by_lineno(path) for file, path in self._paths.items()}
        return takes, sorted(passed, key=lambda item: seconds[item.nodeid])

    def _ask(
        self,
        session: pytest.Session,
        functions: Functions,
        waiting: list[tuple[Mutant, list[str]]],
        usual: dict[str, float],
    ) -> None:
        """Run a child for each mutant, `at_once` at a time."""
        items = {item.nodeid: item for item in session.items}
        running: dict[int, tuple[Mutant, list[str], int]] = {}
        waiting = waiting[::-1]
        while waiting or running:
            while waiting and len(running) < self._at_once:
                mutant, tests = waiting.pop()
                tests = self._order(mutant, tests, usual)
                if not tests:
                    self._tell(Verdict(mutant, ALIVE, "", 0))
                    continue
                ends, begins = os.pipe()
                pid = os.fork()
                if pid == 0:
                    os.close(ends)
                    swap = partial(functions.swap, mutant)
                    _child(session, swap, [items[test] for test in tests], usual, begins)
                os.close(begins)
                running[pid] = (mutant, tests, ends)
            if running:
                self._hear(running)

    def _order(self, mutant: Mutant, tests: list[str], usual: dict[str, float]) -> list[str]:
        """Choose as many tests as there is time for, first those that noticed a change to this function."""
        noticed = self._kills[mutant.file, mutant.function]
        order = sorted(tests, key=lambda test: -noticed[test])
        seconds = 0.0
        for index, test in enumerate(order):
            seconds += usual[test]
            if index and seconds > self._seconds:
                return order[:index]
        return order

    def _hear(self, running: dict[int, tuple[Mutant, list[str], int]]) -> None:
        """Wait for a child's end and record its verdict."""
        pid, status = os.wait()
        if pid not in running:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # what the child's tests left running
        mutant, tests, ends = running.pop(pid)
        with os.fdopen(ends) as pipe:
            told = pipe.read().split()
        test = tests[int(told[-1])] if told else ""
        code = os.waitstatus_to_exitcode(status)
        state = {0: ALIVE, FAILED: KILLED, FAULTY: BROKEN}.get(code, TIMED_OUT)
        if state in (KILLED, TIMED_OUT):
            self._kills[mutant.file, mutant.function][test] += 1
        self._tell(Verdict(mutant, state, "" if state == ALIVE else test, len(tests)))


def _tests(mutant: Mutant, takes: Takes, usual: dict[str, float]) -> list[str]:
    """The tests that take the mutant's line, those of its file's name first, then the quickest; where none of its own
    is known, those that take its statement."""
    by_line = takes[mutant.file]
    own = {test for test in by_line.get(mutant.line, ()) if test in usual}
    there = own or {test for line in mutant.lines for test in by_line.get(line, ()) if test in usual}
    name = Path(mutant.file).stem.strip("_")
    return sorted(there, key=lambda test: (name not in test.partition("::")[0], usual[test], test))


def _usual_seconds(session: pytest.Session, items: list[pytest.Item]) -> dict[str, float]:
    """How long each of these tests takes in a child, in processor seconds; without those that fail there."""
    ends, begins = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ends)
        with os.fdopen(begins, "w") as pipe:
            for item, following in _in_turn(session, items):
                began = time.process_time()
                if _passes(item, following):
                    pipe.write(json.dumps([item.nodeid, time.process_time() - began]) + "\n")
        os._exit(0)
    os.close(begins)
    with os.fdopen(ends) as pipe:
        usual: dict[str, float] = dict(json.loads(line) for line in pipe)
    os.waitpid(pid, 0)
    return usual


def _in_turn(
    session: pytest.Session, items: list[pytest.Item]
) -> Iterator[tuple[pytest.Item, pytest.Item | pytest.Session]]:
    """Each test with the one that follows; after the last one only what the whole session shares stays set up."""
    return zip(items, [*items[1:], session], strict=True)


def _passes(item: pytest.Item, following: pytest.Item | pytest.Session) -> bool:
    """Run a test. Fixtures that it shares with the `following` one stay set up, and always those of the whole
    session."""
    reports = runtestprotocol(item, log=False, nextitem=following)  # type: ignore[arg-type]  # it takes the session too
    return not any(report.failed for report in reports)


def _child(
    session: pytest.Session,
    swap: Callable[[], None],
    items: list[pytest.Item],
    usual: dict[str, float],
    begins: int,
) -> NoReturn:
    """The child's life: the change, then the tests until one fails. Says on the pipe which test it is at."""
    code = FAULTY
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        swap()
        for index, (item, following) in enumerate(_in_turn(session, items)):
            os.write(begins, b"%d\n" % index)
            limit = TIMES_LONGER * usual[item.nodeid] + AT_LEAST_S
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.setitimer(signal.ITIMER_REAL, limit + STUCK_S)
            if not _passes(item, following):
                os._exit(FAILED)
        code = 0
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(code)
