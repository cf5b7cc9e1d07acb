"""Backups: made in time, kept in measure, found whole, and put back by a real process on either database."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests.support.factories import UserFactory, recorded_round, running_match
from tests.support.processes import on_this_database
from tournament import actions, backup
from tournament.backup import making, shelf
from tournament.backup.copying import Facts, facts_in
from tournament.backup.in_use import Locked, lock, restoring, serving
from tournament.backup.restoring import whole
from tournament.ledger.verify import verify
from tournament.models import Entry

pytestmark = pytest.mark.both

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """Where this test's backups lie; the timer and what comes before bulk actions are on."""
    settings.BACKUP_FOLDER, settings.BACKUP_EVERY = tmp_path / "backups", 15
    yield settings.BACKUP_FOLDER
    shelf.note_success()


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
    kept = Path(restored.stdout.partition("is kept: ")[2].splitlines()[0])
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
def test_many_at_once_are_entered_after_a_backup_and_one_that_fails_stops_nobody(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running_match(players=2)
    for one in shelf.kept():
        one.file.unlink()
    made.act(actions.set_decks, decks=3)
    assert shelf.kept() == [], "a single fact waits for nothing"
    made.act(actions.enter_players, players=[{"entry": str(uuid4()), "name": "Ylva"}])
    (found,) = shelf.kept()
    assert found.facts()["why"] == "before enter_players"
    assert whole(found.file).ledgers == found.facts()["ledgers"]
    backup.before("the same again")
    assert len(shelf.kept()) == 2
    backup.before("the same again")
    assert len(shelf.kept()) == 2, "nothing is new"
    made.act(actions.set_decks, decks=4)
    monkeypatch.setattr(making, "LEFT_FREE", 10**18)
    made.act(actions.enter_players, players=[{"entry": str(uuid4()), "name": "Zoë"}])
    assert Entry.objects.filter(public_name="Zoë").exists()
    assert backup.Shelf.now().failed == "the disk has no room for it"


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies that hold nothing but what is said of them: within a test's transaction there is nothing to copy."""

    def copied(file: Path, most_s: float | None = None) -> Facts:
        file.write_bytes(b"copy")
        return facts_in(connection.cursor())

    monkeypatch.setattr(making, "copy_to", copied)


@pytest.mark.django_db
def test_the_timer_makes_one_when_it_is_time_and_something_is_new(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)
    made = running_match(players=2)
    making.keep_up()
    assert len(shelf.kept()) == 1
    recorded_round(made)
    making.keep_up()
    assert len(shelf.kept()) == 1, "it is not yet time"
    age(shelf.kept()[0], minutes=16)
    with lock(folder / "lock"):
        making.keep_up()
    assert len(shelf.kept()) == 1, "another process is at it"
    making.keep_up()
    assert len(shelf.kept()) == 2
    age(shelf.kept()[0], minutes=16)
    making.keep_up()
    assert len(shelf.kept()) == 2, "nothing is new"
    UserFactory()
    making.keep_up()
    assert len(shelf.kept()) == 3, "an account is new"


def age(one: shelf.Kept, **time: float) -> None:
    """Let a backup have been made so much earlier."""
    made = (one.made - timedelta(**time)).strftime(shelf.STAMP)
    older = one.file.with_name(f"{shelf.NAME}{made}{one.file.suffix}")
    shelf.beside(one.file).rename(shelf.beside(older))
    one.file.rename(older)


@pytest.mark.django_db
def test_the_board_says_how_old_the_newest_is_and_what_is_in_none(
    client: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)
    made = running_match(players=2)
    staff, organiser = UserFactory(is_staff=True, is_superuser=True), made.referee("organiser")

    def board(user: Any = None) -> str:
        client.force_login(user or staff)
        page = client.get(reverse("organise-board", args=[made.tournament.slug])).content.decode()
        return str(page[page.index('id="backups"') :].partition("</div>")[0])

    assert "No backup yet." in board()
    making.make_backup()
    assert "Newest backup: " in board()
    assert str(folder) in board()
    assert str(folder) not in board(organiser)
    recorded_round(made)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=29))
    assert "is in no backup" not in board()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=31))
    assert "is in no backup" in board()
    shelf.note_failure("pg_dump failed")
    assert "No backup was made: pg_dump failed" in board(organiser)
    monkeypatch.setattr(shelf, "_failed_here", {})
    assert "No backup was made: pg_dump failed" in board(), "another process failed"
    making.make_backup()
    assert "pg_dump" not in board()


@pytest.mark.django_db
def test_what_is_no_whole_backup_is_not_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "copy"
    begins = {"sqlite": b"SQLite format 3\0", "postgresql": b"PGDMP"}
    other = {"sqlite": "postgresql", "postgresql": "sqlite"}[connection.vendor]
    for content, why in (
        (b"", "is no backup"),
        (b"<html>", "is no backup"),
        (begins[connection.vendor] + b"x" * 5000, "copy is damaged|pg_restore|error"),
        (begins[other], f"is of {other}"),
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


def test_the_latest_are_kept_then_one_an_hour_and_one_a_day_and_never_more_than_a_size() -> None:
    now = datetime(2026, 6, 6, 20, 0, tzinfo=UTC)
    every = [shelf.Kept(Path(f"{n}"), now - timedelta(minutes=15 * n), 10) for n in range(4 * 24 * 60)]

    def left(most: int) -> list[int]:
        gone = {int(one.file.name) for one in shelf.thin(every, most)}
        return [n for n in range(len(every)) if n not in gone]

    kept = left(10**9)
    assert kept[:12] == list(range(12))
    assert len(kept) == 12 + 24 - 4 + 30 - 2
    times = [every[n].made for n in kept]
    assert len({f"{time:%d %H}" for time in times if now - time < timedelta(hours=24)}) == 24
    assert len({time.date() for time in times}) == 30
    assert left(50) == [0, 1, 2, 3, 4]
    assert left(1) == [0], "the newest always"


def test_an_interrupted_backup_is_none(folder: Path) -> None:
    folder.mkdir()
    (folder / "lastcard-2026-06-06T200000-000000Z.sqlite3.part").touch()
    (folder / "lastcard-2026-06-06T200000-000000Z.sqlite3.json").touch()
    (folder / "lastcard-somebody's.sqlite3").touch()
    assert backup.newest() is None
