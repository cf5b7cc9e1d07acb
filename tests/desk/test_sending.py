"""What phones kept and send: each kind as its form, once each, and never a 500."""

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.desk.conftest import as_referee, hands
from tests.factories import (
    running_match,
)
from tournament.models import Membership, Play, User

pytestmark = pytest.mark.django_db

NOW = 1_700_000_000_000  # ms by the phone's clock, wrong by years
Role = Membership.Role


def entry(kind, url, /, queued=NOW, command=None, **fields):
    """An entry as the phone keeps it; a field with several values is given as a list."""
    pairs = [
        [name, str(value)]
        for name, values in fields.items()
        for value in (values if isinstance(values, list) else [values])
    ]
    command = str(command or uuid4())
    return {
        "command": command,
        "kind": kind,
        "url": url,
        "fields": [["command", command], *pairs],
        "queued": queued,
    }


def post(client, *entries, user=None, **more):
    uid = str(user.uid if user else signed_in_user(client).uid)
    body = {"user": uid, "now": NOW, "entries": list(entries), **more}
    return client.post(reverse("desk-send"), json.dumps(body), content_type="application/json")


def send(client, *entries, **more):
    """The answers to these entries."""
    response = post(client, *entries, **more)
    assert response.status_code == 200, response.content
    said = response.json()
    assert said["lastcard"] == 1
    assert [each["command"] for each in said["answers"]] == [each["command"] for each in entries]
    return said["answers"]


def states(answers):
    return [each["state"] for each in answers]


def signed_in_user(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


def a_round(event, number=1, *, winner=0, card="7", **more):
    first, *others = event.uids[winner:] + event.uids[:winner]
    return entry(
        "round",
        reverse("table-record", args=[event.table.uid]),
        play=uuid4(),
        number=number,
        version=0,
        step="save",
        winner=first,
        **{**hands(*((each, card, 1) for each in others)), **more},
    )


def a_tap(kind, play, player, **more):
    name = {"out": "play-out", "give_up": "play-give-up", "take_back": "play-take-back", "join": "play-join"}[
        kind
    ]
    return entry(kind, reverse(name, args=[play]), entry=player, **more)


def a_start(event, play, number=1, **more):
    url = reverse("table-start", args=[event.table.uid])
    return entry("start", url, play=play, number=number, player=event.uids, **more)


def test_rounds_arrive_in_their_order_and_once():
    match = running_match(players=3)
    client = as_referee(match)
    rounds = [a_round(match, number) for number in (1, 2, 3)]
    first = send(client, *rounds)
    assert states(first) == ["saved"] * 3
    assert send(client, *rounds) == first
    assert list(Play.objects.values_list("number", flat=True)) == [1, 2, 3]
