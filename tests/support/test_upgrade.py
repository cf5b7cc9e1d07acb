"""A database of an earlier Lastcard comes up to date: its demo events keep every fact, ledgers agree, pages open.

fixtures/upgrade/ holds databases as SQL, each made by the `manage.py make_demo` of the revision whose newest migration
it is named after. CI takes the last one, the soak all.
"""

import gzip
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.depth import dear

ROOT = Path(__file__).resolve().parents[2]
*EARLIER, LAST = sorted(path.name for path in (ROOT / "fixtures" / "upgrade").glob("*.sql.gz"))


@pytest.fixture(params=[*dear(*EARLIER), LAST])
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of a Lastcard that stopped before the newest migrations."""
    connection = sqlite3.connect(tmp_path / "lastcard.sqlite3")
    connection.executescript(
        gzip.decompress((ROOT / "fixtures" / "upgrade" / request.param).read_bytes()).decode()
    )
    connection.close()
    return tmp_path


def manage(data: Path, *arguments: str) -> str:
    """Run a command of manage.py for this folder of data and give its output."""
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    database = {"DATABASE_URL": f"sqlite:///{data / 'lastcard.sqlite3'}", "LASTCARD_DATA": str(data)}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment | database,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.sweep
def test_database_of_an_earlier_version_comes_up_to_date(earlier: Path) -> None:
    with closing(sqlite3.connect(earlier / "lastcard.sqlite3")) as connection:
        ((tournaments,),) = connection.execute("SELECT count(*) FROM tournament_tournament")
    manage(earlier, "migrate", "--verbosity", "0")
    lines = manage(earlier, "verify").splitlines()
    assert len(lines) == tournaments >= 3
    assert all(": clean, " in line for line in lines)
