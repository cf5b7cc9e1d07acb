"""A PostgreSQL for tests to break: killed, stopped, restarted with other settings, and with somebody in the way.

Unlike the throw-away one of tests/support/postgres.py it waits for the disk, as an operator's does.
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

from tests.support.postgres import DATABASE, INITDB, START_SECONDS, USER, programs, runs_as

ADMIN = "postgres"
AS_ADMIN = [
    ADMIN if part == USER else part for part in INITDB
]  # Lastcard's own role has no connections kept for it
STOPS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}


class Cluster:
    """One cluster in a folder of its own; it listens on a socket there."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="lastcard-pg-"))
        self.url = f"postgres://{USER}@/{self.home}/{DATABASE}"
        self._server: subprocess.Popen[Any] | None = None
        who = runs_as()
        if who:
            shutil.chown(self.home, who["user"], who["group"])
        self._options: dict[str, Any] = {
            "cwd": self.home, "start_new_session": True, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
            "stderr": subprocess.DEVNULL, **who,
        }  # fmt: skip
        subprocess.run([programs() / "initdb", *AS_ADMIN, "-D", self._data], check=True, **self._options)
        self.begin()
        with self.connected("postgres") as connection:
            connection.execute(f"CREATE ROLE {USER} LOGIN")
            connection.execute(f"CREATE DATABASE {DATABASE} OWNER {USER}")

    @property
    def _data(self) -> Path:
        return self.home / "data"

    def start(self, **settings: Any) -> None:
        """Start it, or start it again, with these settings beside PostgreSQL's own; it answers now."""
        given = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command: list[str | Path] = [
            programs() / "postgres",
            "-D",
            self._data,
            "-k",
            self.home,
            "-c",
            "listen_addresses=",
            *given,
        ]
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

    def begin(self) -> None:
        """Start it with its own settings where it does not run."""
        if not self._server or self._server.poll() is not None:
            self.start()

    def stop(self, mode: str = "fast") -> None:
        """End it as `pg_ctl stop -m MODE` does."""
        assert self._server
        self._server.send_signal(STOPS[mode])
        self._server.wait()

    def kill(self) -> None:
        """kill -9 of all its processes, as a loss of power would."""
        assert self._server
        self._server.send_signal(signal.SIGSTOP)  # so that it begins no further one
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
            busy = (
                "SELECT pid FROM pg_stat_activity WHERE datname = %s AND usename = %s ORDER BY state LIMIT 1"
            )
            row = connection.execute(busy, [DATABASE, USER]).fetchone()
        with suppress(ProcessLookupError):  # its connection was closed meanwhile
            if row:
                os.kill(row[0], signal.SIGKILL)

    def close(self) -> None:
        if self._server and self._server.poll() is None:
            self.stop("immediate")
        shutil.rmtree(self.home)

    @contextmanager
    def connected(self, name: str = DATABASE, user: str = ADMIN) -> Iterator[psycopg.Connection[Any]]:
        """Somebody else's connection."""
        with psycopg.connect(host=str(self.home), user=user, dbname=name, autocommit=True) as connection:
            yield connection

    @contextmanager
    def crowded(self) -> Iterator[int]:
        """Another program takes every connection that is left; gives how many those were."""
        with ExitStack() as held:
            taken = 0
            with suppress(psycopg.OperationalError):
                while True:
                    held.enter_context(self.connected(user=USER))
                    taken += 1
            yield taken

    @contextmanager
    def set_to(self, **settings: str) -> Iterator[None]:
        """Let an operator change settings of the running server, and take them back."""
        self._set([f"ALTER SYSTEM SET {name} = {value}" for name, value in settings.items()])
        try:
            yield
        finally:
            self._set([f"ALTER SYSTEM RESET {name}" for name in settings])

    def _set(self, statements: list[str]) -> None:
        with self.connected() as connection:
            for statement in (*statements, "SELECT pg_reload_conf()"):
                connection.execute(statement.encode())

    def _children(self) -> list[int]:
        assert self._server
        pid = self._server.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
