"""The checklist before the start: what the facts say, what people tick off, a phone that gets through, a backup."""

import sqlite3
import subprocess
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.support.factories import Event, UserFactory, add_stage, event
from tests.views.organiser.conftest import Browser
from tournament import actions, backup
from tournament.backup import making
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Tick, Tournament, User
from tournament.pages.organiser.next_step import Checklist, checklist_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(organiser: User) -> Event:
    """A KPGUT session of two tables of eight, seated, not started; nobody is checked in."""
    return add_stage(event("kpgut-2016", players=16, user=organiser), "session", tables=2, start=False)


@pytest.fixture(autouse=True)
def no_backups(tmp_path: Path, settings: Settings) -> None:
    settings.BACKUP_FOLDER = tmp_path / "backups"


def listed(made: Event) -> Checklist:
    stored = Tournament.objects.get(pk=made.tournament.pk)
    found = checklist_of(stored, stored.stages.all())
    assert found
    return found


def point(made: Event, item: str) -> tuple[bool, str]:
    """Whether the facts say that a point is done, and what they say."""
    found = next(point for point in listed(made).points if point.item == item)
    return found.done, found.text


def address(made: Event) -> str:
    return reverse("organise-checklist", args=[made.tournament.slug])


@pytest.mark.parametrize(
    ("decks", "said"),
    [
        (None, (False, "4 decks needed. Count yours.")),
        (3, (False, "4 needed, 3 at hand.")),
        (4, (True, "4 needed, 4 at hand.")),
    ],
)
def test_decks_are_counted_by_the_rule_of_one_for_each_started_seven(
    evening: Event, decks: int | None, said: tuple[bool, str]
) -> None:
    evening.act(actions.set_decks, decks=decks)
    assert point(evening, "decks") == said


def test_decks_typed_wrong_are_said_at_the_field(browser: Browser, evening: Event) -> None:
    answer = browser.post(address(evening), {"command": str(uuid4()), "decks": "many"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'value="many"' in page
    assert "Write a whole number from 0 to 999" in page
    answer = browser.post(address(evening), {"command": str(uuid4()), "decks": "4"})
    assert answer.status_code == 303
    assert Tournament.objects.get().decks == 4


def test_point_is_ticked_off_and_taken_back(browser: Browser, evening: Event) -> None:
    ticked = browser.post(address(evening), {"command": str(uuid4()), "tick": "awake"})
    assert ticked.status_code == 303
    assert "by Outi Organiser" in browser.get(address(evening)).content.decode()
    again = browser.post(address(evening), {"command": str(uuid4()), "tick": "awake"})
    assert again.status_code == 422
    back = browser.post(address(evening), {"command": str(uuid4()), "untick": "awake"})
    assert back.status_code == 303
    assert not Tick.objects.exists()
    evening.tournament.refresh_from_db()
    assert verify(evening.tournament) == []


@pytest.mark.parametrize("data", [{"tick": "moon"}, {"untick": "moon"}, {"untick": "decks"}, {}])
def test_what_is_no_point_is_refused_in_words(browser: Browser, evening: Event, data: dict[str, str]) -> None:
    answer = browser.post(address(evening), {"command": str(uuid4()), **data})
    assert answer.status_code == 422
    assert 'class="errors"' in answer.content.decode()


def hello(made: Event) -> str:
    return f"/en/hello/{token_for('hello', made.tournament.uid)}/"


def test_phone_that_gets_through_ticks_its_point_off(browser: Browser, evening: Event) -> None:
    phone = Browser()
    assert not Tick.objects.exists()
    answer = phone.send(hello(evening), "/")
    assert "This phone is connected." in answer.content.decode()
    assert Tick.objects.get().item == "phone"
    assert "Connected " in browser.get(address(evening)).content.decode()


def test_second_phone_right_after_is_told_so_too_and_writes_nothing(evening: Event) -> None:
    Browser().send(hello(evening), "/")
    rows = evening.tournament.ledger.count()
    answer = Browser().send(hello(evening), "/")
    assert "This phone is connected." in answer.content.decode()
    assert evening.tournament.ledger.count() == rows


@pytest.mark.parametrize("purpose", ["invite", "player"])
def test_hello_needs_its_own_link(evening: Event, purpose: str) -> None:
    token = token_for(purpose, evening.tournament.uid)
    assert Client().get(f"/en/hello/{token}/").status_code == 404
    assert Client().post(f"/en/hello/{token}/").status_code in {403, 404}


def test_backup_is_made_by_staff_only(browser: Browser, evening: Event) -> None:
    assert point(evening, "backup") == (False, "None yet.")
    assert browser.post(address(evening), {"backup": "1"}).status_code == 302
    assert point(evening, "backup")[0]
    other = Client()
    other.force_login(evening.referee("organiser"))
    assert other.post(address(evening), {"backup": "1"}).status_code == 404
    assert "Make a backup now" not in other.get(address(evening)).content.decode()


def test_checklist_is_for_organisers_and_head_referees(evening: Event) -> None:
    head, table, stranger = Client(), Client(), Client()
    head.force_login(evening.referee("head_referee"))
    table.force_login(evening.referee("table_referee"))
    stranger.force_login(UserFactory())
    assert head.get(address(evening)).status_code == 200
    assert table.get(address(evening)).status_code == 403
    assert stranger.get(address(evening)).status_code == 404


def test_board_shows_how_many_points_are_open_until_the_last_stage_starts(
    browser: Browser, evening: Event
) -> None:
    board = reverse("organise-board", args=[evening.tournament.slug])
    assert "6 items left" in browser.get(board).content.decode()
    evening.act(actions.start_stage, stage=evening.stage.uid)
    assert "Before the start" not in browser.get(board).content.decode()
    made = Tournament.objects.get()
    assert checklist_of(made, made.stages.all()) is None


@pytest.mark.django_db(transaction=True)
def test_backup_holds_what_was_committed(evening: Event, tmp_path: Path) -> None:
    made = backup.make_backup(tmp_path / "copy")
    assert made.stat().st_mode & 0o077 == 0
    assert {path.name for path in tmp_path.iterdir()} == {"copy", "copy.json", "backups"}
    if connection.vendor == "sqlite":
        copy = sqlite3.connect(made)
        assert copy.execute("SELECT count(*) FROM tournament_entry").fetchone() == (16,)
        copy.close()
    else:
        restore = subprocess.run(
            ["pg_restore", "--data-only", "--table=tournament_entry", "--file=-", made],
            capture_output=True,
            text=True,
            check=True,
        )
        assert all(f"\t{entry.public_name}\t" in restore.stdout for entry in evening.entries)


def test_backup_that_fails_leaves_nothing_behind_and_says_why(
    browser: Browser, evening: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: Path, most_s: float | None) -> None:
        file.write_bytes(b"half")
        raise backup.BackupFailed("no room")

    monkeypatch.setattr(making, "copy_to", fail)
    answer = browser.post(address(evening), {"backup": "1"}, follow=True)
    assert "Backup failed: no room" in answer.content.decode()
    assert [path.name for path in (tmp_path / "backups").iterdir()] == ["lock"]
    assert backup.newest() is None
