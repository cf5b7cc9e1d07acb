"""Restore: verify the backup, set the current database aside, replace it, migrate. Refused while a server runs, except
with `while_used`, which overwrites the open database."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import Error, connection, connections
from django.db.migrations.loader import MigrationLoader

from tournament.backup import shelf
from tournament.backup.copying import SQLITE, BackupFailed, Head, check, copy_to, kind_of, run, to_disk
from tournament.backup.in_use import Locked, restoring
from tournament.backup.making import make_backup, sha256
from tournament.ledger.look import forget_heads
from tournament.ledger.verify import Finding, verify
from tournament.models import Tournament
from tournament.server.database import snapshot
from tournament.server.sqlite import sqlite3

JOURNALS = ("-journal", "-wal", "-shm")
APP = "tournament"

# Drops all tables and routines, also of later versions.
EMPTY = """
DO $$ DECLARE one record; BEGIN
  FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE format('DROP TABLE IF EXISTS %I CASCADE', one.tablename);
  END LOOP;
  FOR one IN SELECT oid::regprocedure::text AS name FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e') LOOP
    EXECUTE 'DROP ROUTINE IF EXISTS ' || one.name || ' CASCADE';
  END LOOP;
END $$;
"""


@dataclass(frozen=True, slots=True)
class Whole:
    """A verified backup. `ledgers` by tournament uid; None without a description. `key`: `key_mark`."""

    file: Path
    made: str
    ledgers: dict[str, Head] | None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Came:
    """A restored tournament. `same`: its ledger matches the backup's description; None if unknown."""

    slug: str
    rows: int
    head: str
    same: bool | None
    findings: list[Finding]


def whole(file: Path) -> Whole:
    """Verify a backup. Raises BackupFailed (damaged, not matching its JSON, other database, newer Lastcard) and
    OSError."""
    kind = kind_of(file)
    if kind != connection.vendor:
        raise BackupFailed(
            f"{file.name} is a {kind} backup, but DATABASE_URL names {connection.vendor}. Move events with archives"
        )
    said: dict[str, Any] = {}
    with suppress(FileNotFoundError):
        try:
            said = json.loads(shelf.beside(file).read_text())
        except ValueError as error:
            raise BackupFailed(f"{shelf.beside(file).name} is damaged") from error
    if said and said.get("sha256") != sha256(file):
        raise BackupFailed(f"{file.name} is not the file that {shelf.beside(file).name} describes")
    facts = check(file, kind)
    migration = facts["migration"] or said.get("migration", "")
    if migration and (APP, migration) not in MigrationLoader(None).disk_migrations:
        raise BackupFailed(f"{file.name} was made by a newer Lastcard ({migration})")
    ledgers = facts["ledgers"] if kind == SQLITE else said.get("ledgers")
    return Whole(file, str(said.get("made", "")), ledgers, str(said.get("key", "")))


def restore(
    backup: Whole, *, while_used: bool = False, say: Callable[[str], object] = lambda _: None
) -> list[Came]:
    """Replace the database by a backup and migrate; returns its verified tournaments. `say` gets the old one's path.
    Raises Locked while in use, unless `while_used`; BackupFailed and OSError, with the old database back in place."""
    with nullcontext() if while_used else restoring():
        aside = put(backup.file, while_used=while_used, say=say)
        try:
            call_command("migrate", verbosity=0, interactive=False)
            return list(_came(backup))
        except Exception as error:
            if aside is None:  # there was none
                raise
            _put_back(aside, while_used=while_used)
            raise BackupFailed(f"{error}. The previous database is back in its place") from error


def put(file: Path, *, while_used: bool = False, say: Callable[[str], object]) -> Path | None:
    """Replace the database without migrating; requires `restoring()` or `while_used`. Returns the old one's new path,
    None if there was none. Raises BackupFailed and OSError, leaving it unchanged."""
    if connection.vendor != SQLITE:
        aside = _into_postgresql(file, say)
    elif while_used:
        aside = _into_open_sqlite(file, say)
    else:
        aside = _in_place_of_sqlite(file, say)
    connections.close_all()
    forget_heads()
    return aside


def _put_back(aside: Path, *, while_used: bool) -> None:
    connections.close_all()
    if connection.vendor != SQLITE:
        _fill_postgresql(aside)
    elif while_used:
        _fill_open_sqlite(aside)
    else:
        name = Path(connection.settings_dict["NAME"])
        for ending in JOURNALS:
            Path(f"{name}{ending}").unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                Path(f"{aside}{ending}").replace(f"{name}{ending}")
        aside.replace(name)
    connections.close_all()
    forget_heads()


def _came(backup: Whole) -> Iterator[Came]:
    found, known = set(), backup.ledgers is not None
    for row in Tournament.objects.order_by("slug"):
        with snapshot():
            row.refresh_from_db()
            findings = verify(row)
        said = (backup.ledgers or {}).get(str(row.uid))
        same = said is not None and (said["rows"], said["head"]) == (row.version, row.ledger_head)
        found.add(str(row.uid))
        yield Came(row.slug, row.version, row.ledger_head, same if known else None, findings)
    for uid, said in (backup.ledgers or {}).items():
        if uid not in found:
            yield Came(said["slug"], 0, "", same=False, findings=[])


def _in_place_of_sqlite(file: Path, say: Callable[[str], object]) -> Path | None:
    name = Path(connection.settings_dict["NAME"])
    connections.close_all()
    new = name.with_name(f"{name.name}.restoring")
    try:
        new.unlink(missing_ok=True)
        new.touch(mode=0o600)
        shutil.copyfile(file, new)
        to_disk(new)
        if name.exists():
            with suppress(sqlite3.Error), closing(sqlite3.connect(name, timeout=0)) as present:
                present.execute("BEGIN EXCLUSIVE")  # crash recovery
                present.rollback()
                (waits, *_) = present.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if waits:
                    raise Locked("another program is reading the database")
        aside, there = _aside(name), name.exists()
        if there:
            aside.hardlink_to(name)
            say(f"The previous database was set aside: {aside}")
        for ending in JOURNALS:  # not part of the new database
            with suppress(FileNotFoundError):
                Path(f"{name}{ending}").replace(f"{aside}{ending}")
        new.replace(name)
        return aside if there else None
    finally:
        new.unlink(missing_ok=True)


def _into_open_sqlite(file: Path, say: Callable[[str], object]) -> Path:
    aside = _aside(Path(connection.settings_dict["NAME"]))
    copy_to(aside)
    say(f"The previous database was set aside: {aside}")
    connections.close_all()
    _fill_open_sqlite(file)
    return aside


def _fill_open_sqlite(file: Path) -> None:
    name = Path(connection.settings_dict["NAME"])
    try:
        with (
            closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as source,
            closing(sqlite3.connect(name, timeout=20)) as target,
        ):
            target.execute("PRAGMA synchronous = EXTRA")
            source.backup(target, pages=-1, sleep=0.01)
    except sqlite3.Error as error:
        raise BackupFailed(str(error)) from error


def _aside(name: Path) -> Path:
    return name.with_name(f"{name.name}.before-{datetime.now(UTC).strftime(shelf.STAMP)}")


def _into_postgresql(file: Path, say: Callable[[str], object]) -> Path | None:
    try:
        present = bool(connection.introspection.table_names())
    except Error as error:
        raise BackupFailed(str(error).splitlines()[0]) from error
    aside = make_backup(why="before restore") if present else None
    if aside:
        say(f"The previous database was set aside: {aside}")
    connections.close_all()
    _fill_postgresql(file)
    return aside


def _fill_postgresql(file: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="lastcard-restore-") as folder:
        empty, script = Path(folder) / "empty.sql", Path(folder) / "backup.sql"
        empty.write_text(EMPTY)
        run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(file))
        run(
            "psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
            f"--file={empty}", f"--file={script}",
        )  # fmt: skip
