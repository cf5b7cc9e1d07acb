"""Somebody else holds the database: nobody waits for longer than a phone does, nobody is told that something broke."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.depth import SOAK
from tests.faults.phones import BUSY, PATIENCE, Referees
from tests.faults.rig import Rig
from tournament.settings import JOURNAL

pytestmark = pytest.mark.server

HELD = 25 if SOAK else 7  # seconds


@contextmanager
def held(rig: Rig) -> Iterator[None]:
    """Another process neither reads nor writes, but lets nobody else write, and without a write-ahead log read."""
    with closing(sqlite3.connect(rig.database, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


def said_later(rig: Rig, session: str) -> float:
    """The seconds until somebody who opens a page hears that it has to wait."""
    asked = time.monotonic()
    opened = rig.get("/en/desk/", Cookie=f"sessionid={session}")
    assert (opened.status, opened.headers["Retry-After"]) == (503, "5")
    assert "Everything already saved is safe" in opened.text
    return time.monotonic() - asked


@pytest.mark.sweep
def test_locked_database_answers_503_in_time_and_entries_arrive_later(rig: Rig) -> None:
    event = rig.match(tables=8)
    phones = rig.phones(event)
    page = rig.get(event.public)
    entering = Referees(phones)
    with held(rig):
        entering.begin()
        until, give_up = time.monotonic() + HELD, time.monotonic() + HELD + BUSY
        while time.monotonic() < until or not any(phone.waited for phone in phones):
            assert time.monotonic() < give_up, "no phone heard that it has to wait"
            assert rig.get(event.public).body == page.body  # from the store
            assert rig.get("/healthz").status == 200
            time.sleep(0.5)
        if JOURNAL == "WAL":
            assert rig.get("/en/desk/", Cookie=f"sessionid={phones[0].session}").status == 200
        else:
            assert min(said_later(rig, phones[0].session) for _ in range(2)) < PATIENCE
    entering.rest()
    entering.end()
    assert sum(len(phone.acknowledged) for phone in phones) >= len(phones)
    rig.holds(event, phones)
