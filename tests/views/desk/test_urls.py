"""Every page of the desk opens, for every kind of table."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.desk import as_referee
from tests.support.factories import (
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.pages import Answer

pytestmark = pytest.mark.django_db


def opened(client: Client, name: str, *args: object) -> Answer:
    page = client.get(reverse(name, args=args))
    assert page.status_code == 200, (name, page.status_code)
    return page


def test_pages_of_a_match() -> None:
    event = running_match(ruleset="mattel-112")
    client = as_referee(event)
    play = recorded_round(event)
    uid = event.table.uid
    opened(client, "desk")
    for name in ("table", "table-history", "table-players", "table-roles", "table-stop", "table-go-on"):
        opened(client, name, uid)
    for name in ("play", "play-correct", "play-void"):
        opened(client, name, play)
    for name in ("player-remove", "player-leave", "player-readmit"):
        opened(client, name, uid, event.uids[0])


def test_pages_of_heats() -> None:
    event = running_heats()
    client = as_referee(event)
    uid = event.table.uid
    opened(client, "table", uid)
    play = recorded_heat(event)
    opened(client, "desk")
    for name in ("table", "table-history", "table-players", "table-roles"):
        opened(client, name, uid)
    for name in ("play", "play-correct", "play-void"):
        opened(client, name, play)


def test_pages_of_a_session() -> None:
    event = running_session()
    client = as_referee(event)
    uid = event.table.uid
    opened(client, "table", uid)
    opened(client, "table-record", uid)
    play = started_game(event, elapsed_s=600)
    opened(client, "desk")
    for name in ("table", "table-history", "table-players", "table-roles"):
        opened(client, name, uid)
    for name in ("play", "play-void", "play-give-up", "play-eject", "play-join", "play-end"):
        opened(client, name, play)
