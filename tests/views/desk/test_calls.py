"""Calling the head referee: one tap at the table, the queue on the board and the desk, answered with one tap."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.support.desk import as_referee, open_page, text
from tests.support.factories import Event, add_stage, event, running_match
from tests.support.pages import Answer
from tournament import actions
from tournament.models import Call, Membership

pytestmark = pytest.mark.django_db
TABLE_REFEREE = Membership.Role.TABLE_REFEREE


@pytest.fixture
def match() -> Event:
    return running_match(players=6, tables=2)


def tap(client: Client, name: str, uid: UUID, **more: str) -> Answer:
    return client.post(reverse(name, args=[uid]), {"command": str(uuid4()), **more})


def test_a_call_waits_is_taken_back_and_is_answered(match: Event) -> None:
    client = as_referee(match, role=TABLE_REFEREE, table=match.table)
    done = tap(client, "table-call", match.table.uid)
    assert done.status_code == 303
    page = text(client.get(done["Location"]))
    at = timezone.localtime(Call.objects.get().at, match.tournament.zone)
    assert f"Head referee called at {at.hour}:{at:%M}, waiting" in page
    assert (
        tap(client, "table-call", match.table.uid).status_code == 303
    )  # somebody taps again: called already
    assert tap(client, "call-take-back", Call.objects.get().uid).status_code == 303
    assert not Call.objects.exists()
    tap(client, "table-call", match.table.uid)
    call = Call.objects.get().uid
    assert tap(client, "call-answer", call).status_code == 403
    head = as_referee(match)
    assert tap(head, "call-answer", call, back="board")["Location"].startswith(
        reverse("organise-board", args=[match.tournament.slug])
    )
    assert tap(head, "call-answer", call).status_code == 303  # a moment after somebody else
    assert "is on the way, answered at" in text(open_page(client, "table", match.table.uid))
    Call.objects.update(answered_at=timezone.now() - timedelta(minutes=11))
    assert "answered at" not in text(open_page(client, "table", match.table.uid))


@pytest.mark.parametrize("name", ["table", "table-players", "table-history", "table-incidents"])
def test_the_button_is_on_every_page_of_a_table(match: Event, name: str) -> None:
    assert "Get help" in text(open_page(as_referee(match), name, match.table.uid))


def test_before_play_there_is_no_button() -> None:
    made = add_stage(event("mattel-108", 3), "match", start=False)
    assert "Get help" not in text(open_page(as_referee(made), "table", made.table.uid))


def test_the_longest_waiting_call_comes_first_and_its_table_is_red(match: Event) -> None:
    first, second = match.tables
    for table in (second, first):
        match.act(actions.call_referee, table=table.uid)
    Call.objects.filter(table=second).update(at=timezone.now() - timedelta(minutes=5))
    head = as_referee(match)
    board = text(open_page(head, "organise-board", match.tournament.slug))
    assert "2 tables are calling a referee" in board
    queue = board.partition('id="calls-title"')[2].partition("</section>")[0]
    assert queue.index("table 2") < queue.index("table 1")
    assert match.user.display_name() in queue
    assert board.count("tile--act") == 2
    assert "Calling the head referee" in board
    tap(head, "call-answer", Call.objects.get(table=second).uid)
    board = text(open_page(head, "organise-board", match.tournament.slug))
    assert "1 table is calling a referee" in board
    assert board.count("tile--act") == 1


def test_head_referees_see_the_calls_of_their_events_on_the_desk_and_others_do_not(match: Event) -> None:
    other = running_match(players=3)
    for made in (match, other):
        made.act(actions.call_referee, table=made.table.uid)
    page = text(open_page(as_referee(match), "desk"))
    assert "1 table is calling a referee" in page
    assert "On my way" in page
    assert "calling a referee" not in text(open_page(as_referee(match, role=TABLE_REFEREE), "desk"))


@pytest.mark.parametrize("name", ["desk", "organise-board"])
def test_the_queue_asks_as_often_for_many_calls_as_for_one(name: str) -> None:
    asked = []
    for tables in (1, 3):
        made = running_match(players=9, tables=3)
        client = as_referee(made)
        for table in made.tables[:tables]:
            made.act(actions.call_referee, table=table.uid)
        address = reverse(name, args=[made.tournament.slug] if name == "organise-board" else [])
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked
