"""A throw-away PostgreSQL: `python -m tests.support.postgres -- COMMAND...` runs a command with its DATABASE_URL.

The cluster lies in a temporary folder, listens on a socket in that folder only, and does not wait for the disk. It
is stopped and removed when the command ends or is interrupted. PostgreSQL refuses to run as root: then it runs as
the user postgres.
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

USER = DATABASE = "lastcard"
START_SECONDS = 120
# No promise survives a power cut here, and none need to. The locale is the plainest: an order that a page promises
# must be asked for in its query.
INITDB = ["--username", USER, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"]
QUICK = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"]


class Missing(Exception):
    """PostgreSQL's server programs, or a user to run them as, are not on this machine."""


def programs() -> Path:
    """The folder of the newest server programs: Debian's versioned folders first, then the search path."""
    versioned = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    if versioned:
        return max(versioned, key=lambda path: float(path.parent.name))
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    raise Missing("The tests need PostgreSQL: apt-get install postgresql")


def runs_as() -> dict[str, Any]:
    """Arguments for subprocess that make the server run as somebody who is not root."""
    if os.geteuid() != 0:
        return {}
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        raise Missing("Run as root, the tests need the user postgres: apt-get install postgresql") from None
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextlib.contextmanager
def cluster() -> Iterator[str]:
    """Start a cluster and give its DATABASE_URL; stop and remove it afterwards."""
    folder, who, home = programs(), runs_as(), Path(tempfile.mkdtemp(prefix="lastcard-pg-"))
    if who:
        shutil.chown(home, who["user"], who["group"])
    data, log = home / "data", home / "log"
    # A session of its own: Ctrl-C reaches the command first, the server when the command has ended.
    options: dict[str, Any] = {"cwd": home, "start_new_session": True, "stdin": subprocess.DEVNULL, **who}
    server: subprocess.Popen[Any] | None = None
    try:
        with log.open("wb") as output:
            subprocess.run(
                [folder / "initdb", *INITDB, "-D", data],
                check=True, stdout=output, stderr=output, **options,
            )  # fmt: skip
            settings = [part for setting in QUICK for part in ("-c", setting)]
            server = subprocess.Popen(
                [folder / "postgres", "-D", data, "-k", home, "-c", "listen_addresses=", *settings],
                stdout=output, stderr=output, **options,
            )  # fmt: skip
        _create_database(home, server)
        yield f"postgres://{USER}@/{home}/{DATABASE}"
    except (subprocess.CalledProcessError, psycopg.Error):
        sys.stderr.write(log.read_text())
        raise
    finally:
        if server:
            server.send_signal(signal.SIGINT)  # disconnects clients, then ends
            server.wait()
        shutil.rmtree(home)


def _create_database(home: Path, server: subprocess.Popen[Any]) -> None:
    """Wait until the server answers, then make the database."""
    give_up = time.monotonic() + START_SECONDS
    while True:
        try:
            with psycopg.connect(host=str(home), user=USER, dbname="postgres", autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {DATABASE}")
            return
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > give_up:
                raise
            time.sleep(0.1)  # seconds


def _run(command: list[str], url: str) -> int:
    """Run the command with the cluster's address to its end, and give its exit code."""
    process = subprocess.Popen(command, env={**os.environ, "DATABASE_URL": url})
    try:
        return process.wait()
    except KeyboardInterrupt:
        return process.wait()  # Ctrl-C reached the command too: it ends in its own way
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def main(arguments: list[str]) -> int:
    """Run the command of the arguments; its exit code is ours."""
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    if not command:
        print("usage: python -m tests.support.postgres -- COMMAND...", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that the cluster is stopped
    try:
        with cluster() as url:
            return _run(command, url)
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
