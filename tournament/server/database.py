"""The database connection: time limits, connections kept for referees, snapshots, and what Lastcard does without a
database.

On PostgreSQL an answer comes within seconds, also while somebody else holds what it needs; a server's connection that
nobody reads any more gives its locks back; and the last connections are referees'. SQLite has one writer and no
connections to run out of: settings.py says all that there is to say.
"""

import errno
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from tournament.server.sqlite import sqlite3

# Limits of a server's connections. Anything else that runs on the database (a migration, a purge, a copy) has none. The
# wait for a lock of somebody else; a phone without an answer for 15 s would send again all the same.
WAIT_MS = 6_000
STATEMENT_MS = 20_000
# The pause between two statements of a transaction: its server hangs, and others wait for its locks.
IDLE_MS = 60_000
# Seconds without a sign of life of the server's computer until it is asked for one; after the second vain try the
# connection ends.
NOBODY_S = 5
LIMITS = (
    f"SET lock_timeout = {WAIT_MS}; SET statement_timeout = {STATEMENT_MS}; "
    f"SET idle_in_transaction_session_timeout = {IDLE_MS}; "
    f"SET tcp_keepalives_idle = {NOBODY_S}; SET tcp_keepalives_interval = {NOBODY_S}; SET tcp_keepalives_count = 2"
)
WITHOUT_LIMITS = (
    "SET lock_timeout = 0; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"
)

# With one of these off, an entry that was confirmed can be lost with the power.
PROMISES = ("fsync", "full_page_writes", "synchronous_commit")
_BROKEN = "SELECT name FROM pg_settings WHERE name = ANY(%s) AND setting = 'off' ORDER BY name"

# How many connections anybody may open, and how many are open.
_ROOM = """
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true), '0')::int,
        (SELECT sum(numbackends) FROM pg_stat_database)::int
"""
KEPT = 4  # one connection of so many is kept for referees
TRIES, AGAIN_S = 20, 0.05  # tries to get one of the last connections, and the seconds between them
_ALL_TAKEN = ("too many clients", "connection slots")  # a connection that is refused has no code, only words
_IDLE_IN_TRANSACTION = "25P03"  # the session was ended, since its transaction stood still
_DISK_FULL = "53100"
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}

# Whether the present request can wait: it opens no connection where only those for referees are left.
can_wait: ContextVar[bool] = ContextVar("can_wait", default=False)
_thread = threading.local()

logger = logging.getLogger("tournament.database")


def is_away(raised: BaseException | None) -> bool:
    """Tell whether something failed because the database did not answer, somebody held a lock for too long, or the disk
    is full: the same may work in a moment."""
    return any(
        isinstance(each, OperationalError | InterfaceError)
        or getattr(each, "sqlstate", None) == _IDLE_IN_TRANSACTION
        or _says_full(each)
        for each in chain_of(raised)
    )


def is_full(raised: BaseException | None) -> bool:
    """Tell whether something failed because a disk of the server or its database is full."""
    return any(map(_says_full, chain_of(raised)))


def chain_of(raised: BaseException | None) -> Iterator[BaseException]:
    """List the exception and those that caused it."""
    while raised is not None:
        yield raised
        raised = raised.__cause__ or raised.__context__


def _says_full(raised: BaseException) -> bool:
    return (
        (isinstance(raised, OSError) and raised.errno in _NO_ROOM)
        or getattr(raised, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        or getattr(raised, "sqlstate", None) == _DISK_FULL
    )


def broken_promises() -> list[str]:
    """The settings of PostgreSQL that are off, so that what was confirmed may not survive a loss of power; none on
    SQLite, where settings.py decides. Raises the database's error."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(_BROKEN, [list(PROMISES)])
        return [name for (name,) in cursor.fetchall()]


def warn_of_broken_promises() -> None:
    """Say in the log which promises the database does not keep."""
    if broken := broken_promises():
        logger.warning(
            "PostgreSQL runs with %s off: a power cut can lose confirmed entries.",
            ", ".join(broken),
        )


def serve_within_limits() -> None:
    """Limit every connection that this process opens from now on; for a server."""
    connection_created.connect(_opened, dispatch_uid="limits")


def share_connections() -> None:
    """Let this thread serve everybody: where few connections are left, it keeps none open between requests."""
    _thread.shares = True


def connect_for_work() -> None:
    """Open this thread's connection for somebody who cannot wait. A visitor who took one of the last ones gives it back
    at once, so this retries for a moment; if there is none then, the work itself says so.
    """
    if connection.vendor != "postgresql" or can_wait.get():
        return
    for _ in range(TRIES):
        try:
            connection.ensure_connection()
            break
        except OperationalError as error:
            if not any(words in str(error) for words in _ALL_TAKEN):
                break
        time.sleep(AGAIN_S)


def _opened(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(LIMITS)
        if not getattr(_thread, "shares", False):
            return
        cursor.execute(_ROOM)
        most, used = cursor.fetchone() or (0, 0)
    left, kept = most - used, most // KEPT
    if left < 2 * kept:
        connection.close_at = 0.0  # at the end of this request: the next thread finds room
    if left < kept and can_wait.get():
        connection.close()
        raise OperationalError(
            f"{used} of {most} connections are open; the last ones are reserved for referees"
        )


class AwayInOneLine(logging.Filter):
    """Logs a database that does not answer in one line, without a traceback each time."""

    def filter(self, record: logging.LogRecord) -> bool:
        raised = record.exc_info[1] if record.exc_info else None
        if is_away(raised):
            record.msg, record.args = f"{record.getMessage()} ({' '.join(str(raised).split())})", ()
            record.exc_info = record.exc_text = None
        return True


def keep_to_owner() -> None:
    """Make a new SQLite database readable by its owner alone, as it holds contacts; its journal has the same mode. An
    existing one stays as its operator made it."""
    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        path = Path(database["NAME"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)


@contextmanager
def snapshot() -> Iterator[None]:
    """Read everything inside as of one moment, so that a version read first is that of what is read after it.

    For reading only, and for reading the rows only: with a rollback journal SQLite's writers wait for its end,
    so render outside. Within a transaction that is already open, that transaction goes on.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _deferred(), transaction.atomic():
            yield
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@contextmanager
def _deferred() -> Iterator[None]:
    """Begin SQLite's next transaction as a reader's; IMMEDIATE takes the one lock for writing."""
    connection.ensure_connection()  # sets transaction_mode from the settings when it opens
    usual = connection.transaction_mode  # type: ignore[attr-defined]  # the SQLite wrapper's own
    connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        yield
    finally:
        connection.transaction_mode = usual  # type: ignore[attr-defined]


class _Writes:
    """Records whether anything but queries was sent to the database."""

    any = False

    def __call__(self, execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        self.any = self.any or not sql.startswith("SELECT")
        return execute(sql, *arguments)


_command: ContextVar[_Writes | None] = ContextVar("_command", default=None)


@contextmanager
def command() -> Iterator[None]:
    """Run the block as one command, which ends with its row in the ledger or is rolled back."""
    writes = _Writes()
    before = _command.set(writes)
    try:
        with connection.execute_wrapper(writes):
            yield
    finally:
        _command.reset(before)


def has_written() -> bool:
    """Tell whether the open command has sent anything but queries to the database."""
    writes = _command.get()
    return writes is not None and writes.any
