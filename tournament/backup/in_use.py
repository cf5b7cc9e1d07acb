"""Inter-process locks for backup, migration, serving and restore; released by the system when a process ends."""

import contextlib
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from django.db import Error, connection

from tournament.backup.copying import SQLITE, BackupFailed
from tournament.server.machine import take_lock

MIGRATES = 7_014_611_290  # PostgreSQL advisory lock
AGAIN = 0.2  # seconds between attempts

logger = logging.getLogger(__name__)


class Locked(BackupFailed):
    """Another process holds the lock."""


def lock(file: Path, *, shared: bool = False) -> contextlib.closing[IO[bytes]]:
    """Take a lock without waiting; raises Locked. Close the result to release it."""
    file.touch(mode=0o600)  # any user who can open it could hold the lock
    opened = file.open("ab")
    if not take_lock(opened, shared=shared):
        opened.close()
        raise Locked("another process is using the database")
    return contextlib.closing(opened)


def serving() -> contextlib.AbstractContextManager[object]:
    """Lock while serving. Raises Locked during a restore. On PostgreSQL `restoring` counts connections."""
    return lock(_file(), shared=True) if connection.vendor == SQLITE else contextlib.nullcontext()


def restoring() -> contextlib.AbstractContextManager[object]:
    """Lock while restoring. Raises Locked while the database is in use."""
    if connection.vendor == SQLITE:
        return lock(_file())
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        (others,) = cursor.fetchone() or (0,)
    if others:
        raise Locked(f"{others} other programs are connected to the database")
    return contextlib.nullcontext()


@contextlib.contextmanager
def migrating() -> Iterator[None]:
    """Lock while migrating; a second process waits."""
    with contextlib.ExitStack() as held:
        if not _taken_to_migrate(held):
            logger.info("Another process is migrating the database; waiting for it.")
            while not _taken_to_migrate(held):  # a blocking statement could block the migration
                time.sleep(AGAIN)
        yield


def _taken_to_migrate(held: contextlib.ExitStack) -> bool:
    if connection.vendor == SQLITE:
        if connection.is_in_memory_db():  # type: ignore[attr-defined]  # SQLite's has it
            return True
        with contextlib.suppress(Locked):
            held.enter_context(lock(_file("migrating")))
            return True
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [MIGRATES])
        (taken,) = cursor.fetchone() or (False,)
    if taken:
        held.callback(_migrated)
    return bool(taken)


def _migrated() -> None:
    with contextlib.suppress(Error), connection.cursor() as cursor:  # a lost connection holds no lock
        cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATES])


def _file(held_by: str = "serving") -> Path:
    name = Path(connection.settings_dict["NAME"])
    name.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return name.with_name(f"{name.name}-{held_by}")
