"""What a database holds, in short: enough to see that a copy is the same, and that nothing is new since."""

import hashlib
import json
from typing import Any, Protocol, TypedDict
from uuid import UUID


class Cursor(Protocol):
    """What Django's, sqlite3's and psycopg's cursors have in common."""

    def execute(self, query: Any, /) -> Any: ...

    def fetchall(self) -> Any: ...


class Head(TypedDict):
    """The end of one tournament's ledger: its public address, how many rows, the digest of the last."""

    slug: str
    rows: int
    head: str


class Facts(TypedDict):
    """`ledgers` by the tournaments' uids; `accounts` is a digest of what no ledger holds, people's accounts and keys;
    `migration` the last one."""

    ledgers: dict[str, Head]
    accounts: str
    migration: str


LEDGERS = "SELECT uid, slug, version, ledger_head FROM tournament_tournament ORDER BY slug"
# What people lose with a database beside their events; when somebody signed in is no loss.
ACCOUNTS = (
    "SELECT username, password, is_active, is_staff, is_superuser FROM tournament_user ORDER BY id",
    "SELECT max(id), count(*) FROM django_admin_log",
)
MIGRATION = "SELECT max(name) FROM django_migrations WHERE app = 'tournament'"


def facts_in(cursor: Cursor) -> Facts:
    """The facts of the database that the cursor reads, which has Lastcard's tables, of whichever version.

    Raises the database's error where it has none.
    """
    ledgers = {
        str(UUID(str(uid))): Head(slug=slug, rows=rows, head=head)
        for uid, slug, rows, head in _read(cursor, LEDGERS)
    }
    accounts = [
        [str(value) for value in map(_plain, row)] for query in ACCOUNTS for row in _read(cursor, query)
    ]
    (migration,) = _read(cursor, MIGRATION)[0]
    digest = hashlib.sha256(json.dumps(accounts).encode()).hexdigest()
    return Facts(ledgers=ledgers, accounts=digest, migration=migration or "")


def _plain(value: Any) -> Any:
    """A value as both databases give it: SQLite's truth is a number."""
    return int(value) if isinstance(value, bool) else value


def _read(cursor: Cursor, query: str) -> list[Any]:
    cursor.execute(query)
    return list(cursor.fetchall())
