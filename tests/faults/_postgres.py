"""A PostgreSQL to be broken: killed, stopped, started anew with other settings, and with somebody in the way.

Unlike the throw-away one of tests/postgres.py it waits for the disk, as an operator's does.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from tests.postgres import DATABASE, INITDB, START_SECONDS, USER, programs, runs_as

STOPS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}


class Cluster:
    """One cluster in a folder of its own; it listens on a socket there."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="lastcard-pg-"))
        self.url = f"postgres://{USER}@/{self.home}/{DATABASE}"
        self._server: subprocess.Popen[bytes] | None = None
        who = runs_as()
        if who:
            shutil.chown(self.home, who["user"], who["group"])  # type: ignore[call-overload]
        self._options: dict[str, Any] = {
            "cwd": self.home, "start_new_session": True, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
            "stderr": subprocess.DEVNULL, **who,
        }  # fmt: skip
        subprocess.run([programs() / "initdb", *INITDB, "-D", self._data], check=True, **self._options)
        self.start()
        with self.connected("postgres") as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")

    @property
    def _data(self) -> Path:
        return self.home / "data"

    def start(self, **settings: Any) -> None:
        """Start it, or start it again, with these settings beside PostgreSQL's own; it answers now."""
        given = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command = [programs() / "postgres", "-D", self._data, "-k", self.home, "-c", "listen_addresses=", *given]
        self._server = subprocess.Popen(command, **self._options)
        give_up = time.monotonic() + START_SECONDS
        while True:
            try:
                with self.connected("postgres"):
                    return
            except psycopg.OperationalError:
                assert self._server.poll() is None, "PostgreSQL did not start"
                assert time.monotonic() < give_up, "PostgreSQL does not answer"
                time.sleep(0.02)

    def stop(self, mode: str = "fast") -> None:
        """End it as `pg_ctl stop -m MODE` does."""
        assert self._server
        self._server.send_signal(STOPS[mode])
        self._server.wait()

    def kill(self) -> None:
        """kill -9 of all its processes, as a loss of power would."""
        assert self._server
        children = [child for child in self._children() if child != self._server.pid]
        self._server.kill()
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._server.wait()
        while any(Path(f"/proc/{child}").exists() for child in children):
            time.sleep(0.01)

    def kill_a_backend(self) -> None:
        """kill -9 of the process of one connection: PostgreSQL then ends all others and recovers by itself."""
        with self.connected() as connection:
            busy = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid() ORDER BY state LIMIT 1"
            row = connection.execute(busy, [DATABASE]).fetchone()
        if row:
            os.kill(row[0], signal.SIGKILL)

    def close(self) -> None:
        if self._server and self._server.poll() is None:
            self.stop("immediate")
        shutil.rmtree(self.home)

    @contextmanager
    def connected(self, name: str = DATABASE, **more: Any) -> Iterator[psycopg.Connection[Any]]:
        """Somebody else's connection."""
        with psycopg.connect(host=str(self.home), user=USER, dbname=name, autocommit=True, **more) as connection:
            yield connection

    @contextmanager
    def crowded(self, leave: int = 0) -> Iterator[int]:
        """Others take every connection that there is but so many; gives how many they took."""
        with ExitStack() as held:
            taken = 0
            with suppress(psycopg.OperationalError):
                while True:
                    held.enter_context(self._plain())
                    taken += 1
            last = held.pop_all()
            with last:
                yield taken

    def _plain(self) -> Any:
        return psycopg.connect(host=str(self.home), user=PLAIN, dbname=DATABASE, autocommit=True)

    def _children(self) -> list[int]:
        assert self._server
        pid = self._server.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


PLAIN = "somebody"
