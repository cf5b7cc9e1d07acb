"""The way back: by a real process on either database, and only of what is whole."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, connections

from tests.support.factories import recorded_round, running_match
from tests.support.processes import on_this_database
from tournament.backup import restoring as restoring_module, shelf
from tournament.backup.copying import BackupFailed
from tournament.backup.in_use import Locked, restoring, serving
from tournament.backup.restoring import restore, whole
from tournament.ledger.verify import verify

pytestmark = pytest.mark.both

ROOT = Path(__file__).resolve().parents[2]


def manage(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `manage.py ARGUMENTS` in a process of its own, on the database of this test."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=os.environ | on_this_database(), capture_output=True, text=True, check=False,
    )  # fmt: skip


def nobody_else_is_connected() -> None:
    """End the connections that threads of tests before this one have left open."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.mark.django_db(transaction=True)
def test_a_backup_comes_back_with_the_same_ledgers_and_nothing_while_somebody_serves(tmp_path: Path) -> None:
    made = running_match(players=3)
    recorded_round(made)
    copy = tmp_path / "copy"
    call_command("backup", copy)
    made.refresh()
    then = (made.tournament.version, made.tournament.ledger_head)
    said = json.loads(shelf.beside(copy).read_text())
    assert said["ledgers"][str(made.tournament.uid)] == {
        "slug": made.tournament.slug, "rows": then[0], "head": then[1],
    }  # fmt: skip
    recorded_round(made, winner=made.uids[1])

    other = connection.copy()
    other.ensure_connection()  # a server's, on PostgreSQL
    with serving(), pytest.raises(CommandError, match="Stop Lastcard first"):
        call_command("restore", copy)
    other.close()
    nobody_else_is_connected()
    connections.close_all()
    restored = manage("restore", str(copy))
    assert restored.returncode == 0, restored.stdout + restored.stderr
    assert (
        f"{made.tournament.slug}: clean, {then[0]} ledger rows, {then[1]}, as in the backup"
        in restored.stdout
    )
    kept = Path(restored.stdout.partition("set aside: ")[2].splitlines()[0])
    made.refresh()
    assert (made.tournament.version, made.tournament.ledger_head) == then
    assert verify(made.tournament) == []
    assert whole(kept).ledgers is not None, "the database as it was is a backup itself"

    call_command("restore", kept, while_used=True)  # written into the database that is open
    made.refresh()
    assert made.tournament.version == then[0] + 1
    recorded_round(made)
    kept.unlink()


@pytest.mark.django_db(transaction=True)
def test_where_the_migration_fails_the_database_is_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running_match(players=3)
    copy = tmp_path / "copy"
    call_command("backup", copy)
    recorded_round(made)
    made.refresh()
    then = (made.tournament.version, made.tournament.ledger_head)
    backup = whole(copy)

    def fails(*_arguments: object, **_options: object) -> None:
        made.tournament.refresh_from_db()
        assert made.tournament.version == then[0] - 1, "the backup's is in its place"
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(restoring_module, "call_command", fails)
    for while_used in (True, False):
        nobody_else_is_connected()
        connections.close_all()
        with pytest.raises(BackupFailed, match="The previous database is back"):
            restore(backup, while_used=while_used)
        made.refresh()
        assert (made.tournament.version, made.tournament.ledger_head) == then, while_used
        assert verify(made.tournament) == []
    recorded_round(made)


@pytest.mark.django_db
def test_what_is_no_whole_backup_is_not_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "copy"
    begins = {"sqlite": b"SQLite format 3\0", "postgresql": b"PGDMP"}
    other = {"sqlite": "postgresql", "postgresql": "sqlite"}[connection.vendor]
    for content, why in (
        (b"", "is not a backup"),
        (b"<html>", "is not a backup"),
        (begins[connection.vendor] + b"x" * 5000, "copy is damaged|pg_restore|error"),
        (begins[other], f"is a {other} backup"),
    ):
        file.write_bytes(content)
        with pytest.raises(CommandError, match=why):
            call_command("restore", file)
    with pytest.raises(CommandError, match="No such file"):
        call_command("restore", tmp_path / "none")
    file.write_bytes(begins[connection.vendor])
    shelf.beside(file).write_text('{"sha256": "0"}')
    with pytest.raises(CommandError, match="is not the file that"):
        call_command("restore", file)
    if connection.vendor == "sqlite":
        with serving(), pytest.raises(Locked):
            restoring()
