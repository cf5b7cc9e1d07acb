"""What a run of the tests cost: cases, queries of the test database, processor seconds. Printed at the end of the run,
with the time of a fixed loop, by which two machines can be compared, and noted for `make figures`.

Also the check that a test leaves no row behind: later tests of the process would find it.
"""

import os
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker

from tests.support.built import TABLES, filled
from tests.support.figures.suite import note
from tests.support.shared import is_shared

LOOP = 10_000_000  # additions
MEND = "mark it django_db(transaction=True), or make rows for a module with shared_rows (tests/support/shared.py)"


class Cost:
    """A plugin of each process of pytest; the one that reports all tests adds up what the others counted."""

    def __init__(self) -> None:
        self.cases = 0
        self.queries = 0
        self.blocker: DjangoDbBlocker | None = None

    def watch(self, blocker: DjangoDbBlocker) -> None:
        """Count the queries of the test database from now on."""
        self.blocker = blocker
        connection.execute_wrappers.append(self._count)

    def _count(self, execute: Any, *arguments: Any) -> Any:
        self.queries += 1
        return execute(*arguments)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        """Fail a test whose rows are there after everything of it was torn down."""
        yield
        if self.blocker and touches_database(item) and not is_shared():
            with self.blocker.unblock():
                left = [table for table, row in zip(TABLES, filled(), strict=True) if row]
            assert not left, f"{item.nodeid} left rows in {', '.join(left)}: {MEND}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.cases += report.when == "call" and report.outcome in {"passed", "failed"}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["queries"] = self.queries

    def pytest_testnodedown(self, node: Any) -> None:
        self.queries += getattr(node, "workeroutput", {}).get("queries", 0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if terminalreporter.config.option.collectonly:
            return
        cost = {"queries": self.queries, "processor seconds": round(sum(os.times()[:4]))}
        said = ", ".join(f"{value:,} {name}" for name, value in {"cases": self.cases, **cost}.items())
        terminalreporter.write_line(f"Cost: {said}; {LOOP:,} additions take {loop_s():.2f} s here")
        if connection.vendor == "sqlite":
            note(cost)


def touches_database(item: pytest.Item) -> bool:
    """Whether a test asks for the database: by the mark, by being of Django's test cases, or by a fixture (its own or
    one that it uses)."""
    fixtures = set(getattr(item, "fixturenames", ()))
    return (
        item.get_closest_marker("django_db") is not None
        or issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
        or not fixtures.isdisjoint({"db", "transactional_db"})
    )


def loop_s() -> float:
    """The processor seconds of LOOP additions."""
    began = time.process_time()
    total = 0
    for number in range(LOOP):
        total += number
    return time.process_time() - began
