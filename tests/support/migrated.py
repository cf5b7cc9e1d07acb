"""The migrated database of a run: the first process of pytest makes it, the others copy it. On SQLite it stays in var/
for later runs, as long as migrations, models and triggers are the same."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

import django
import portalocker
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test.utils import setup_databases, teardown_databases

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "var" / "tests"
MADE_OF = ("tournament/migrations/*.py", "tournament/models/*.py", "tournament/ledger/triggers.py")
MIGRATED = "test_lastcard_migrated"  # on PostgreSQL; the next run on the same server makes it afresh


@contextmanager
def migrated_database(shared: Path | None) -> Iterator[None]:
    """A migrated test database until the end. `shared` is the folder of the processes that run at the same time."""
    if connection.vendor == "sqlite":
        STORED.mkdir(parents=True, exist_ok=True)
        made = _made_once(stored())
    elif shared:
        made = _made_once(shared / "migrated")
    else:
        made = setup_databases(verbosity=0, interactive=False)
    try:
        yield
    finally:
        if connection.vendor == "postgresql":
            _end_other_sessions()
        teardown_databases(made, verbosity=0)


def stored() -> Path:
    """Where the migrated SQLite database of these migrations, models and triggers lies, if a run has made it."""
    return STORED / f"migrated-{_digest()}.sqlite3"


def _made_once(mark: Path) -> list[tuple[BaseDatabaseWrapper, str, bool]]:
    """Set the test database up: from the migrated one, where `mark` exists, otherwise by migrating."""
    with (mark.parent / "migrated.lock").open("w") as lock:
        portalocker.lock(lock, portalocker.LOCK_EX)  # the first makes it, the others wait
        copied = mark.exists()
        if copied:
            _copy(mark)
        made = setup_databases(verbosity=0, interactive=False, keepdb=copied)
        if not copied:
            _keep(mark)
    return made


def _digest() -> str:
    """A digest of what an empty migrated database depends on."""
    found = hashlib.sha256(f"{django.__version__} {sqlite3.sqlite_version}".encode())
    for path in sorted(path for pattern in MADE_OF for path in ROOT.glob(pattern)):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]


def _keep(mark: Path) -> None:
    if connection.vendor == "sqlite":
        for old in mark.parent.glob("migrated-*"):
            old.unlink()
        part = mark.with_suffix(".part")
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(part)])
        part.rename(mark)  # whole or not there
        return
    name = connection.settings_dict["NAME"]
    connection.close()  # a database in use cannot be a template
    _create(MIGRATED, template=name)
    mark.touch()


def _copy(mark: Path) -> None:
    creation: Any = connection.creation  # the stubs leave out what begins with an underscore
    name = creation._get_test_db_name()
    if connection.vendor == "sqlite":
        copyfile(mark, name)
    else:
        _create(name, template=MIGRATED)


def _end_other_sessions() -> None:
    """A thread or server of the last test may still be closing its connection: a database in use cannot be dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def _create(name: str, *, template: str) -> None:
    creation: Any = connection.creation
    with creation._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
