"""Locks between processes: one backup at a time, one that migrates, and no restore into a database that a server has
open.

The system releases them when a process ends, however it ends.
"""

import contextlib
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from django.db import Error, connection

from tournament.backup.copying import SQLITE, BackupFailed
from tournament.server.machine import take_lock

MIGRATES = 7_014_611_290  # PostgreSQL's advisory lock for migrations
AGAIN = 0.2  # seconds until a process that waits tries again

logger = logging.getLogger(__name__)


class Locked(BackupFailed):
    """Another process holds the lock."""


def lock(file: Path, *, shared: bool = False) -> contextlib.closing[IO[bytes]]:
    """Take a lock at once, or raise Locked; closing the result releases the lock."""
    opened = file.open("ab")
    if not take_lock(opened, shared=shared):
        opened.close()
        raise Locked("another process is using the database")
    return contextlib.closing(opened)


def serving() -> contextlib.AbstractContextManager[object]:
    """A lock to hold while serving. Raises Locked while a backup is being restored.

    On PostgreSQL the database itself knows who is connected.
    """
    return lock(_file(), shared=True) if connection.vendor == SQLITE else contextlib.nullcontext()


def restoring() -> contextlib.AbstractContextManager[object]:
    """A lock to hold while restoring. Raises Locked while a server, or anybody else, uses the database."""
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
    """Hold this while migrating. A second process waits, says so in the log, and then finds nothing to do."""
    with contextlib.ExitStack() as held:
        if not _taken_to_migrate(held):
            logger.info("Another process is migrating the database; waiting for it.")
            # Polled, since a migration may have to wait for somebody who waits within a statement.
            while not _taken_to_migrate(held):
                time.sleep(AGAIN)
        yield


def _taken_to_migrate(held: contextlib.ExitStack) -> bool:
    if connection.vendor == SQLITE:
        if connection.is_in_memory_db():  # type: ignore[attr-defined]  # SQLite's has it
            return True  # no other process can use it
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
    # A connection that was lost holds nothing.
    with contextlib.suppress(Error), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATES])


def _file(held_by: str = "serving") -> Path:
    name = Path(connection.settings_dict["NAME"])
    name.parent.mkdir(parents=True, exist_ok=True)
    return name.with_name(f"{name.name}-{held_by}")
