"""One SQLite in a process: the package's where it is installed, and everybody gets the same."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.db.backends.sqlite3 import base

from tournament.server.sqlite import WAL, sqlite3
from tournament.settings import JOURNAL

ROOT = Path(__file__).resolve().parents[2]


def test_django_and_whoever_imports_it_by_name_get_the_same_library() -> None:
    import sqlite3 as by_name

    assert by_name is sqlite3
    django: Any = base  # its stubs leave out which library it uses
    assert django.Database.connect is sqlite3.connect
    assert (find_spec("pysqlite3") is not None) == (sqlite3.__name__ == "pysqlite3")
    assert (JOURNAL == "WAL") == WAL == (sqlite3.sqlite_version_info >= (3, 51, 3))


def test_nothing_of_ours_imports_another() -> None:
    own = ROOT / "tournament" / "server" / "sqlite.py"
    others = [
        file
        for file in (ROOT / "tournament").rglob("*.py")
        if file != own
        and any(line.startswith(("import sqlite3", "from sqlite3")) for line in file.read_text().splitlines())
    ]
    assert others == []


@pytest.mark.parametrize("there", [True, False], ids=["with the package", "without"])
def test_package_is_taken_where_it_is(there: bool, tmp_path: Path) -> None:
    """A package of that name stands in for it, so that this holds on every system."""
    if there:
        (tmp_path / "pysqlite3").mkdir()
        (tmp_path / "pysqlite3" / "__init__.py").write_text(
            "from sqlite3 import *\nsqlite_version_info = (3, 99, 0)\n"
        )
        (tmp_path / "pysqlite3" / "dbapi2.py").write_text("")
    hidden = (
        ""
        if there
        else "import sys; sys.modules['pysqlite3'] = None; import importlib.util as u; u.find_spec = lambda _: None; "
    )
    asked = "print(sqlite3.__name__, sqlite3.sqlite_version_info >= (3, 99))"
    script = f"{hidden}from tournament.server.sqlite import sqlite3; {asked}"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env={"PYTHONPATH": f"{tmp_path}:{ROOT}"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == (["pysqlite3", "True"] if there else ["sqlite3", "False"])
