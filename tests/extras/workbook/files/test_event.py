"""The data read of an event for its workbook, and for whom."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from tests.extras.workbook.files.conftest import Opened
from tests.support.factories import (
    StaffFactory,
    UserFactory,
    recorded_round,
    running_match,
)
from tests.support.uids import without_uids
from tournament import actions
from tournament.models import LedgerRow, Membership, User
from tournament.words.rulings import rulings_of

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]
HELSINKI = ZoneInfo("Europe/Helsinki")


def test_the_last_entry_is_when_a_play_was_entered_and_not_when_its_stage_was_finished(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running_match(players=3)
    began = timezone.now().replace(microsecond=0)

    def said(reader: User | None = None) -> list[int]:
        """Minutes after the first entry, round by round."""
        rows = opened(made, reader).rows("rounds")[::3]
        at = [row["entered_at"].replace(tzinfo=HELSINKI) for row in rows]
        return [round((each - began).total_seconds() / 60) for each in at]

    def later(minutes: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: began + timedelta(minutes=minutes))

    later(0)
    first = recorded_round(made)
    later(7)
    recorded_round(made)
    later(20)
    made.act(actions.stop_match, table=made.table.uid, reason="time is up")
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert said() == [0, 7]
    later(30)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="one is wrong")
    later(40)
    made.act(actions.void_play, play=first, version=made.play(first).version, reason="the wrong table")
    assert said(made.user) == [40, 7]
    assert said() == [0, 7]


def test_the_ledger_is_for_those_who_may_read_its_page(opened: Open) -> None:
    made = running_match(players=3)
    void = recorded_round(made)
    made.act(actions.void_play, play=void, version=made.play(void).version, reason="=secret reason")
    made.act(
        actions.record_penalty,
        incident=uuid4(),
        table=made.table.uid,
        entry=made.uids[0],
        code="uno_not_said",
    )
    made.act(actions.record_ruling, incident=uuid4(), text="=May Aino look?", ruling="Not at all.")
    head = made.referee()
    table_only = made.referee(Membership.Role.TABLE_REFEREE, made.table)
    tables = made.referee(Membership.Role.TABLE_REFEREE)
    elsewhere = running_match().referee()
    for user in (None, UserFactory(), elsewhere, table_only, tables):
        book = opened(made, user)
        assert not {"ledger", "incidents"} & set(book.titles)
        assert "secret reason" not in book.everything()
        assert "May Aino look?" not in book.everything()
        assert {row["incidents"] for row in book.rows("rulings")} == {None}
        assert made.user.display_name() not in book.everything()
    for user in (head, made.user, StaffFactory()):
        book = opened(made, user)
        said, ruled = book.rows("incidents")
        assert (said["player"], said["title"], said["cards"]) == ("Aino", "“Uno” not said", 2)
        assert (ruled["where"], ruled["text"], ruled["ruling"]) == (
            "The whole event",
            "=May Aino look?",
            "Not at all.",
        )
        used = [tuple(row.values()) for row in book.rows("rulings")]
        assert used[0][1:] == (*rulings_of("mattel-108")[0], None)
        assert [(row[0], row[1], row[3]) for row in used[-2:]] == [
            ("rule_sheet", "“Uno” not said", 1),
            ("referees", "=May Aino look?", 1),
        ]
        rows = book.rows("ledger")
        stored = list(LedgerRow.objects.filter(tournament=made.tournament).order_by("sequence"))
        assert [(row["row"], row["hash"], row["replaces"]) for row in rows] == [
            (row.sequence, row.digest, row.replaces) for row in stored
        ]
        voided = next(row for row in rows if row["action"] == "void_play")
        assert voided["reason"] == "=secret reason"
        assert voided["by"] == made.user.display_name()
        assert voided["device"] == "test"
        assert isinstance(voided["at"], datetime)


def test_birth_dates_and_contacts_never_leave(opened: Open) -> None:
    made = running_match(players=2)
    made.act(
        actions.edit_entry,
        entry=made.uids[0],
        public_name="Aino",
        start_number=1,
        birth_date=date(1987, 6, 5),
        contact="aino@example.org",
    )
    everything = opened(made, made.user).everything()
    assert "1987" not in without_uids(everything)
    assert "aino@" not in everything


def test_queries_do_not_grow_with_the_players(django_assert_num_queries: Any, opened: Open) -> None:
    for players in (2, 6):
        made = running_match(players=players)
        recorded_round(made)
        recorded_round(made)
        with django_assert_num_queries(17, exact=False):
            opened(made)
