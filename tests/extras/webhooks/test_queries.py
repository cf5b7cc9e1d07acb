"""Events sent to webhooks for each kind of row, and rows that send none."""

import json
from datetime import datetime
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from tests.extras.webhooks.telling import hooked, told
from tests.support.asking_actions import agrees
from tests.support.factories import recorded_heat, recorded_round, running_heats, running_match
from tournament import actions
from tournament.extras.webhooks import queries as events
from tournament.models import Call, Incident, LedgerRow

pytestmark = pytest.mark.both

database = pytest.mark.django_db


@database
def test_a_result_is_told_by_links_to_what_everybody_may_read(settings: Settings, client: Client) -> None:
    settings.PUBLIC_URL = "http://testserver"
    made = running_match()
    hooked(made, kinds=["results"])
    play = recorded_round(made)
    (message,) = told()
    row = LedgerRow.objects.get(action="record_round")
    data = message["data"]
    links = data.pop("links")
    assert message["type"] == "results.changed"
    assert datetime.fromisoformat(message["timestamp"]) == row.at
    assert data == {
        "tournament": str(made.tournament.uid),
        "sequence": row.sequence,
        "stage": str(made.stage.uid),
        "plays": [str(play)],
        "more_plays": False,
    }
    found = {name: client.get(address.removeprefix("http://testserver")) for name, address in links.items()}
    assert {name: answer.status_code for name, answer in found.items()} == {
        "tournament": 200,
        "stage": 200,
        "standings": 200,
        "plays": 200,
    }
    assert [each["uid"] for each in found["plays"].json()["results"]] == [str(play)]
    assert told() == [message | {"data": data | {"links": links}}]  # once
    assert agrees(made)


@database
def test_stages_and_incidents_are_told_without_names_and_texts() -> None:
    made = running_heats()
    both = hooked(made, kinds=["stages", "incidents"])
    results = hooked(made, kinds=["results"])
    incident = uuid4()
    named = {"table": made.table.uid, "entry": made.at(made.table)[0], "text": "shouted at Aino"}
    made.act(actions.warn_player, incident=incident, **named)
    made.act(actions.withdraw_incident, incident=incident, reason="It was Börje")
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    messages = told(both)
    assert [message["type"] for message in messages] == ["incident.changed"] * 2 + ["stage.changed"]
    first, second, finished = (message["data"] for message in messages)
    row = Incident.objects.get()
    assert first.pop("links").keys() == {"tournament", "incident"}
    assert first == {
        "tournament": str(made.tournament.uid),
        "sequence": LedgerRow.objects.get(action="warn_player").sequence,
        "incident": str(incident),
        "kind": str(row.kind),
        "table": str(made.table.uid),
        "at": first["at"],
        "withdrawn": False,
    }
    assert datetime.fromisoformat(first["at"]) == row.at
    assert second["withdrawn"]
    assert (finished["stage"], finished["number"], finished["kind"], finished["state"]) == (
        str(made.stage.uid),
        1,
        "heats",
        "finished",
    )
    assert {message["type"] for message in told(results)} == {"results.changed"}
    assert not any(name in json.dumps(told()) for name in ("Aino", "Börje", "shouted"))


@database
def test_nothing_of_what_came_after_a_freeze_is_told_until_it_is_shown() -> None:
    made = running_match(tables=1)
    final = uuid4()
    hooked(made, kinds=["results", "stages"])
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    seen = told()
    hidden = recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid, reason="Late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.plan_stage, stage=final, kind="match")
    now = told()
    assert [message["type"] for message in now[: len(seen)]] == ["results.changed", "stage.changed"]
    assert {message["type"] for message in now[len(seen) :]} == {"stage.changed"}
    assert {message["data"]["state"] for message in now[len(seen) :] if message["data"]["number"] == 1} == {
        "running"
    }
    assert str(hidden) not in json.dumps(now)
    made.act(actions.lift_freeze, stage=made.stage.uid)
    after = told()[len(now) :]
    assert [(each["type"], each["data"]["stage"]) for each in after] == [
        ("results.changed", str(made.stage.uid)),
        ("stage.changed", str(made.stage.uid)),
    ]
    assert after[1]["data"]["state"] == "finished"


@database
def test_a_step_of_the_reveal_is_told() -> None:
    made = running_match()
    hooked(made, kinds=["results"])
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    made.act(actions.stop_match, table=made.table.uid, reason="Late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    before = len(told())
    made.act(actions.begin_reveal, stage=made.stage.uid)
    assert [message["data"]["plays"] for message in told()[before:]] == [[]]


@database
def test_a_row_with_many_plays_names_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_PLAYS", 0)
    made = running_match()
    hooked(made)
    recorded_round(made)
    (message,) = told()
    assert (message["data"]["plays"], message["data"]["more_plays"]) == ([], True)


@database
def test_players_calls_and_the_event_are_told_also_when_they_are_gone() -> None:
    made = running_match(players=3)
    hooked(made, kinds=["players", "calls", "event"])
    made.act(actions.call_referee, table=made.table.uid)
    call = Call.objects.get().uid
    made.act(actions.take_back_call, call=call)
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Zoë"}])
    made.act(actions.withdraw_entry, entry=late)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid, reason="Late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    messages = told()
    assert [(message["type"], len(message["data"]["links"])) for message in messages] == [
        ("call.changed", 1),
        ("call.changed", 1),
        ("entry.changed", 2),
        ("entry.changed", 1),
        ("tournament.changed", 1),
    ]
    asked, gone, *_entries, over = (message["data"] for message in messages)
    assert (asked["call"], asked["table"], asked["answered_at"]) == (str(call), str(made.table.uid), None)
    assert (gone["call"], gone["table"]) == (str(call), None)
    assert over["state"] == "finished"
    assert "Zoë" not in json.dumps(messages)


@database
def test_a_message_has_no_links_where_there_is_no_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.apps.apps.is_installed", lambda _name: False)
    assert events._link("stage", uuid4()) == ""
