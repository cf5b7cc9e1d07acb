"""Locks between processes: one backup at a time, and no restore into a database that a server has open.

The system lets go of them when a process ends, however it ends. A system without `fcntl` (Windows) has none.
"""

import contextlib
from pathlib import Path
from typing import IO

from django.db import connection

from tournament.backup.copying import SQLITE, BackupFailed

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]


class Locked(BackupFailed):
    """Another process has it."""


def lock(file: Path, *, shared: bool = False) -> contextlib.closing[IO[bytes]]:
    """Take a lock at once, or raise Locked; closing what it gives lets go of it."""
    opened = file.open("ab")
    if fcntl is not None:
        try:
            fcntl.flock(opened, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            opened.close()
            raise Locked("another process is at it") from error
    return contextlib.closing(opened)


def serving() -> contextlib.AbstractContextManager[object]:
    """Held by a server as long as it serves. Raises Locked while a backup is being restored.

    On PostgreSQL the database itself knows who is connected.
    """
    return lock(_file(), shared=True) if connection.vendor == SQLITE else contextlib.nullcontext()


def restoring() -> contextlib.AbstractContextManager[object]:
    """Held by a restore. Raises Locked while a server, or anybody else, uses the database."""
    if connection.vendor == SQLITE:
        return lock(_file())
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        (others,) = cursor.fetchone() or (0,)
    if others:
        raise Locked(f"{others} others are connected to the database")
    return contextlib.nullcontext()


def _file() -> Path:
    name = Path(connection.settings_dict["NAME"])
    name.parent.mkdir(parents=True, exist_ok=True)
    return name.with_name(f"{name.name}-serving")
