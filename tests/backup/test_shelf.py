"""The folder of backups: which are kept, and what the board says about the newest."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.support.backups import quick
from tests.support.factories import UserFactory, recorded_round, running_match
from tournament import backup
from tournament.backup import making, shelf

pytestmark = pytest.mark.both


@pytest.mark.django_db
def test_the_board_says_how_old_the_newest_is_and_what_is_in_none(
    client: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)
    made = running_match(players=2)
    staff = UserFactory(is_staff=True, is_superuser=True)

    def board() -> str:
        client.force_login(staff)
        page = client.get(reverse("organise-board", args=[made.tournament.slug])).content.decode()
        return str(page[page.index('id="backups"') :].partition("</div>")[0])

    assert "No backup yet." in board()
    making.make_backup()
    assert "Newest backup: " in board()
    assert str(folder) not in board()
    recorded_round(made)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=29))
    assert "are not in any backup" not in board()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=31))
    assert "are not in any backup" in board()
    shelf.note_failure("pg_dump failed")
    assert "Backup failed: pg_dump failed" in board()
    monkeypatch.setattr(shelf, "_failed_here", {})
    assert "Backup failed: pg_dump failed" in board(), "another process failed"
    making.make_backup()
    assert "pg_dump" not in board()


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


def test_backups_before_something_large_push_none_by_time_off_the_shelf(folder: Path) -> None:
    """A stranger's twelve commands, a name each, left one of this hour's quarters."""
    folder.mkdir()
    now = datetime(2026, 6, 6, 20, 58, tzinfo=UTC)

    def backup_at(minutes: int, why: str) -> shelf.Kept:
        made = now - timedelta(minutes=minutes)
        one = shelf.Kept(folder / f"lastcard-{made.strftime(shelf.STAMP)}.sqlite3", made, 10)
        shelf.beside(one.file).write_text(json.dumps({"why": why}))
        return one

    by_time = [backup_at(13 + 15 * number, "by time") for number in range(12)]
    large = [backup_at(number, "before enter_players") for number in range(13)]
    every = [*large, *by_time]
    assert shelf.thin(every, 10**9) == large[12:]
    assert shelf.thin(every, 130) == large[1:], "those by time stay, and the newest"
    assert shelf.thin(by_time, 10**9) == []


def test_an_interrupted_backup_is_none(folder: Path) -> None:
    folder.mkdir()
    (folder / "lastcard-2026-06-06T200000-000000Z.sqlite3.part").touch()
    (folder / "lastcard-2026-06-06T200000-000000Z.sqlite3.json").touch()
    (folder / "lastcard-somebody's.sqlite3").touch()
    assert backup.newest() is None
