"""A server for tests to break: its child processes, the file that says what breaks, and the process that sets events up
and looks at what became of them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.server import ROOT, environment, free_port
from tests.faults.phones import BUSY, Phone, Said, get


class Asking(Arranger):
    """The process of arrange.py."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process


class Rig:
    """One folder of data with a server that is started and killed as often as a test likes."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.data = data
        self.database = data / "lastcard.sqlite3"
        self.faults = data / "faults.json"
        self.log = data / "server.log"
        self.port = free_port()
        self.pid = 0
        self.env = environment(data) | settings
        served = self.env | {
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            "LASTCARD_FAULTS": str(self.faults),
        }
        with self.log.open("ab") as log:
            self._server = _python("tests.faults.serve", str(self.port), env=served, stderr=log)
        self._arranging = _python("tests.faults.arrange", env=self.env, stderr=None)
        self.ask = Asking(self._arranging)

    # ---- the server

    def start(self) -> None:
        """Start the server, or one more, on the same address and data; it answers now."""
        said = _asked(self._server, "start")
        assert said.startswith("ready "), self.log.read_text()
        self.pid = int(said.removeprefix("ready "))

    def kill(self) -> None:
        """kill -9, whatever it does."""
        os.kill(self.pid, signal.SIGKILL)
        self.ended()

    def stop(self) -> None:
        """End as an operator asks for it."""
        os.kill(self.pid, signal.SIGTERM)
        self.ended()

    def ended(self) -> str:
        """Wait for its end; gives the status."""
        self.pid = 0
        return _asked(self._server, "wait")

    def breaks(self, **faults: Any) -> None:
        """Write these faults for hooks.py to read; called without any, it mends all."""
        (self.data / "publisher-broke").unlink(missing_ok=True)
        self.faults.write_text(json.dumps(faults))

    def get(self, path: str, **headers: str) -> Said:
        return get(self.port, path, **headers)

    def close(self) -> None:
        if self.pid:
            self.kill()
        for process in (self._server, self._arranging):
            process.communicate(timeout=BUSY)

    # ---- events

    def match(self, tables: int = 1) -> Arranged:
        """A running match at so many tables, two players at each."""
        names = [f"Player {number}" for number in range(2 * tables)]
        return self.ask.match(names=names, tables=tables)

    def phones(self, event: Arranged) -> list[Phone]:
        """A phone at each table, all of the organiser; every second one sends as a program does."""
        user = self.ask("user", username=event.organiser.username)
        token = self.ask("token", slug=event.slug, scope="organise")
        return [
            Phone(
                self.port,
                event.tables[table],
                event.seats[table],
                user,
                event.organiser.session,
                token if table % 2 else "",
            )
            for table in range(len(event.tables))
        ]

    def holds(self, event: Arranged, phones: Sequence[Phone]) -> None:
        """Check what must be true after any fault: each acknowledged entry is in the ledger once and where its phone
        was told, each other at most once, `verify` is clean, the pages are those computed from the rows alone, and
        nobody was told that something broke."""
        ledger = self.ask("commands", slug=event.slug)
        assert [sequence for _, sequence in ledger] == list(range(1, len(ledger) + 1))
        rows = dict(ledger)
        assert len(rows) == len(ledger)
        for phone in phones:
            assert phone.acknowledged.items() <= rows.items()
            assert phone.broken == []
        entered = {command for phone in phones for command in phone.commands}
        if phones:
            assert len(rows.keys() & entered) == self.ask("entered", slug=event.slug)
        assert self.ask("wrong", slug=event.slug) == ""
        for path, page in self.ask("recomputed", slug=event.slug).items():
            assert self._page(path) == page, path
        log = self.log.read_text()
        assert "Traceback" not in log, log[-4000:]

    def _page(self, path: str) -> str:
        """Get the public page, again until a busy machine renders it."""
        give_up = time.monotonic() + BUSY
        while (said := self.get(path)).status == 503 and time.monotonic() < give_up:
            time.sleep(0.1)
        return said.text


def _python(module: str, *arguments: str, env: dict[str, str], stderr: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True,
    )  # fmt: skip


def _asked(process: "subprocess.Popen[str]", word: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{word}\n")
    process.stdin.flush()
    said = process.stdout.readline().strip()
    assert said, "the process that starts servers has ended"
    return said
