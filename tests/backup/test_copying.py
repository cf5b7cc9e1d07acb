"""A copy of the database with the state of one moment, and what is no whole copy."""

import shutil
import sqlite3
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, connections

from tests.support.factories import UserFactory, recorded_round, running_match
from tournament.backup import copying
from tournament.backup.copying import BackupFailed, check, copy_to, facts_in, kind_of, run, size
from tournament.server.sqlite import WAL

BEGINS = {copying.SQLITE: b"SQLite format 3\0", copying.POSTGRESQL: b"PGDMP"}


@pytest.fixture
def on_disk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database of Lastcard's in a file, with nothing in its tables. Its tests are not marked as tests of the
    database, so PostgreSQL is not asked about them (tests/conftest.py)."""
    name = Path(shutil.copy(request.getfixturevalue("prepared") / "lastcard.sqlite3", tmp_path))
    monkeypatch.setitem(connections["default"].settings_dict, "NAME", str(name))
    return name


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_copy_holds_what_the_database_holds(tmp_path: Path) -> None:
    made = running_match(players=2)
    recorded_round(made)
    made.refresh()
    with connection.cursor() as cursor:
        now = facts_in(cursor)
    file = tmp_path / "copy"
    assert copy_to(file) == now
    assert now["ledgers"][str(made.tournament.uid)] == {
        "slug": made.tournament.slug, "rows": made.tournament.version, "head": made.tournament.ledger_head,
    }  # fmt: skip
    assert file.stat().st_mode & 0o077 == 0
    assert kind_of(file) == connection.vendor
    assert size() > 0
    UserFactory()
    with connection.cursor() as cursor:
        later = facts_in(cursor)
    assert later["accounts"] != now["accounts"], "an account is new"
    assert later["ledgers"] == now["ledgers"]


@pytest.mark.sweep
def test_copy_that_takes_too_long_fails(on_disk: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupFailed, match="it takes too long"):
        copy_to(tmp_path / "copy", most_s=1e-9)
    assert copy_to(tmp_path / "other", most_s=60)["ledgers"] == {}
    assert size() == on_disk.stat().st_size


def test_copy_that_others_interrupt_again_and_again_is_made_in_one_go(
    on_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "WAL", False)
    monkeypatch.setattr(copying, "PAGES", 1)
    monkeypatch.setattr(copying, "RESTARTS", 2)
    source, goes = sqlite3.connect(f"{on_disk.as_uri()}?mode=ro", uri=True), list[int]()

    class Interrupted:
        """A source into which somebody writes between any two steps."""

        def backup(self, target: Any, *, pages: int, sleep: float, progress: Any = None) -> None:
            goes.append(pages)
            for _ in range(8 if progress else 0):
                progress(sqlite3.SQLITE_OK, 100, 100)
            source.backup(target, pages=pages, sleep=sleep)

        def close(self) -> None:
            pass

    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda name, **more: Interrupted() if "timeout" in more else connect(name, **more)
    )
    assert copy_to(tmp_path / "copy")["ledgers"] == {}
    assert goes == [1, -1]


@pytest.mark.skipif(not WAL, reason="this SQLite has no write-ahead log that is safe")
def test_copy_with_a_write_ahead_log_is_one_snapshot_whatever_is_written_meanwhile(
    on_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGES", 1)
    writer = sqlite3.connect(on_disk, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    add = "INSERT INTO django_content_type (app_label, model) VALUES (?, 'x')"
    count = "SELECT count(*) FROM django_content_type"
    (before,) = writer.execute(count).fetchone()
    steps, at = list[int](), time.monotonic

    def writes_at_each_step() -> float:
        writer.execute(add, [len(steps)])
        steps.append(1)
        return at()

    monkeypatch.setattr(copying, "time", SimpleNamespace(monotonic=writes_at_each_step))
    assert copy_to(tmp_path / "copy", most_s=600)["ledgers"] == {}
    copy = sqlite3.connect(f"{(tmp_path / 'copy').as_uri()}?mode=ro&immutable=1", uri=True)
    assert copy.execute(count).fetchone() == (before + 1,), "the first was written before the copy began"
    assert len(steps) > 20
    writer.close()


@pytest.mark.parametrize("kind", BEGINS)
def test_kind_of_a_backup_is_told_by_its_first_bytes(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "copy"
    file.write_bytes(BEGINS[kind] + b"and more")
    assert kind_of(file) == kind
    file.write_bytes(b"<html>")
    with pytest.raises(BackupFailed, match="copy is not a backup"):
        kind_of(file)


def test_damaged_copy_is_none(on_disk: Path) -> None:
    content = bytearray(on_disk.read_bytes())
    content[4096:8192] = b"x" * 4096
    on_disk.write_bytes(content)
    with pytest.raises(BackupFailed, match=r"lastcard\.sqlite3 is damaged"):
        check(on_disk, copying.SQLITE)


def test_program_of_postgresqls_says_why_it_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = dict.fromkeys(("HOST", "PORT", "USER", "PASSWORD"), "") | {"NAME": "cards"}
    monkeypatch.setattr(copying, "connection", SimpleNamespace(settings_dict=settings))
    with pytest.raises(BackupFailed, match="no-such-program is not installed"):
        run("no-such-program")
    with pytest.raises(BackupFailed, match=r"^database cards$"):
        run("sh", "-c", 'echo first >&2; echo "database $PGDATABASE" >&2; exit 1')
    with pytest.raises(BackupFailed, match="sh failed"):
        run("sh", "-c", "exit 1")
    with pytest.raises(BackupFailed, match="it takes too long"):
        run("sleep", "5", most_s=0.05)
    run("sh", "-c", 'test -z "$PGHOST"')
