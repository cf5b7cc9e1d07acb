"""The server's health on the board: a full disk, updates that stopped, backups, and the check of the ledger."""

import shutil
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone
from pytest_django import Settings

from tests.support.factories import running_match
from tournament.backup import Shelf
from tournament.models import LedgerCheck
from tournament.pages.organiser import health

pytestmark = pytest.mark.django_db


def test_troubles_are_said_in_the_order_of_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "versions", SimpleNamespace(doubtful=False, silent_s=0))
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=200 * 1024**2))
    assert health.troubles() == []
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=199 * 1024**2))
    monkeypatch.setattr(health, "versions", SimpleNamespace(doubtful=True, silent_s=42))
    disk, publisher = health.troubles()
    assert (disk.id, publisher.id) == ("disk", "publisher")
    assert disk.text.startswith("199 MB left.")
    assert publisher.text.startswith("For 42 s")


@pytest.mark.parametrize(
    ("hours", "late"), [(None, True), (0, False), (9, True)], ids=["none", "a new one", "an old one"]
)
def test_backups_are_late_where_what_was_entered_long_ago_is_in_none(
    hours: int | None, late: bool, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.BACKUP_EVERY = 60
    made = running_match(players=3)
    now = timezone.now()
    newest = None if hours is None else now + timedelta(hours=8 - hours)
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(hours=8))
    shelf = SimpleNamespace(newest=newest, folder=Path("/backups"), failed="")
    monkeypatch.setattr(Shelf, "now", lambda: shelf)
    found = health.backups_of(made.tournament)
    assert bool(found.late) == late
    assert found.line.startswith("No backup yet." if hours is None else "Newest backup: ")


def test_check_of_the_ledger_says_what_it_found() -> None:
    made = running_match(players=3)
    assert health.ledger_seen(made.tournament) is None
    now = timezone.now()
    check = LedgerCheck.objects.create(tournament=made.tournament, taken_at=now, at=now)
    seen = health.ledger_seen(made.tournament)
    assert seen is not None
    assert seen.line.startswith("Checked ")
    assert seen.line.endswith(". Nothing was changed outside Lastcard.")
    LedgerCheck.objects.update(at=now - 2 * health.LATE)
    seen = health.ledger_seen(made.tournament)
    assert seen is not None
    assert (seen.line, seen.late.startswith("Last check for changes outside Lastcard: ")) == ("", True)
    findings = [
        ["fact_altered", "play x"],
        ["fact_altered", "play y"],
        ["chain_broken", "3"],
        ["?", "stage x"],
    ]
    LedgerCheck.objects.filter(pk=check.pk).update(found_at=now, findings=findings)
    seen = health.ledger_seen(made.tournament)
    assert seen is not None
    assert [str(words) for words in seen.found] == [
        "A result was changed, added or deleted.",
        "A row of the ledger was changed.",
        "The event or its stages were changed.",
    ]
