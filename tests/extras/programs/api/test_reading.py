"""Answers by reader: shown results for everybody, the truth for those who run the event, private data for
organisers."""

import json
from uuid import uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.asking import ask, every_address, read
from tests.extras.programs.api.championship import (
    BORN,
    CONTACT,
    LABEL,
    REAL_NAME,
    People,
    everybody,
    token_for,
    uids_of,
)
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_round,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.models import Membership, Play, Stage
from tournament.queries.programme import Plan
from tournament.queries.visible import shown
from tournament.results.answer import stage_results

pytestmark = pytest.mark.django_db


Role = Membership.Role


@pytest.mark.sweep
@pytest.mark.parametrize(
    "who", ["anybody", "stranger", "table referee", "head referee", "other event's organiser"]
)
def test_private_data_are_in_no_answer_but_the_organisers(client: Client, people: People, who: str) -> None:
    addresses = every_address(uids_of(people.made))
    assert len(addresses) > 30
    for address in addresses:
        said = ask(client, address, people.headers(who)).content.decode()
        assert not {word for word in (REAL_NAME, CONTACT, BORN.isoformat(), LABEL) if word in said}, address
    own = "".join(ask(client, address, people.headers("organiser")).content.decode() for address in addresses)
    assert {word for word in (REAL_NAME, CONTACT, BORN.isoformat(), LABEL) if word in own} == {
        REAL_NAME,
        CONTACT,
        BORN.isoformat(),
        LABEL,
    }


@pytest.mark.parametrize("scope", ["read", "enter"])
def test_private_data_need_the_scope_to_organise(client: Client, people: People, scope: str) -> None:
    headers = {"authorization": f"Bearer {token_for(people.made.user, scope)}"}
    entries = read(client, f"tournaments/{people.made.tournament.uid}/entries", headers)["results"]
    assert {row["private"] for row in entries} == {None}
    assert {row["state"] for row in entries} == {"registered"}


def test_standings_are_scorings_own_answer(client: Client, people: People) -> None:
    for stage in Stage.objects.filter(tournament=people.made.tournament):
        found = read(client, f"stages/{stage.uid}/standings")
        answers = [json.loads(json.dumps(each.answer.as_json())) for each in stage_results(stage)]
        assert [each["answer"] for each in found["contests"]] == answers
        sheets = read(client, f"stages/{stage.uid}/sheets")["sheets"]
        scored = [
            client.post("/api/v1/score", json.dumps(each["sheet"]), "application/json") for each in sheets
        ]
        assert [json.loads(each.content) for each in scored] == answers


def test_standings_name_everyone_as_the_pages_do(client: Client, people: People) -> None:
    """A scoreboard needs one read: names told apart, clubs and start numbers stand in each line."""
    made = people.made
    made.act(
        actions.enter_players,
        players=[{"entry": uuid4(), "name": made.entries[0].public_name, "another": True}],
    )
    entries = {
        row["uid"]: row for row in read(client, f"tournaments/{made.tournament.uid}/entries")["results"]
    }
    heats, match = Stage.objects.filter(tournament=made.tournament).order_by("number")
    for stage in (heats, match):
        found = read(client, f"stages/{stage.uid}/standings")
        assert found["standings"]
        for row in found["standings"]:
            entry = entries[row["entry"]]
            assert row["player"] == row["entry"]
            for name in ("public_name", "display_name", "club", "start_number"):
                assert row[name] == entry[name]
    places = [
        (row["table_number"], row["place"])
        for row in read(client, f"stages/{heats.uid}/standings")["standings"]
    ]
    assert {table for table, _ in places} == {1, 2}
    lines = found["contests"][0]["answer"]["standings"]
    assert [{name: row[name] for name in lines[0]} for row in found["standings"]] == lines
    assert any(row["display_name"] != row["public_name"] for row in entries.values())


def frozen_match() -> Event:
    """A match whose second round everybody sees only when the freeze is lifted."""
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, winner=made.at(made.table)[2])
    return made.refresh()


@pytest.mark.sweep
@pytest.mark.parametrize("who", ["anybody", "stranger", "other event's organiser"])
def test_frozen_results_are_in_no_answer(client: Client, who: str) -> None:
    made = frozen_match()
    people = everybody(made)
    headers = people.headers(who)
    later = str(Play.objects.get(table=made.table, number=2).uid)
    standings = read(client, f"stages/{made.stage.uid}/standings", headers)
    then = json.loads(json.dumps([each.answer.as_json() for each in shown(made.stage).results]))
    assert [each["answer"] for each in standings["contests"]] == then
    assert standings["frozen"]["unveiled"] is None
    assert len(standings["contests"][0]["answer"]["rounds"]) == 1
    assert [row["points"] for row in standings["standings"]] == [
        row["points"] for row in then[0]["standings"]
    ]
    assert [row["number"] for row in read(client, f"stages/{made.stage.uid}/plays", headers)["results"]] == [
        1
    ]
    assert ask(client, f"plays/{later}", headers).status_code == 404
    for address in every_address(uids_of(made)):
        if later not in address:
            assert later not in ask(client, address, headers).content.decode(), address


@pytest.mark.parametrize("who", ["head referee", "organiser"])
def test_who_runs_the_event_reads_the_truth(client: Client, who: str) -> None:
    made = frozen_match()
    headers = everybody(made).headers(who)
    standings = read(client, f"stages/{made.stage.uid}/standings", headers)
    assert (standings["frozen"], len(standings["contests"][0]["answer"]["rounds"])) == (None, 2)
    assert len(read(client, f"stages/{made.stage.uid}/plays", headers)["results"]) == 2


def test_referee_reads_the_own_tables_plays_as_they_are(client: Client) -> None:
    made = running_match(players=4, tables=2)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    here, there = made.tables
    for table in made.tables:
        seats = made.at(table)
        made.act(
            actions.record_round,
            table=table.uid,
            play=uuid4(),
            number=1,
            winner=seats[0],
            hands={str(seats[1]): {"7": 1}},
        )
    headers = {"authorization": f"Bearer {token_for(made.referee(Role.TABLE_REFEREE, here))}"}
    plays = read(client, f"stages/{made.stage.uid}/plays", headers)["results"]
    assert [row["table"] for row in plays] == [str(here.uid)]
    theirs = Play.objects.get(table=there).uid
    assert ask(client, f"plays/{theirs}", headers).status_code == 404
    standings = read(client, f"stages/{made.stage.uid}/standings", headers)
    assert [each["answer"]["rounds"] for each in standings["contests"]] == [[], []]


def test_reveal_gives_places_from_the_last(client: Client) -> None:
    made = frozen_match()
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    frozen = read(client, f"stages/{made.stage.uid}/standings")["frozen"]
    assert (frozen["left"], frozen["unveiled"][0]["standings"]) == (3, [])
    made.act(actions.reveal_next, stage=made.stage.uid, left=3)
    frozen = read(client, f"stages/{made.stage.uid}/standings")["frozen"]
    assert [row["place"] for row in frozen["unveiled"][0]["standings"]] == [3]
    assert [row["display_name"] for row in frozen["unveiled"][0]["standings"]] == [made.entries[1].shown_name]
    assert frozen["unveiled"][0]["hidden"] == [1, 2]  # not that they share the first place


def test_void_play_keeps_its_number_and_tells_nothing_else(client: Client) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    made.act(
        actions.void_play, play=play, version=Play.objects.get(uid=play).version, reason="another table's"
    )
    found = read(client, f"plays/{play}")
    assert (found["state"], found["results"], found["last_cards"]) == ("void", [], {})
    headers = {"authorization": f"Bearer {token_for(made.user)}"}
    assert len(read(client, f"plays/{play}", headers)["results"]) == 2


def test_running_game_is_read(client: Client) -> None:
    made = running_session(players=3)
    play = started_game(made)
    found = read(client, f"plays/{play}")
    assert (found["state"], found["ended"], len(found["results"])) == ("running", "", 3)


def test_times_end_with_z(client: Client) -> None:
    made = running_session(players=3)
    play = read(client, f"plays/{started_game(made)}")
    assert play["started_at"].endswith("Z")


def test_event_says_where_its_workbook_is(client: Client) -> None:
    made = running_match(players=2)
    links = read(client, f"tournaments/{made.tournament.uid}")["links"]
    assert links["workbook"] == f"http://testserver/en/t/{made.tournament.slug}/results.xlsx"
    assert {"page", "workbook", "data", "csv", "live"} <= links.keys()
    for name in links.keys() - {"live"}:
        assert client.get(links[name]).status_code == 200, name


def test_programme_is_told_when_it_is_published(client: Client) -> None:
    made = add_stage(event("tite-2022", 4), "heats", start=False)
    plan = Plan(minutes=30, players=4, tables=1)
    made.act(actions.set_programme, stages=[{"stage": made.stage.uid, "plan": plan.as_json()}])
    address = f"tournaments/{made.tournament.uid}/programme"
    assert read(client, address) == {"published": False, "parts": [], "gone": []}
    headers = {"authorization": f"Bearer {token_for(made.user)}"}
    assert read(client, address, headers)["parts"][0]["plan"]["minutes"] == 30
    made.act(actions.publish_programme)
    assert read(client, address)["parts"][0]["first"]["minutes"] == 30
