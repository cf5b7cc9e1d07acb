"""A race by the interface: planned, played with its own players or to the bell, and read."""

from uuid import uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.asking import read as ask
from tests.extras.programs.api.sending import read, send
from tests.support.factories import Event, event, running_race
from tournament.models import Play, Stage

pytestmark = pytest.mark.django_db


def play(client: Client, made: Event, number: int, **body: object) -> int:
    arguments = {"table": made.table.uid, "play": uuid4(), "number": number, **body}
    return int(send(client, made, "record_round", arguments).status_code)


def test_a_race_is_planned_by_its_settings(client: Client) -> None:
    made = event(players=2)
    settings = {"scoring": "placing", "rank": ["wins", "average"], "best": 10}
    planned = {"stage": uuid4(), "kind": "races", "settings": settings}
    assert send(client, made, "plan_stage", planned).status_code == 201
    assert Stage.objects.get().settings == settings
    wrong = send(
        client, made, "plan_stage", {**planned, "stage": uuid4(), "settings": {"rank": ["wins", "wins"]}}
    )
    paths = [error["path"] for error in read(wrong)["errors"]]
    assert (wrong.status_code, paths) == (422, ["/settings/scoring", "/settings/rank/1"])


def test_games_are_entered_and_read_as_exact_fractions(client: Client) -> None:
    made = running_race(3, scoring="placing", rank=["average", "wins"])
    first, second, third = map(str, made.uids)
    assert play(client, made, 1, winner=first, hands={second: {"7": 1}, third: {"7": 1}}) == 201
    bell = {
        "winner": None,
        "hands": {first: {"9": 1}, second: {"1": 1}},
        "ended": "time",
        "entries": [first, second],
    }
    assert play(client, made, 2, **bell) == 201
    assert Play.objects.get(number=2).ended == "time"
    assert (
        play(client, made, 3, winner=first, hands={second: {"7": 1}, third: {"7": 1}}, ended="early") == 400
    )
    found = ask(client, f"stages/{made.stage.uid}/standings")
    lines = [
        (row["entry"], row["place"], row["points"], row["average"], row["wins"]) for row in found["standings"]
    ]
    assert lines == [
        (second, 1, "5/4", "5/8", 0),
        (first, 2, "1", "1/2", 1),
        (third, 3, "1/4", "1/4", 0),
    ]
    assert found["contests"][0]["answer"]["kind"] == "race"
    (sheet,) = ask(client, f"stages/{made.stage.uid}/sheets")["sheets"]
    scored = client.post("/api/v1/score", sheet["sheet"], content_type="application/json")
    assert read(scored) == found["contests"][0]["answer"]
