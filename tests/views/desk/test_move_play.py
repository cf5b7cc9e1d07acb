"""A play that was entered at the wrong table."""

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
    assert done["Location"].startswith(reverse("table", args=[other.uid]))
    assert "Saved on the server" in text(client.get(done["Location"]))
    assert Play.objects.get(uid=play).state == "void"
    assert Play.objects.get(table=other).state == "entered"
    assert client.get(reverse("play-elsewhere", args=[play])).status_code == 302  # it is void now


def test_where_other_people_sit_one_tap_voids_it_and_opens_the_right_table() -> None:
    match = running_match(players=4, tables=2)
    play = recorded_round(match)
    other = match.tables[1]
    client = as_referee(match)
    form = open_page(client, "play-elsewhere", play)
    assert "Here: table 1" in text(form)
    assert "Different players sit there" in text(form)
    assert "confirm__follows" in text(form), "what follows stands beside it"
    sent = {**hidden(form), "to": str(other.uid), "reason": "Wrong table"}
    stale = client.post(reverse("play-elsewhere", args=[play]), {**sent, "version": "1"})
    assert stale.status_code == 409
    unsaid = client.post(reverse("play-elsewhere", args=[play]), {**sent, "reason": " "})
    assert unsaid.status_code == 422
    assert Play.objects.get(uid=play).state == "entered"
    done = client.post(reverse("play-elsewhere", args=[play]), sent)
    assert done.status_code == 303
    assert done["Location"].startswith(reverse("table", args=[other.uid]))
    assert Play.objects.get(uid=play).state == "void"
    assert not Play.objects.filter(table=other).exists()
    assert client.post(reverse("play-elsewhere", args=[play]), sent).status_code == 302, "it is void now"
