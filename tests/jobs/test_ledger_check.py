"""A change made in SQL is on the event's board after one check, however it was made."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests.ledger.test_look import cut_everywhere
from tests.support.factories import Event, recorded_round, running_match
from tournament import actions
from tournament.actions.upkeep import EACH, MOST_KEPT, take_check, write_check
from tournament.jobs import upkeep
from tournament.jobs.upkeep import Checker
from tournament.ledger import triggers
from tournament.ledger.look import Seen, forget_heads, heads_file, seen_heads
from tournament.ledger.verify import Finding
from tournament.models import LedgerCheck, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.both]

RED = "Someone changed the database outside Lastcard"


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def noon() -> datetime:
    return timezone.now()


@pytest.fixture
def made() -> Event:
    made = running_match(players=3)
    recorded_round(made)
    recorded_round(made)
    return made.refresh()


def board(made: Event) -> str:
    client = Client()
    client.force_login(made.user)
    return client.get(reverse("organise-board", args=[made.tournament.slug])).content.decode()


def sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount > 0


def alter_fact(made: Event) -> None:
    sql("UPDATE tournament_result SET hand = %s WHERE outcome = 'holds'", '{"9": 1}')


def alter_ledger_row(made: Event) -> None:
    triggers.drop(connection)
    sql("UPDATE tournament_ledgerrow SET device = 'another' WHERE sequence = 3")


def cut_tail(made: Event) -> None:
    triggers.drop(connection)
    sql("DELETE FROM tournament_ledgerrow WHERE sequence = %s", made.tournament.version)


CHANGES: dict[str, tuple[Callable[[Event], None], str]] = {
    "fact": (alter_fact, "A result was changed, added or deleted."),
    "ledger row": (alter_ledger_row, "A row of the ledger was changed."),
    "tail cut": (cut_tail, "Rows are missing."),
    "tail cut with all that tells of it": (cut_everywhere, "Rows are missing."),
}


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("restarted", [False, True], ids=["resumes", "restarted"])
@pytest.mark.sweep
def test_a_change_in_sql_is_on_the_board_after_one_check(
    made: Event, noon: datetime, what: str, restarted: bool
) -> None:
    change, words = CHANGES[what]
    checker = Checker()
    checker.check(noon)
    assert RED not in board(made)
    assert "Nothing was changed outside Lastcard" in board(made)
    change(made)
    checker = Checker() if restarted else checker
    checker.check(noon + timedelta(minutes=1))
    page = board(made)
    assert RED in page
    assert words in page
    assert "notice--danger" in page


def test_the_end_that_was_seen_is_remembered_outside_of_the_database(made: Event, noon: datetime) -> None:
    Checker().check(noon)
    (end,) = json.loads(heads_file().read_text()).values()
    assert end == {"rows": made.tournament.version, "head": made.tournament.ledger_head}
    assert heads_file().stat().st_mode & 0o77 == 0
    LedgerCheck.objects.all().delete()
    cut_everywhere(made)
    Checker().check(noon)
    assert LedgerCheck.objects.get().findings == [["ledger_cut", "the ledger's end"]]
    assert seen_heads()[made.tournament.uid].rows == made.tournament.version


def test_a_restore_begins_anew_and_its_history_is_no_finding(made: Event, noon: datetime) -> None:
    checker = Checker()
    checker.check(noon)
    LedgerCheck.objects.update(rows=made.tournament.version - 1)  # as the backup has it
    before = Tournament.objects.get().ledger.get(sequence=made.tournament.version - 1)
    LedgerCheck.objects.update(head=before.digest)
    cut_everywhere(made)
    forget_heads()
    checker.check(noon + timedelta(minutes=1))
    assert RED not in board(made)


def test_one_server_checks_and_the_board_goes_quiet_when_all_is_right_again(
    made: Event, noon: datetime
) -> None:
    one, other = Checker(), Checker()
    one.check(noon)
    other.check(noon + timedelta(seconds=5))
    assert LedgerCheck.objects.get().at == noon
    alter_fact(made)
    other.check(noon + timedelta(seconds=60))
    one.check(noon + timedelta(seconds=120))
    assert LedgerCheck.objects.get().found_at == noon + timedelta(seconds=60)
    sql("UPDATE tournament_result SET hand = %s WHERE outcome = 'holds'", '{"7": 1}')
    one.check(noon + timedelta(seconds=180))
    assert LedgerCheck.objects.get().found_at is None


def test_only_events_that_are_played_are_checked(made: Event) -> None:
    now = timezone.now()
    Checker().check(now + timedelta(days=3))
    assert LedgerCheck.objects.count() == 1  # it is still running
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    LedgerCheck.objects.all().delete()
    if Tournament.objects.get().state != Tournament.State.FINISHED:
        made.act(actions.edit_tournament, name="Over", starts_on=made.tournament.starts_on, state="finished")
    Checker().check(now + timedelta(days=3))
    assert LedgerCheck.objects.count() == 0
    Checker().check(now + timedelta(hours=23))
    assert LedgerCheck.objects.count() == 1  # over, but not for a day


def test_a_check_is_taken_by_one_server_a_minute_for_each_event(made: Event, noon: datetime) -> None:
    other = running_match(players=3)
    one, two = made.tournament, other.tournament
    check = take_check(one, noon)
    assert check is not None
    second = timedelta(seconds=1)
    assert take_check(one, noon + EACH - second) is None
    assert take_check(two, noon + EACH - second) is not None
    assert take_check(two, noon + EACH) is None  # though the check of the other event is due
    assert take_check(one, noon + EACH) == check
    assert LedgerCheck.objects.get(pk=check.pk).taken_at == noon + EACH
    assert take_check(one, noon) is None  # another server's clock
    assert take_check(one, noon - second) == check  # this one's was put right


def taken(made: Event, at: datetime) -> LedgerCheck:
    """The event's check, taken at this moment."""
    check = take_check(made.tournament, at)
    assert check
    check.refresh_from_db()
    return check


def test_of_a_check_are_kept_the_first_findings_since_when_and_the_end_that_was_sound(
    made: Event, noon: datetime
) -> None:
    other, check = taken(running_match(players=3), noon), taken(made, noon)
    write_check(check, [], Seen(7, "seven"), noon)
    findings = [Finding("row_added", f"play {number}") for number in range(MOST_KEPT + 1)]
    for minutes in (1, 2):
        check = taken(made, noon + timedelta(minutes=minutes))
        write_check(check, findings, Seen(8, "eight"), noon + timedelta(minutes=minutes))
    check = taken(made, noon + timedelta(minutes=3))
    assert check.findings == [["row_added", f"play {number}"] for number in range(MOST_KEPT)]
    assert (check.found_at, check.at) == (noon + timedelta(minutes=1), noon + timedelta(minutes=2))
    assert (check.rows, check.head) == (7, "seven")
    write_check(check, [], Seen(9, "nine"), noon + timedelta(minutes=3))
    write_check(check, findings, Seen(6, "six"), noon)  # of a server that took longer: another has the check
    check.refresh_from_db()
    assert (check.findings, check.found_at, check.rows, check.head) == ([], None, 9, "nine")
    before = other.at
    other.refresh_from_db()
    assert (other.findings, other.at) == ([], before)


def test_a_check_that_does_not_come_is_said(made: Event) -> None:
    Checker().check(timezone.now() - timedelta(minutes=6))
    assert "Last check for changes outside Lastcard: " in board(made)


@pytest.mark.django_db(transaction=True)
def test_event_that_was_deleted_meanwhile_is_passed_over(
    made: Event, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Tournament(pk=2**31 - 1, slug="gone")
    monkeypatch.setattr(upkeep, "to_check", lambda _: [gone, made.tournament])
    Checker().check(noon)
    assert [row.tournament for row in LedgerCheck.objects.all()] == [made.tournament]
