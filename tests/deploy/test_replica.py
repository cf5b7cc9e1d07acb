"""The replica off the computer: the commands of docs/operators.md, their inner parts run here, on a lost computer.

Litestream's own binary replicates and restores. Where there is none, what it would restore is a copy by `lastcard
backup`, and the test says so.
"""

import gzip
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import yaml

from tests.deploy.test_operators import PAGE
from tests.deploy.test_wheel import ROOT
from tests.support.upgrade import LATE
from tournament.settings import JOURNAL

pytestmark = [pytest.mark.program, pytest.mark.server, pytest.mark.sqlite]

LITESTREAM = shutil.which("litestream", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
SMALL = yaml.safe_load((ROOT / "deploy" / "compose.small.yaml").read_text())
PATIENCE_S = 60


class Computer:
    """A stand-in for the containers: /data is a folder, a service's command is run here."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        self.data.mkdir()
        self.settings = folder / "litestream.yml"
        self.settings.write_text(self.here((ROOT / "deploy" / "litestream.yml").read_text()))

    def here(self, words: str) -> str:
        return words.replace("/data/", f"{self.data}/")

    def lastcard(self, words: str, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "tournament", *self.here(words).split()], cwd=ROOT,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
                 "LASTCARD_DATA": str(self.data), "BACKUP_FOLDER": str(self.folder / "backups"), **environment},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def litestream(self, words: str) -> "subprocess.Popen[str]":
        command, *more = self.here(words).split()
        return subprocess.Popen(
            [str(LITESTREAM), command, "-config", str(self.settings), *more],
            env={"REPLICA_URL": f"file://{self.folder}/elsewhere"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    @contextmanager
    def replicating(self) -> Iterator[None]:
        if LITESTREAM is None or JOURNAL != "WAL":
            yield
            shutil.copy(self.lastcard("backup").strip(), self.folder / "elsewhere")
            return
        process = self.litestream(" ".join(SMALL["services"]["replica"]["command"]))
        try:
            yield
            time.sleep(3)  # it sends once a second
        finally:
            process.kill()  # together with the computer
            process.communicate()

    def come_back(self, words: str) -> None:
        if (self.folder / "elsewhere").is_file():
            print("\nNo litestream here: a copy by `lastcard backup` stands for what it restores.")
            to = re.search(r"-o (\S+)", self.here(words))
            assert to
            shutil.copy(self.folder / "elsewhere", to[1])
            return
        process = self.litestream(words)
        said, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, said


@pytest.mark.soak
def test_lost_computer_comes_back_from_the_replica_by_the_pages_commands(tmp_path: Path) -> None:
    part = PAGE.partition("### Off this computer\n")[2].partition("\n## ")[0]
    runs = re.findall(
        r"^docker compose .* run --rm (?:--no-deps )?(replica|lastcard) (.*)$", part, re.MULTILINE
    )
    assert [service for service, _ in runs] == ["replica", "lastcard"]
    computer = Computer(tmp_path)
    with closing(sqlite3.connect(computer.data / "lastcard.sqlite3")) as database:
        database.executescript(gzip.decompress(LATE.read_bytes()).decode())
    computer.lastcard("prepare")
    with computer.replicating():
        time.sleep(2)  # the first snapshot
        computer.lastcard(
            "createsuperuser --noinput --username aino --email=a@b.example",
            DJANGO_SUPERUSER_PASSWORD="correct-horse-battery",
        )
    before = computer.lastcard("verify")
    shutil.rmtree(computer.data)
    computer.data.mkdir()
    (_, restore), (_, command) = runs
    computer.come_back(restore)
    assert "Restored." in computer.lastcard(command.removeprefix("lastcard "))
    assert computer.lastcard("verify") == before
    with closing(sqlite3.connect(computer.data / "lastcard.sqlite3")) as database:
        names = database.execute("SELECT username FROM tournament_user").fetchall()
    assert ("aino",) in names, "made when it was replicated already"


def test_profile_runs_beside_the_server_as_its_user_and_is_off_unless_asked_for() -> None:
    replica, server = (SMALL["services"][name] for name in ("replica", "lastcard"))
    assert replica["profiles"] == ["replica"]
    assert "profiles" not in server
    assert replica["image"].partition(":")[2] >= "0.5.17", "the first that is safe beside another program"
    assert replica["user"] == "10001:10001"
    assert "data:/data" in replica["volumes"]
    assert "data:/data" in server["volumes"]
    assert replica["depends_on"] == {"lastcard": {"condition": "service_healthy"}}
