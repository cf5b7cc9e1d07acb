"""The data of a player, for themselves and for their organiser: downloaded, and erased."""

from datetime import date
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.actions.people.test_personal_data import CANARY, rows_with, two_events
from tests.support.arriving import opened, registered, token_of
from tests.support.factories import recorded_heat
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def test_a_player_sees_takes_and_erases_their_own_data(client: Client) -> None:
    made = opened()
    uid = registered(
        made, CANARY, real_name=f"{CANARY} R", contact="040 1234567", birth_date=date(1987, 7, 14)
    )
    token = token_of(uid)
    file = client.get(reverse("own-file", args=[token]))
    assert "no-store" in file["Cache-Control"]
    said = file.json()
    assert (said["name"], said["contact"], said["birth_date"]) == (f"{CANARY} R", "040 1234567", "1987-07-14")
    assert said["events"][0]["public_name"] == CANARY
    assert "Player 1" in client.get(reverse("own-erase", args=[token])).content.decode()
    done = client.post(reverse("own-erase", args=[token]), {"command": str(uuid4())}, follow=True)
    assert "Your data has been erased" in done.content.decode()
    assert f'data-erased="{uid}"' in done.content.decode()
    made_up = reverse("own", args=[f"{token[:-3]}AAA"])
    assert "Your data has been erased" not in client.get(made_up, {"erased": "1"}).content.decode()
    assert rows_with(CANARY) == []
    assert rows_with("040 1234567") == []
    ended = client.get(reverse("own", args=[token]))
    assert ended.status_code == 404
    assert "Your data has been erased" in ended.content.decode()  # days later too
    assert "your place is free" in ended.content.decode()
    assert verify(Tournament.objects.get()) == []


def test_an_organiser_gives_out_and_erases_a_players_data(client: Client) -> None:
    first, _ = two_events()
    entry = Entry.objects.get(public_name=f"{CANARY} I")
    client.force_login(first.user)
    said = client.get(reverse("organise-player-data", args=[entry.uid])).json()
    assert [each["public_name"] for each in said["events"]] == [f"{CANARY} I", f"{CANARY} II"]
    assert said["events"][0]["incidents"][0]["text"] == f"{CANARY} shouted"
    assert said["events"][1]["notes"][0]["text"] == f"{CANARY} again"
    client.post(reverse("organise-player-erase", args=[entry.uid]), {"command": str(uuid4())})
    assert rows_with(CANARY) == []
    head_referee = Client()
    head_referee.force_login(first.referee())
    for name in ("organise-player-data", "organise-player-erase"):
        assert head_referee.get(reverse(name, args=[entry.uid])).status_code in {403, 404}


def test_a_players_own_file_tells_nothing_of_what_is_frozen(client: Client) -> None:
    first, _ = two_events()
    entry = Entry.objects.get(public_name=f"{CANARY} I")
    recorded_heat(first, first.tables[1])
    first.act(actions.freeze_standings, stage=first.stage.uid)
    said = client.get(reverse("own-file", args=[token_of(entry.uid)])).json()["events"][0]
    assert said["frozen"]
    assert (said["results"], said["seats"], said["state"]) == ([], [], None)
