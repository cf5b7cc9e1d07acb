"""A server that is restarted, or brought up to date, in the middle of an event: phones send until it is there again."""

import gzip
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.depth import SOAK
from tests.e2e.server import ROOT, environment, free_port, manage
from tests.faults.phones import BUSY, LOST, Said, get, referees
from tests.faults.rig import Rig

pytestmark = pytest.mark.server

RESTARTS = 20 if SOAK else 2
# The latest version before the newest migration.
NEWEST = max(path.name for path in (ROOT / "tournament" / "migrations").glob("[0-9]*.py"))
BEFORE = max(path for path in (ROOT / "fixtures" / "upgrade").glob("*.sql.gz") if path.name[:4] < NEWEST[:4])
START_SECONDS = 60


@pytest.mark.soak
def test_entries_go_on_over_restarts_in_the_middle(rig: Rig) -> None:
    event = rig.match(tables=4)
    phones = rig.phones(event)
    with referees(phones):
        for _ in range(RESTARTS):
            time.sleep(0.3)
            rig.stop()
            lost = sum(phone.lost for phone in phones)
            give_up = time.monotonic() + BUSY
            while sum(phone.lost for phone in phones) == lost:
                assert time.monotonic() < give_up, "no phone found out that the server is away"
                time.sleep(0.01)
            rig.start()
    rig.holds(event, phones)


@contextmanager
def up(data: Path, port: int) -> Iterator[None]:
    """`manage.py up`, which migrates first."""
    with (data / "server.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--host", "127.0.0.1", "--port", str(port)],
            cwd=ROOT, env=environment(data), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(BUSY)


@pytest.mark.sweep
def test_upgrade_in_the_middle_keeps_every_fact_and_phones_wait_for_it(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "lastcard.sqlite3")) as database:
        database.executescript(gzip.decompress(BEFORE.read_bytes()).decode())
        rows = database.execute("SELECT digest FROM tournament_ledgerrow ORDER BY id").fetchall()
        slugs = [slug for (slug,) in database.execute("SELECT slug FROM tournament_tournament")]
    port = free_port()
    with up(tmp_path, port):
        answers = [page for slug in slugs if (page := asked_until_it_is_there(port, f"/en/t/{slug}/"))]
    assert len(answers) == len(slugs) >= 3
    # Requests made in between waited, or were not heard: nobody saw half a database.
    assert {answer.status for answer in answers} == {200}
    with closing(sqlite3.connect(tmp_path / "lastcard.sqlite3")) as database:
        assert database.execute("SELECT digest FROM tournament_ledgerrow ORDER BY id").fetchall() == rows
    assert all(": clean, " in line for line in manage(environment(tmp_path), "verify").splitlines())
    assert "Traceback" not in (tmp_path / "server.log").read_text()


def asked_until_it_is_there(port: int, path: str) -> Said | None:
    """The first answer that anybody gets, as a phone asks that tries again and again."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        with suppress(*LOST):
            return get(port, path)
        time.sleep(0.05)
    return None
