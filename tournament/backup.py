"""A copy of the whole database in a file, made while Lastcard runs.

SQLite's online backup gives the state of one moment without stopping writers for long; PostgreSQL's comes from pg_dump,
which must be installed. Only this computer's owner may read the file.
"""

import os
import shutil
import sqlite3
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection

PAGES = 500  # of the database that SQLite copies at once; between them writers get their turn


class BackupFailed(Exception):
    """No backup was made; the text says why."""


def folder() -> Path:
    """Where backups lie."""
    return Path(settings.DATA_DIR) / "backups"


def newest() -> datetime | None:
    """When the newest backup was finished; None without any."""
    made = [path.stat().st_mtime for path in folder().glob("lastcard-*") if path.suffix != ".part"]
    return datetime.fromtimestamp(max(made), UTC) if made else None


def make_backup(file: Path | None = None) -> Path:
    """Copy the database to `file`, or to a new file in `folder()`; gives its path. The file is there only once it is
    whole. Raises BackupFailed, and OSError where the place cannot be written."""
    on_sqlite = connection.vendor == "sqlite"
    if file is None:
        stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%S-%fZ")
        file = folder() / f"lastcard-{stamp}.{'sqlite3' if on_sqlite else 'dump'}"
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        (_copy_sqlite if on_sqlite else _dump_postgresql)(part)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return file


def _copy_sqlite(file: Path) -> None:
    name = connection.settings_dict["NAME"]
    source, target = sqlite3.connect(f"file:{name}?mode=ro", uri=True, timeout=20), sqlite3.connect(file)
    try:
        source.backup(target, pages=PAGES)
        (state,) = target.cursor().execute("PRAGMA quick_check").fetchone()
    except sqlite3.Error as error:
        raise BackupFailed(str(error)) from error
    finally:
        target.close()
        source.close()
    if state != "ok":
        raise BackupFailed(state)


def _dump_postgresql(file: Path) -> None:
    program = shutil.which("pg_dump")
    if program is None:
        raise BackupFailed("pg_dump is not installed: apt-get install postgresql-client")
    database = connection.settings_dict
    given = {
        "PGHOST": database["HOST"],
        "PGPORT": database["PORT"],
        "PGUSER": database["USER"],
        "PGPASSWORD": database["PASSWORD"],
        "PGDATABASE": database["NAME"],
    }
    environment = os.environ | {name: str(value) for name, value in given.items() if value}
    done = subprocess.run(  # noqa: S603 - a program of the system's, no words of anybody's
        [program, "--format=custom", f"--file={file}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupFailed(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "pg_dump failed")
