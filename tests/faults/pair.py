"""Two servers on one database, behind no common address: a client goes to whichever it likes, as behind a proxy that
remembers nobody."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.e2e.server import free_port
from tests.faults.phones import BUSY, Said
from tests.faults.rig import Rig, _asked, _python

VERSION = re.compile(rb'data-version="(\d+)"')


class Pair:
    """The rig's own server and another, which shares the database and SECRET_KEY with it and, on PostgreSQL, nothing
    else: it has a folder of its own."""

    def __init__(self, rig: Rig, own: Path) -> None:
        self.rig = rig
        second = free_port()
        self.ports = (rig.port, second)
        env = rig.env | {"DJANGO_SETTINGS_MODULE": "tests.faults.settings"}
        if rig.env["DATABASE_URL"].startswith("postgres"):
            (own / "static").symlink_to(rig.data / "static")
            env |= {"LASTCARD_DATA": str(own), "BACKUP_FOLDER": str(own / "backups")}
        self._log = (own / "second.log").open("ab")
        self._server: subprocess.Popen[str] = _python(
            "tests.faults.serve", str(second), env=env, stderr=self._log
        )
        self._pid = int(_asked(self._server, "start").removeprefix("ready "))

    def close(self) -> None:
        os.kill(self._pid, signal.SIGTERM)
        _asked(self._server, "wait")
        self._server.communicate(timeout=BUSY)
        self._log.close()


@contextlib.contextmanager
def pair_of(rig: Rig, own: Path) -> Iterator[Pair]:
    """The rig's server and a second one, until the end of the block."""
    pair = Pair(rig, own)
    try:
        yield pair
    finally:
        pair.close()


class Line:
    """A connection to one server that stays open."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=BUSY)

    def ask(self, method: str, path: str, content: Any = None, **headers: str) -> Said:
        """One request, and its answer; a name of a header is written with _."""
        body = None if content is None else json.dumps(content)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            named["Content-Type"] = "application/json"
        self._connection.request(method, path, body, named)
        answer = self._connection.getresponse()
        return Said(answer.status, answer.headers, answer.read())

    def version(self, path: str) -> int:
        """The version that a published page is of."""
        found = VERSION.search(self.ask("GET", path).body)
        assert found, path
        return int(found[1])

    def close(self) -> None:
        self._connection.close()


class Stream:
    """An event stream of one server."""

    def __init__(self, port: int, scope: str) -> None:
        give_up = time.monotonic() + BUSY
        while True:  # a stage of a moment ago may be unknown there yet
            self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=BUSY)
            self._connection.request("GET", f"/live/{scope}")
            self._answer = self._connection.getresponse()
            if self._answer.status == 200:
                break
            self._connection.close()
            assert time.monotonic() < give_up, self._answer.status
            time.sleep(0.05)

    def until(self, version: int) -> float:
        """Wait until it tells of this version or a later one; gives when that was, by `time.monotonic`."""
        give_up = time.monotonic() + BUSY
        while time.monotonic() < give_up:
            said = self._answer.readline().decode().strip()
            if said.startswith("data: ") and int(said.removeprefix("data: ")) >= version:
                return time.monotonic()
        raise AssertionError(f"the stream did not tell of {version}")

    def close(self) -> None:
        self._connection.close()
