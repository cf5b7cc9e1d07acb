"""Database connections."""

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
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from tournament.server.django_private import beginning_as_reader, close_after_request
from tournament.server.sqlite import sqlite3

# A phone resends after 15 s.
WAIT_MS = 6_000
STATEMENT_MS = 20_000
# Hung transactions hold locks.
IDLE_MS = 60_000
# TCP keepalive seconds; the connection ends after two failed probes.
NOBODY_S = 5
LIMITS = (
    f"SET lock_timeout = {WAIT_MS}; SET statement_timeout = {STATEMENT_MS}; "
    f"SET idle_in_transaction_session_timeout = {IDLE_MS}; "
    f"SET tcp_keepalives_idle = {NOBODY_S}; SET tcp_keepalives_interval = {NOBODY_S}; SET tcp_keepalives_count = 2"
)
WITHOUT_LIMITS = (
    "SET lock_timeout = 0; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"
)

# Any of these off risks confirmed entries at power loss.
PROMISES = ("fsync", "full_page_writes", "synchronous_commit")
_BROKEN = "SELECT name FROM pg_settings WHERE name = ANY(%s) AND setting = 'off' ORDER BY name"

_ROOM = """
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true), '0')::int,
        (SELECT sum(numbackends) FROM pg_stat_database)::int
"""
REFEREES_CONNECTIONS = 4  # a quarter of the connections is for referees
TRIES, AGAIN_S = 20, 0.05  # retries, seconds between
_ALL_TAKEN = ("too many clients", "connection slots")  # refused connections carry no code
_IDLE_IN_TRANSACTION = "25P03"  # idle-in-transaction timeout
_DISK_FULL = "53100"
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}

# Whether the request may wait, without the referees' connections.
can_wait: ContextVar[bool] = ContextVar("can_wait", default=False)
_thread = threading.local()
damaged = threading.Event()  # set once an error of this process said so

logger = logging.getLogger("tournament.database")


UNAVAILABLE, RETRY_S = 503, 5  # status of an answer then; Retry-After in seconds


def is_away(raised: BaseException | None) -> bool:
    """Whether the database is unreachable or damaged, a lock timed out or the disk is full."""
    return is_damaged(raised) or any(
        isinstance(each, OperationalError | InterfaceError)
        or getattr(each, "sqlstate", None) == _IDLE_IN_TRANSACTION
        or _says_full(each)
        for each in chain_of(raised)
    )


def is_full(raised: BaseException | None) -> bool:
    """Whether the cause is a full disk of server or database."""
    return any(map(_says_full, chain_of(raised)))


def chain_of(raised: BaseException | None) -> Iterator[BaseException]:
    """Yield the exception and its causes."""
    while raised is not None:
        yield raised
        raised = raised.__cause__ or raised.__context__


def _says_full(raised: BaseException) -> bool:
    return (
        (isinstance(raised, OSError) and raised.errno in _NO_ROOM)
        or getattr(raised, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        or getattr(raised, "sqlstate", None) == _DISK_FULL
    )


def is_damaged(raised: BaseException | None) -> bool:
    """Whether the cause is a damaged SQLite file."""
    codes = {getattr(each, "sqlite_errorcode", 0) & 0xFF for each in chain_of(raised)}
    return not codes.isdisjoint({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def damage() -> str:
    """Damage that SQLite finds in its file; "" if none. Reads the whole file."""
    if connection.vendor != "sqlite":
        return ""
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA quick_check(1)")
            (said,) = cursor.fetchone()
    except DatabaseError as error:
        if not is_damaged(error):
            raise
        said = str(error)
    return "" if said == "ok" else str(said)


def broken_promises() -> list[str]:
    """PostgreSQL durability settings that are off; empty on SQLite. Raises database errors."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(_BROKEN, [list(PROMISES)])
        return [name for (name,) in cursor.fetchall()]


def warn_of_broken_promises() -> None:
    """Log durability settings that are off."""
    if broken := broken_promises():
        logger.warning(
            "PostgreSQL runs with %s off: a power cut can lose confirmed entries.",
            ", ".join(broken),
        )


def serve_within_limits() -> None:
    """Apply the limits to all new connections."""
    connection_created.connect(_opened, dispatch_uid="limits")


def share_connections() -> None:
    """Mark a common thread: if connections are scarce it closes them between requests."""
    _thread.shares = True


def connect_for_work() -> None:
    """Open a referee's connection, retrying while visitors release theirs."""
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
    left, kept = most - used, most // REFEREES_CONNECTIONS
    if left < 2 * kept:
        close_after_request(connection)
    if left < kept and can_wait.get():
        connection.close()
        raise OperationalError(
            f"{used} of {most} connections are open; the last ones are reserved for referees"
        )


class AwayInOneLine(logging.Filter):
    """Logs database outages in one line; notes damage."""

    def filter(self, record: logging.LogRecord) -> bool:
        raised = record.exc_info[1] if record.exc_info else None
        if is_damaged(raised):
            damaged.set()
        if is_away(raised):
            record.msg, record.args = f"{record.getMessage()} ({' '.join(str(raised).split())})", ()
            record.exc_info = record.exc_text = None
        return True


def keep_to_owner() -> None:
    """Create a SQLite database owner-only."""
    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        path = Path(database["NAME"])
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)


@contextmanager
def snapshot() -> Iterator[None]:
    """Read-only block at one moment; joins an open transaction. Render outside: with a rollback journal SQLite's
    writers wait."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with beginning_as_reader(), transaction.atomic():
            yield
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


class _Writes:
    any = False

    def __call__(self, execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        self.any = self.any or not sql.startswith("SELECT")
        return execute(sql, *arguments)


_command: ContextVar[_Writes | None] = ContextVar("_command", default=None)


@contextmanager
def command() -> Iterator[None]:
    """Run the block as one command: one ledger row, or rolled back."""
    writes = _Writes()
    before = _command.set(writes)
    try:
        with connection.execute_wrapper(writes):
            yield
    finally:
        _command.reset(before)


def has_written() -> bool | None:
    """Whether the open command has written; None outside of one."""
    writes = _command.get()
    return writes.any if writes else None
