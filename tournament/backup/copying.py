"""Consistent copy of the database in one file, without blocking writers.

SQLite: online backup in steps, one snapshot with WAL. With a rollback journal each write restarts it; after RESTARTS
it copies in one step while writers wait (150 ms for 50 MB). PostgreSQL: pg_dump and facts of one snapshot.
"""

import hashlib
import json
import os
import shutil
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol, TypedDict
from uuid import UUID

from django.db import connection

from tournament.server.database import WITHOUT_LIMITS
from tournament.server.sqlite import WAL, sqlite3

PAGES = 1000  # per step of SQLite's backup, about 5 ms
RESTARTS = 8  # due to writes, before copying in one step
AGAIN = 0.01  # seconds between retries of a blocked step
SQLITE, POSTGRESQL = "sqlite", "postgresql"
ENDINGS = {SQLITE: "sqlite3", POSTGRESQL: "dump"}
LEDGERS = "SELECT uid, slug, version, ledger_head FROM tournament_tournament ORDER BY slug"
# Data outside the ledgers, but for the last login
ACCOUNTS = (
    "SELECT username, password, is_active, is_staff, is_superuser FROM tournament_user ORDER BY id",
    "SELECT max(id), count(*) FROM django_admin_log",
)
MIGRATION = "SELECT max(name) FROM django_migrations WHERE app = 'tournament'"


class Cursor(Protocol):
    """The common part of Django's, sqlite3's and psycopg's cursors."""

    def execute(self, query: Any, /) -> Any: ...

    def fetchall(self) -> Any: ...


class Head(TypedDict):
    """A ledger's head: tournament slug, number of rows, last digest."""

    slug: str
    rows: int
    head: str


class Facts(TypedDict):
    """Summary of a database. `ledgers` by tournament uid; `accounts`: digest of accounts and admin log; `migration`:
    the latest."""

    ledgers: dict[str, Head]
    accounts: str
    migration: str


class BackupFailed(Exception):
    """A backup failed or is invalid, as the text says."""


class _KeepsChanging(Exception):
    """Writes restart the copy too often."""


def copy_to(file: Path, *, most_s: float | None = None) -> Facts:
    """Copy the database to the new `file` and verify it; returns facts. Raises BackupFailed, also after `most_s`
    seconds, and OSError."""
    file.touch(mode=0o600)
    if connection.vendor == SQLITE:
        _copy_sqlite(file, most_s)
        return check(file, SQLITE)
    facts = _dump_postgresql(file, most_s)
    check(file, POSTGRESQL)
    to_disk(file)
    return facts


def size() -> int:
    """Size of the database in bytes."""
    if connection.vendor == SQLITE:
        name = Path(connection.settings_dict["NAME"])
        return sum(each.stat().st_size for each in (name, Path(f"{name}-wal")) if each.exists())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (bytes_,) = cursor.fetchone() or (0,)
    return int(bytes_)


def kind_of(file: Path) -> str:
    """SQLITE or POSTGRESQL, by the file's first bytes. Raises BackupFailed."""
    with file.open("rb") as opened:
        begins = opened.read(16)
    if begins == b"SQLite format 3\0":
        return SQLITE
    if begins.startswith(b"PGDMP"):
        return POSTGRESQL
    raise BackupFailed(f"{file.name} is not a backup")


def check(file: Path, kind: str) -> Facts:
    """Verify a copy; returns its facts (empty for PostgreSQL). Raises BackupFailed."""
    if kind == POSTGRESQL:
        run("pg_restore", "--list", str(file))
        return Facts(ledgers={}, accounts="", migration="")
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            (state,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
            if state != "ok":
                raise BackupFailed(f"{file.name} is damaged: {state}")
            return facts_in(copy.cursor())
    except sqlite3.Error as error:
        raise BackupFailed(f"{file.name} is damaged: {error}") from error


def _copy_sqlite(file: Path, most_s: float | None) -> None:
    name = Path(connection.settings_dict["NAME"]).resolve()
    began = time.monotonic()
    try:
        with closing(sqlite3.connect(f"{name.as_uri()}?mode=ro", uri=True, timeout=20)) as source:
            if WAL:
                source.execute("BEGIN")
                source.execute("SELECT 1 FROM sqlite_schema").fetchone()  # opens the snapshot
            try:
                _steps(source, file, began + most_s if most_s else None)
            except _KeepsChanging:
                file.write_bytes(b"")
                with closing(_target(file)) as target:
                    source.backup(target, pages=-1, sleep=AGAIN)
    except sqlite3.Error as error:
        raise BackupFailed(str(error)) from error
    to_disk(file)


def _steps(source: sqlite3.Connection, file: Path, until: float | None) -> None:
    """Copy in steps. Raises _KeepsChanging, and BackupFailed after `until`."""
    restarts, left = 0, float("inf")

    def after_step(status: int, remaining: int, _total: int) -> None:
        nonlocal restarts, left
        if until is not None and time.monotonic() > until:
            raise BackupFailed("it takes too long")
        if status != sqlite3.SQLITE_BUSY and remaining >= left:
            restarts += 1
        if restarts > RESTARTS:
            raise _KeepsChanging
        left = remaining or float("inf")

    with closing(_target(file)) as target:
        source.backup(target, pages=PAGES, progress=after_step, sleep=AGAIN)


def _target(file: Path) -> sqlite3.Connection:
    """No journal or sync: failed copies are discarded."""
    target = sqlite3.connect(file)
    target.execute("PRAGMA synchronous = OFF")
    target.execute("PRAGMA journal_mode = OFF")
    return target


def to_disk(file: Path) -> None:
    """Flush a file to disk (fsync)."""
    with file.open("rb+") as written:
        os.fsync(written.fileno())


def _dump_postgresql(file: Path, most_s: float | None) -> Facts:
    own = connection.copy()  # the exported snapshot needs its own transaction
    try:
        with own.cursor() as cursor:
            cursor.execute(WITHOUT_LIMITS)  # idle while pg_dump works
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            (snapshot,) = cursor.fetchone() or ("",)
            run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={file}", most_s=most_s)
            return facts_in(cursor)
    finally:
        own.close()


def run(program: str, *arguments: str, most_s: float | None = None) -> None:
    """Run a PostgreSQL client program. Raises BackupFailed with the last line of stderr."""
    found = shutil.which(program)
    if found is None:
        raise BackupFailed(f"{program} is not installed: apt-get install postgresql-client")
    database = connection.settings_dict
    given = {
        "PGHOST": database["HOST"],
        "PGPORT": database["PORT"],
        "PGUSER": database["USER"],
        "PGPASSWORD": database["PASSWORD"],
        "PGDATABASE": database["NAME"],
    }
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system
            [found, *arguments],
            env=os.environ | {name: str(value) for name, value in given.items() if value},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=most_s,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise BackupFailed("it takes too long") from late
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise BackupFailed(said[-1] if said else f"{program} failed")


def facts_in(cursor: Cursor) -> Facts:
    """Facts of a database of any Lastcard version; raises its error if tables are missing."""
    ledgers = {
        str(UUID(str(uid))): Head(slug=slug, rows=rows, head=head)
        for uid, slug, rows, head in _read(cursor, LEDGERS)
    }
    accounts = [  # SQLite's booleans are numbers
        [str(int(value) if isinstance(value, bool) else value) for value in row]
        for query in ACCOUNTS
        for row in _read(cursor, query)
    ]
    (migration,) = _read(cursor, MIGRATION)[0]
    return Facts(
        ledgers=ledgers,
        accounts=hashlib.sha256(json.dumps(accounts).encode()).hexdigest(),
        migration=migration or "",
    )


def _read(cursor: Cursor, query: str) -> list[Any]:
    cursor.execute(query)
    return list(cursor.fetchall())
