"""An evening on the small server of deploy/compose.small.yaml, within its memory: upgraded from the version before,
rehearsed, restarted, restored, with nothing lost. Without containers the same steps run here as processes; a cgroup
holds the server to the service's memory where one may be made, and the test says whether."""

import gzip
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.deploy.test_replica import SMALL
from tests.deploy.test_wheel import ROOT
from tests.e2e.server import free_port
from tournament.server.machine import memory

pytestmark = [pytest.mark.soak, pytest.mark.server, pytest.mark.sqlite]

LIMIT_MB = int(SMALL["services"]["lastcard"]["mem_limit"].removesuffix("m"))
GROUP = Path("/sys/fs/cgroup/memory") / f"lastcard-evening-{os.getpid()}"
PATIENCE_S = 120
USER, PASSWORD = "rehearsal", "correct-horse-battery"


class Small:
    """The small server's folder, its commands and its server."""

    def __init__(self, folder: Path) -> None:
        self.port = str(free_port())
        self.environment = {
            "PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "LASTCARD_DATA": str(folder), "BACKUP_FOLDER": str(folder / "backups"), "WEBHOOKS": "0",
            "LASTCARD_PASSWORD": PASSWORD, "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
        }  # fmt: skip
        self.folder, self.peak = folder, 0

    def run(self, *words: str) -> str:
        done = self.done(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def done(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "tournament", *words], cwd=ROOT, env=self.environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    @contextmanager
    def serving(self) -> Iterator[None]:
        with (self.folder / "log").open("w") as out:
            server = subprocess.Popen(
                [sys.executable, "-m", "tournament", "up", "--prepared", "--port", self.port],
                cwd=ROOT, env=self.environment, stdout=out, stderr=subprocess.STDOUT,
            )  # fmt: skip
        with suppress(OSError):
            (GROUP / "cgroup.procs").write_text(str(server.pid))
        try:
            end = time.monotonic() + PATIENCE_S
            while "Stop with Ctrl+C" not in (self.folder / "log").read_text():
                assert server.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < end
                time.sleep(0.1)
            yield
            assert server.poll() is None, "it was killed"
            status = Path(f"/proc/{server.pid}/status").read_text()
            peak = re.search(r"VmHWM:\s+(\d+) kB", status)
            self.peak = max(self.peak, int(peak[1]) * 1024 if peak else memory(server.pid))
        finally:
            server.terminate()
            server.wait(PATIENCE_S)


@pytest.fixture
def limited() -> Iterator[bool]:
    """Whether the server is held to the service's memory."""
    try:
        GROUP.mkdir()
        (GROUP / "memory.limit_in_bytes").write_text(str(LIMIT_MB * 1024**2))
    except OSError:
        yield False
        return
    yield True
    with suppress(OSError):
        GROUP.rmdir()


def test_evening_within_the_small_servers_memory_loses_nothing(tmp_path: Path, limited: bool) -> None:
    newest = max((ROOT / "fixtures" / "upgrade").glob("*.sql.gz"))
    with closing(sqlite3.connect(tmp_path / "lastcard.sqlite3")) as database:
        database.executescript(gzip.decompress(newest.read_bytes()).decode())
    small = Small(tmp_path)
    small.run("prepare")
    upgraded = small.run("verify")
    assert upgraded.count(": clean, ") == len(upgraded.splitlines()) >= 3
    small.run("createsuperuser", "--noinput", "--username", USER)
    with small.serving():
        address = f"http://127.0.0.1:{small.port}"
        said = small.done("rehearse", "--quick", "--yes", "--url", address, "--user", USER).stdout
        assert "this server can" in said
        assert "WRONG" not in said  # it may be slow on a busy machine
        backup = small.run("backup").strip()
        evening = small.run("verify")
    assert evening.count(": clean, ") == len(evening.splitlines()) == len(upgraded.splitlines()) + 1
    for _ in range(3):
        with small.serving():
            assert small.run("verify") == evening, "after a restart"
    restored = small.run("restore", backup)
    assert restored.count("as in the backup") == len(evening.splitlines())
    with small.serving():
        assert small.run("verify") == evening, "after the restore"
    print(
        f"\n{said}\nAt most {small.peak / 1e6:.0f} MB of {LIMIT_MB} MB, {'held to' if limited else 'measured'};"
    )
    print(
        f"upgraded from {newest.name}, restarted 3 times, restored: {len(evening.splitlines())} events, 0 lost."
    )
    assert small.peak < LIMIT_MB * 1024**2
