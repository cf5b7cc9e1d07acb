"""A server's upkeep of its events each minute."""

import gc
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from pytest_django import Settings

from tests.support.factories import Event, recorded_round, running_match
from tournament.actions.people import personal_data
from tournament.jobs import upkeep
from tournament.jobs.upkeep import Upkeep
from tournament.ledger.look import heads_file, seen_heads
from tournament.models import LedgerCheck

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def made() -> Event:
    made = running_match(players=3)
    recorded_round(made)
    recorded_round(made)
    return made.refresh()


def test_the_thread_goes_on_when_something_fails(made: Event, caplog: pytest.LogCaptureFixture) -> None:
    work = Upkeep()
    heads_file().mkdir()  # the disk takes no word
    work.look()
    assert LedgerCheck.objects.get().rows == made.tournament.version
    assert "The ends of the ledgers could not be stored" in caplog.text
    heads_file().rmdir()
    work.look()
    assert uuid4() not in seen_heads()


def test_old_contacts_are_erased_once_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[datetime] = []
    monkeypatch.setattr(personal_data, "erase_old_contacts", asked.append)
    work, noon = Upkeep(), timezone.now()
    for minutes in (0, 1, 59, 60, 61, 121):
        work._forget(noon + timedelta(minutes=minutes))
    assert asked == [noon + timedelta(minutes=minutes) for minutes in (0, 60, 121)]


def test_what_fails_keeps_nothing_else_from_its_turn(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_now: datetime) -> None:
        raise ZeroDivisionError

    asked: list[datetime] = []
    work = Upkeep()
    monkeypatch.setattr(upkeep, "end_practice", fail)
    monkeypatch.setattr(work._checker, "check", fail)
    monkeypatch.setattr(personal_data, "erase_old_contacts", asked.append)
    monkeypatch.setattr(upkeep, "hold_little", lambda: asked.append(timezone.now()))
    work.look()
    assert caplog.messages == ["practice events could not be deleted", "the ledgers could not be checked"]
    assert len(asked) == 2


def test_practice_is_deleted_with_its_workbooks(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, over = [uuid4(), uuid4()], []
    taken: list[UUID] = []
    monkeypatch.setattr(upkeep, "delete_practice", lambda events: [] if list(events) else gone)
    monkeypatch.setattr(upkeep, "take_away_all", taken.append)
    monkeypatch.setattr(upkeep, "sessions_over", lambda: over.append("over"))
    upkeep.end_practice(timezone.now())
    assert (taken, over) == (gone, ["over"])


def test_garbage_is_looked_for_where_the_memory_grew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory before, after what is due, and once it was given back; in MB."""
    collected: list[str] = []
    held = iter([100, 104, 104, 110, 102, 107, 107, 115, 100])
    monkeypatch.setattr(upkeep, "memory", lambda: next(held))
    monkeypatch.setattr(upkeep, "hold_little", lambda: None)
    monkeypatch.setattr(gc, "collect", lambda: collected.append("garbage"))
    work, found = Upkeep(), []
    for _minute in range(4):
        work._give_back()
        found.append(len(collected))
    assert found == [0, 1, 1, 2]
