"""The results of an event as a file, and how many files are written at once."""

from io import BytesIO
from threading import BoundedSemaphore
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.support.factories import Event, recorded_round, running_match
from tournament import actions
from tournament.views.public import workbook

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Event:
    made = running_match(players=3)
    recorded_round(made)
    return made.refresh()


def address(made: Event) -> str:
    return reverse("workbook", args=[made.tournament.slug])


def test_what_players_answered_on_registering_is_in_the_file_of_organisers_alone(
    client: Client, played: Event
) -> None:
    question = {"id": str(uuid4()), "kind": "text", "labels": {"en": "Diet?"}}
    played.act(actions.set_questions, questions=[question])
    played.act(actions.edit_entry, entry=played.uids[0], answers={question["id"]: "Vegan"})
    for user, reads in ((played.user, True), (played.referee(), False)):
        client.force_login(user)
        answer = client.get(address(played))
        fees = load_workbook(BytesIO(answer.getvalue()))["Fees"]
        assert any(cell.value == "Vegan" for row in fees.iter_rows() for cell in row) is reads


def test_where_too_many_are_written_one_is_asked_to_come_again(
    client: Client, played: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.views._answer.WAIT_S", 0.01)
    monkeypatch.setattr(workbook, "_writing", none := BoundedSemaphore(1))
    none.acquire()
    answer = client.get(address(played))
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "60", "no-store")
