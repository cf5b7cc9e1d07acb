"""A copy of the database as of one moment, in one file, made without blocking those who enter results.

SQLite's online backup copies in small steps and lets writers in between. With a write-ahead log they are steps of one
snapshot; with a rollback journal a write in between makes it start again, and where writes are so many that it never
ends, it copies in one go, and they wait for that: some 150 ms for 50 MB. PostgreSQL's copy comes from pg_dump, which
must be installed and blocks nobody; its facts are read in the same snapshot.

`Facts` are a summary of a database: enough to see that a copy is the same, and that nothing is new since.
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

PAGES = 1000  # of the database that SQLite copies in one step, in about 5 ms
RESTARTS = 8  # starts over because somebody wrote, until it copies in one go
AGAIN = 0.01  # seconds until a step that a writer blocked is tried again
SQLITE, POSTGRESQL = "sqlite", "postgresql"
ENDINGS = {SQLITE: "sqlite3", POSTGRESQL: "dump"}
LEDGERS = "SELECT uid, slug, version, ledger_head FROM tournament_tournament ORDER BY slug"
# Data that people would lose with a database beside their events; the time of the last sign-in is no loss.
ACCOUNTS = (
    "SELECT username, password, is_active, is_staff, is_superuser FROM tournament_user ORDER BY id",
    "SELECT max(id), count(*) FROM django_admin_log",
)
MIGRATION = "SELECT max(name) FROM django_migrations WHERE app = 'tournament'"


class Cursor(Protocol):
    """The methods that Django's, sqlite3's and psycopg's cursors share."""

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


class BackupFailed(Exception):
    """No backup was made, or a file is none; the text says why."""


class _KeepsChanging(Exception):
    """Somebody writes more often than a copy takes."""


def copy_to(file: Path, *, most_s: float | None = None) -> Facts:
    """Copy the database of the settings to `file`, which is made, and see that the copy is whole; gives what it holds.

    Raises BackupFailed, also when it takes more than `most_s` seconds, and OSError where the place cannot be written.
    """
    file.touch(mode=0o600)
    if connection.vendor == SQLITE:
        _copy_sqlite(file, most_s)
        return check(file, SQLITE)
    facts = _dump_postgresql(file, most_s)
    check(file, POSTGRESQL)
    to_disk(file)
    return facts


def size() -> int:
    """Bytes of the database of the settings."""
    if connection.vendor == SQLITE:
        name = Path(connection.settings_dict["NAME"])
        return sum(each.stat().st_size for each in (name, Path(f"{name}-wal")) if each.exists())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (bytes_,) = cursor.fetchone() or (0,)
    return int(bytes_)


def kind_of(file: Path) -> str:
    """Tell which database's backup a file is, by its first bytes. Raises BackupFailed for anything else."""
    with file.open("rb") as opened:
        begins = opened.read(16)
    if begins == b"SQLite format 3\0":
        return SQLITE
    if begins.startswith(b"PGDMP"):
        return POSTGRESQL
    raise BackupFailed(f"{file.name} is not a backup")


def check(file: Path, kind: str) -> Facts:
    """See that a copy is whole; gives what it holds, for PostgreSQL's nothing: that is in the file beside it.

    Raises BackupFailed.
    """
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
                source.execute("SELECT 1 FROM sqlite_schema").fetchone()  # from here on it is one snapshot
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
    """Copy in steps. Raises _KeepsChanging, and BackupFailed when it is later than `until`."""
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
    """An empty database that nothing but this copy is written to: what goes wrong is thrown away."""
    target = sqlite3.connect(file)
    target.execute("PRAGMA synchronous = OFF")
    target.execute("PRAGMA journal_mode = OFF")
    return target


def to_disk(file: Path) -> None:
    """Wait until the bytes of a file are on the disk, where a loss of power leaves them."""
    with file.open("rb+") as written:
        os.fsync(written.fileno())


def _dump_postgresql(file: Path, most_s: float | None) -> Facts:
    own = connection.copy()  # a snapshot needs a transaction, and ours may be within one
    try:
        with own.cursor() as cursor:
            cursor.execute(WITHOUT_LIMITS)  # it only waits while pg_dump works
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            (snapshot,) = cursor.fetchone() or ("",)
            run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={file}", most_s=most_s)
            return facts_in(cursor)
    finally:
        own.close()


def run(program: str, *arguments: str, most_s: float | None = None) -> None:
    """Run one of PostgreSQL's programs on the database of the settings. Raises BackupFailed with what it said."""
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
        done = subprocess.run(  # noqa: S603 - a program of the system's, no words of anybody's
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
    """The facts of the database that the cursor reads, which has Lastcard's tables, of whichever version.

    Raises the database's error where it has none.
    """
    ledgers = {
        str(UUID(str(uid))): Head(slug=slug, rows=rows, head=head)
        for uid, slug, rows, head in _read(cursor, LEDGERS)
    }
    accounts = [  # as both databases give them: SQLite's truth is a number
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
