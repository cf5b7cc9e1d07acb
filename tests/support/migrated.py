"""The migrated database of a run: the first process of pytest makes it, the others copy it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

import portalocker
from django.db import connection
from django.test.utils import setup_databases, teardown_databases

MIGRATED = "test_lastcard_migrated"  # on PostgreSQL; the next run on the same server makes it afresh


@contextmanager
def migrated_database(shared: Path | None) -> Iterator[None]:
    """A migrated test database until the end. `shared` is the folder of the processes that run at the same time."""
    if shared is None:
        made = setup_databases(verbosity=0, interactive=False)
    else:
        with (shared / "migrated.lock").open("w") as lock:
            portalocker.lock(lock, portalocker.LOCK_EX)  # the first makes it, the others wait
            mark = shared / "migrated"
            copied = mark.exists()
            if copied:
                _copy(mark)
            made = setup_databases(verbosity=0, interactive=False, keepdb=copied)
            if not copied:
                _keep(mark)
    try:
        yield
    finally:
        teardown_databases(made, verbosity=0)


def _keep(mark: Path) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(mark)])
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


def _create(name: str, *, template: str) -> None:
    creation: Any = connection.creation
    with creation._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
