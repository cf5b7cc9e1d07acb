"""One moment of the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


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
