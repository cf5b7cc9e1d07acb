"""Backups: made in time, kept in measure, found whole, and put back by a real process on either database."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection

from tests.support.backups import age, quick
from tests.support.factories import UserFactory, recorded_round, running_match
from tournament import actions, backup
from tournament.backup import making, shelf
from tournament.backup.in_use import lock
from tournament.backup.restoring import whole
from tournament.models import Entry

pytestmark = pytest.mark.both


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
    assert len(shelf.kept()) == 1, "it is younger than two minutes"
    age(found, minutes=2)
    backup.before("the same again")
    assert len(shelf.kept()) == 2
    age(shelf.kept()[0], minutes=2)
    backup.before("the same again")
    assert len(shelf.kept()) == 2, "nothing is new"
    made.act(actions.set_decks, decks=4)
    monkeypatch.setattr(making, "LEFT_FREE", 10**18)
    made.act(actions.enter_players, players=[{"entry": str(uuid4()), "name": "Zoë"}])
    assert Entry.objects.filter(public_name="Zoë").exists()
    assert backup.Shelf.now().failed == "the disk is too full"


@pytest.mark.django_db
def test_backups_before_something_large_do_not_put_off_those_by_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)
    made = running_match(players=2)
    making.keep_up()
    age(shelf.kept()[0], minutes=16)
    recorded_round(made)
    with monkeypatch.context() as outside:
        outside.setattr(connection, "in_atomic_block", False)
        backup.before("enter_players")
    recorded_round(made)
    making.keep_up()
    assert [one.facts()["why"] for one in shelf.kept()] == ["by time", "before enter_players", "by time"]


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
