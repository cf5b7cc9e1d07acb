"""`lastcard update`: from 0.1.0's demo database to a newer wheel and back; one that fails leaves all as it was."""

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import portalocker
import pytest

from tests.deploy.test_wheel import ROOT, build
from tests.support.upgrade import FIRST, LATE, NEWEST

pytestmark = [pytest.mark.program, pytest.mark.server, pytest.mark.sqlite]

LAST_0_2_0 = "0578af23"  # builds called themselves so from the release on, until this commit

FAILS = """
from django.db import migrations


def fail(apps, schema_editor):
    raise ValueError("the new program's own fault")


class Migration(migrations.Migration):
    dependencies = [("tournament", "{newest}")]
    operations = [migrations.RunPython(fail)]
"""


def as_version(wheel: Path, version: str, folder: Path, **added: str) -> Path:
    """The wheel with another version, and with files added; a name is written with __ for /."""
    now = wheel.name.split("-")[1]
    made = folder / wheel.name.replace(now, version)
    with ZipFile(wheel) as opened, ZipFile(made, "w") as written:
        for name in set(opened.namelist()) - set(added):
            text = opened.read(name)
            if name.endswith(("METADATA", "RECORD", "tournament/__init__.py")):
                text = text.replace(now.encode(), version.encode())
            if name.endswith("RECORD"):  # pip holds no file against its hash
                text = b"".join(f"{other},,\n".encode() for other in {*opened.namelist(), *added}).replace(
                    now.encode(), version.encode()
                )
            written.writestr(name.replace(f"lastcard-{now}", f"lastcard-{version}"), text)
        for name, content in added.items():
            written.writestr(name, content)
    return made


class Computer:
    """An environment with Lastcard, on the packages of this one, without a network; and its folder of data."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.data = folder / "data"
        self.data.mkdir()
        venv = folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
        self.python = venv / "bin" / "python"
        [self.packages] = (venv / "lib").glob("python*/site-packages")
        [ours] = (Path(sys.prefix) / "lib").glob("python*/site-packages")
        (self.packages / "ours.pth").write_text(f"{ours}\n")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LASTCARD_DATA": str(self.data),
            "PIP_NO_INDEX": "1",
            "BACKUP_EVERY": "0",
        }
        self.call("-m", "pip", "install", "-q", "--no-deps", str(wheel))

    def call(self, *words: str, code: int = 0) -> str:
        done = subprocess.run(
            [str(self.python), "-P", *words],
            cwd=self.data, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr

    def lastcard(self, *words: str, code: int = 0) -> str:
        return self.call("-m", "tournament", *words, code=code)

    @property
    def version(self) -> str:
        return self.lastcard("--version").split()[-1]

    def holds(self) -> tuple[list[str], str]:
        """The digests of its ledgers, and its last migration."""
        with closing(sqlite3.connect(self.data / "lastcard.sqlite3")) as database:
            digests = database.execute("SELECT digest FROM tournament_ledgerrow ORDER BY id").fetchall()
            [[migration]] = database.execute(
                "SELECT max(name) FROM django_migrations WHERE app = 'tournament'"
            )
        return [digest for (digest,) in digests], migration


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def computer(tmp_path: Path, wheel: Path, request: pytest.FixtureRequest) -> Computer:
    """With the demo database of a version, of 0.1.0 where a test names none."""
    computer = Computer(tmp_path, wheel)
    with closing(sqlite3.connect(computer.data / "lastcard.sqlite3")) as database:
        database.executescript(gzip.decompress(getattr(request, "param", FIRST).read_bytes()).decode())
    return computer


late = pytest.mark.parametrize("computer", [LATE], ids=["late"], indirect=True)


@pytest.mark.soak
def test_to_a_newer_version_and_back(computer: Computer, wheel: Path, tmp_path: Path) -> None:
    before, now = computer.holds(), computer.version
    assert len(before[0]) > 50
    said = computer.lastcard("update", str(as_version(wheel, "99.1.0", tmp_path)))
    assert "Lastcard 99.1.0 is installed, and every event verifies." in said
    assert f"`lastcard update --back` goes back to {now}." in said
    assert computer.version == "99.1.0"
    after = computer.holds()
    assert after[0] == before[0]
    assert after[1] > before[1]

    way = json.loads((computer.packages / "lastcard-versions" / "update.json").read_text())
    about = Path(f"{way['backup']}.json")
    facts = json.loads(about.read_text())
    next(iter(facts["ledgers"].values()))["rows"] -= 3  # as if three had come since
    about.write_text(json.dumps(facts))
    said = computer.lastcard("update", "--back", code=1)
    assert "Since the update, 3 rows were added to the ledgers." in said
    assert computer.version == "99.1.0"
    said = computer.lastcard("update", "--back", "--without-newer")
    assert "The previous database was set aside" in said
    assert f"Lastcard {now} is installed again" in said
    assert computer.version == now
    assert computer.holds()[0] == before[0]
    assert "The last update was from" in computer.lastcard("update", "--back", code=1)


@pytest.mark.soak
def test_last_build_that_calls_itself_0_2_0_comes_to_this_version_and_back(
    wheel: Path, tmp_path: Path
) -> None:
    """Its own `update` brings this wheel in. The build is made from git's history."""
    packed = subprocess.run(
        ["git", "archive", "--format=zip", LAST_0_2_0], cwd=ROOT, capture_output=True, check=False
    )
    if packed.returncode:
        pytest.skip("this clone does not have the history")
    with ZipFile(BytesIO(packed.stdout)) as source:
        source.extractall(tmp_path / "source")
    computer = Computer(tmp_path, build(tmp_path / "old", tmp_path / "source"))
    computer.lastcard("prepare")
    computer.lastcard("make_demo")
    before = computer.holds()
    assert (computer.version, len(before[0]) > 50) == ("0.2.0", True)
    assert "is installed, and every event verifies" in computer.lastcard("update", str(wheel))
    after = computer.holds()
    assert (computer.version != "0.2.0", after[0]) == (True, before[0])
    assert after[1] > before[1]
    assert "Lastcard 0.2.0 is installed again, and every event verifies" in computer.lastcard(
        "update", "--back"
    )
    assert (computer.version, computer.holds()) == ("0.2.0", before)


@late
@pytest.mark.soak
def test_what_fails_is_put_back(computer: Computer, wheel: Path, tmp_path: Path) -> None:
    before, now = computer.holds(), computer.version
    broken = {
        "the new program's own fault": {"tournament/migrations/9999_fails.py": FAILS.format(newest=NEWEST)},
        "it does not start": {"tournament/apps.py": "raise RuntimeError('it does not start')\n"},
    }
    for number, (why, added) in enumerate(broken.items()):
        made = as_version(wheel, f"99.1.{number}", tmp_path, **added)
        said = computer.lastcard("update", str(made), code=1)
        assert f"Not updated: {why}. Lastcard {now} and its database are unchanged." in said
        assert (computer.holds(), computer.version) == (before, now)
    needy = as_version(wheel, "99.2.0", tmp_path)
    with ZipFile(needy) as opened:
        texts = {name: opened.read(name) for name in opened.namelist()}
    with ZipFile(needy, "w") as written:
        for name, text in texts.items():
            more = b"Requires-Dist: nowhere-to-be-had\nName: lastcard"
            written.writestr(
                name, text.replace(b"Name: lastcard", more, 1) if name.endswith("METADATA") else text
            )
    assert "No matching distribution found for nowhere-to-be-had. Nothing was changed." in computer.lastcard(
        "update", str(needy), code=1
    )
    assert (computer.holds(), computer.version) == (before, now)


@pytest.mark.soak
@late
def test_bad_input_ends_in_a_sentence_and_changes_nothing(
    computer: Computer, wheel: Path, tmp_path: Path
) -> None:
    before, now = computer.holds(), computer.version

    def says(words: str, *arguments: str) -> None:
        assert words in computer.lastcard("update", *arguments, code=1)
        assert (computer.holds(), computer.version) == (before, now)

    newer = str(as_version(wheel, "99.1.0", tmp_path))
    text = tmp_path / "text.whl"
    text.write_text("no wheel")
    says(f"You have {now}. Download the wheel from the page")
    says("There is no file nothing.whl. Nothing was changed.", "nothing.whl")
    says("text.whl is not a wheel, or is damaged", str(text))
    other = tmp_path / "other-1-py3-none-any.whl"
    with ZipFile(other, "w") as written:
        written.writestr("other-1.dist-info/METADATA", "Name: other\nVersion: 1\n")
    says(f"{other.name} is not a wheel of Lastcard", str(other))
    says(f"is not newer than your version, {now}", str(as_version(wheel, "0.0.9", tmp_path)))
    says(
        f"is your version, {now}, perhaps of another day. To install it in place of yours, stop Lastcard",
        str(wheel),
    )
    says("There is no update to go back from.", "--back")
    with (computer.data / "lastcard.sqlite3-serving").open("ab") as held:
        portalocker.lock(held, portalocker.LOCK_SH)
        says("Stop Lastcard first: another process is using the database. Nothing was changed.", newer)
    computer.environment["PYTHONPATH"] = str(tmp_path / "without")
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "sitecustomize.py").write_text(
        "import shutil\nshutil.disk_usage = lambda _: __import__('types').SimpleNamespace(free=1)\n"
    )
    says("is too full", newer)
    (tmp_path / "without" / "sitecustomize.py").write_text(
        "import importlib.util as util\nfind = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name == 'pip' else find(name, *more)\n"
    )
    says("This environment has no pip", newer)


def test_a_checkout_is_brought_up_to_date_by_git(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "update", "new.whl"],
        cwd=ROOT, env=os.environ | {"LASTCARD_DATA": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "This is a checkout" in done.stderr
    assert list(tmp_path.glob("*.sqlite3*")) == []
