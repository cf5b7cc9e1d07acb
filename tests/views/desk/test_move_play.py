"""A play that was entered at the wrong table."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, hidden, open_page, text
from tests.support.factories import (
    add_stage,
    recorded_round,
    running_match,
)
from tournament.models import Play

pytestmark = pytest.mark.django_db


def test_a_round_moves_to_the_table_where_the_same_people_sit() -> None:
    match = running_match(players=2)
    other = match.table
    add_stage(match, "match")
    play = recorded_round(match)
    client = as_referee(match)
    form = open_page(client, "play-elsewhere", play)
    sent = {**hidden(form), "to": str(other.uid), "reason": "Wrong table"}
    done = client.post(reverse("play-elsewhere", args=[play]), sent)
    assert done.status_code == 303
    assert done.url.startswith(reverse("table", args=[other.uid]))
    assert "Saved on the server" in text(client.get(done.url))
    assert Play.objects.get(uid=play).state == "void"
    assert Play.objects.get(table=other).state == "entered"
    assert client.get(reverse("play-elsewhere", args=[play])).status_code == 302  # it is void now


def test_where_other_people_sit_the_page_says_what_to_do() -> None:
    match = running_match(players=4, tables=2)
    play = recorded_round(match)
    client = as_referee(match)
    page = open_page(client, "play-elsewhere", play)
    assert "No other table has these players, so it cannot be moved." in text(page)
    assert reverse("table", args=[match.tables[1].uid]) in text(page)
    assert f"{reverse('play-void', args=[play])}?reason=Wrong%20table" in text(page)
    sent = {"command": str(uuid4()), "version": "1", "to": str(match.tables[1].uid), "reason": "x"}
    assert client.post(reverse("play-elsewhere", args=[play]), sent).status_code in {403, 422}
