"""What each address answers, and to whom: everybody gets what is shown, private data stay with the organisers."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.api.championship import (
    BORN,
    CONTACT,
    LABEL,
    REAL_NAME,
    People,
    championship,
    everybody,
    token_for,
    uids_of,
)
from tests.support.factories import (
    Event,
    UserFactory,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.shared import shared_rows
from tournament import actions
from tournament.api import versions
from tournament.api.schema import document
from tournament.ledger import triggers
from tournament.models import LedgerRow, Membership, Play, Proposal, Stage, Tournament
from tournament.queries.programme import Plan
from tournament.queries.tour.answers import tour_of
from tournament.queries.visible import shown
from tournament.results.answer import stage_results

pytestmark = pytest.mark.django_db

Role = Membership.Role


@pytest.fixture(autouse=True)
def _fresh_throttle() -> None:
    cache.clear()


@pytest.fixture(scope="module")
def everyone(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[People]:
    """The championship that the tests of this module share, and who asks."""
    with shared_rows(django_db_blocker, lambda: everybody(championship())) as made:
        yield made


@pytest.fixture(autouse=True)
def people(everyone: People, db: None) -> People:
    """This test's own view of them."""
    return deepcopy(everyone)


def ask(client: Client, path: str, headers: dict[str, str] | None = None, **query: Any) -> Any:
    return client.get(f"/api/v1/{path}", query, headers=headers or {})


def read(client: Client, path: str, headers: dict[str, str] | None = None, **query: Any) -> Any:
    response = ask(client, path, headers, **query)
    assert response.status_code == 200, response.content
    return json.loads(response.content)


def every_address(uids: dict[str, list[str]]) -> list[str]:
    """Every address of the document that can be read, with each thing that it can name."""
    addresses: list[str] = []
    for path, operations in document()["paths"].items():
        if "get" in operations:
            name = next((name for name in uids if f"{{{name}}}" in path), None)
            addresses += [path.replace(f"{{{name}}}", uid) for uid in uids[name]] if name else [path]
    return [address.removeprefix("/api/v1/") for address in addresses]


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


def test_no_answer_holds_a_database_key(client: Client, people: People) -> None:
    """Ids are uids: no member called id or pk anywhere."""

    def names(data: Any) -> set[str]:
        if isinstance(data, dict):
            return set(data) | {name for each in data.values() for name in names(each)}
        if isinstance(data, list):
            return {name for each in data for name in names(each)}
        return set()

    for address in every_address(uids_of(people.made)):
        response = ask(client, address, people.headers("organiser"))
        known = names(json.loads(response.content))
        assert not {name for name in known if name == "pk" or name.endswith("_id")}, address
        if "sheets" not in address and address != "schema":  # a sheet's players have ids: their entries' uids
            assert "id" not in known, address


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


def frozen_match() -> Event:
    """A match whose second round everybody sees only when the freeze is lifted."""
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, winner=made.at(made.table)[2])
    return made.refresh()


@pytest.mark.parametrize("who", ["anybody", "stranger", "other event's organiser"])
def test_frozen_results_are_in_no_answer(client: Client, who: str) -> None:
    made = frozen_match()
    people = everybody(made)
    headers = people.headers(who)
    later = str(Play.objects.get(table=made.table, number=2).uid)
    standings = read(client, f"stages/{made.stage.uid}/standings", headers)
    then = [each.answer.as_json() for each in shown(made.stage).results]
    assert [each["answer"] for each in standings["contests"]] == json.loads(json.dumps(then))
    assert standings["frozen"]["unveiled"] is None
    assert len(standings["contests"][0]["answer"]["rounds"]) == 1
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
    assert frozen["unveiled"][0]["hidden"] == [1, 1]


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


def test_answer_comes_again_only_when_it_changed(client: Client) -> None:
    made = running_match(players=2)
    address = f"stages/{made.stage.uid}/standings"
    first = ask(client, address)
    again = ask(client, address, {"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    recorded_round(made)
    changed = ask(client, address, {"if-none-match": first["ETag"]})
    assert (changed.status_code, changed["ETag"] != first["ETag"]) == (200, True)
    assert changed["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie", "Accept-Language"} <= {
        each.strip() for each in changed["Vary"].split(",")
    }


def test_etag_of_another_history_or_program_is_another(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a backup was restored: the same number says something else."""
    made = running_match(players=2)
    row = LedgerRow.objects.filter(tournament=made.tournament, sequence=made.stage.version)
    addresses = [f"stages/{made.stage.uid}", f"tournaments/{made.tournament.uid}", "tournaments"]
    before = [ask(client, address)["ETag"] for address in addresses]
    monkeypatch.setattr(versions, "digest", lambda: "another")
    upgraded = [ask(client, address)["ETag"] for address in addresses]
    Tournament.objects.filter(pk=made.tournament.pk).update(ledger_head="f" * 64)
    triggers.drop(connection)
    row.update(digest="f" * 64)
    triggers.create(connection)
    restored = [ask(client, address)["ETag"] for address in addresses]
    for tags in zip(before, upgraded, restored, strict=True):
        assert len(set(tags)) == 3
    assert [tag.partition(".")[0] for tag in restored] == [tag.partition(".")[0] for tag in before]


def test_etag_of_who_sees_more_is_another(client: Client, people: People) -> None:
    address = f"tournaments/{people.made.tournament.uid}/entries"
    tags = {ask(client, address, people.headers(who))["ETag"] for who in people.tokens if who != "stranger"}
    assert len(tags) == 4  # anybody and another event's organiser see the same
    assert ask(client, address, people.headers("stranger"))["ETag"] == ask(client, address)["ETag"]


def test_plays_etag_is_its_version(client: Client) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    response = ask(client, f"plays/{play}")
    assert response["ETag"].startswith(f'"{Play.objects.get(uid=play).version}.everybody.')
    assert ask(client, f"plays/{play}", {"if-match": '"1.everybody"'}).status_code == 412


def test_list_of_tournaments_holds_the_listed_and_the_own(client: Client) -> None:
    listed, own, others, rehearsed = event(), event(listed=False), event(listed=False), event()
    Tournament.objects.filter(pk=rehearsed.tournament.pk).update(put_away=True, rehearsal=True)
    these = {each.tournament.name for each in (listed, own, others, rehearsed)}

    def names(headers: dict[str, str] | None = None) -> set[str]:
        return these & {row["name"] for row in read(client, "tournaments", headers)["results"]}

    referee = own.referee(Role.TABLE_REFEREE)
    mine = {"authorization": f"Bearer {token_for(referee)}"}
    assert names() == {listed.tournament.name}
    assert names(mine) == {listed.tournament.name, own.tournament.name}
    staff = {"authorization": f"Bearer {token_for(own.user)}"}
    assert names(staff) == {each.tournament.name for each in (listed, own, others)}
    assert ask(client, f"tournaments/{others.tournament.uid}").status_code == 200
    assert ask(client, f"tournaments/{rehearsed.tournament.uid}", staff).status_code == 404


def test_token_of_a_tournament_reads_that_one_alone(client: Client) -> None:
    made, other = running_match(players=2), running_match(players=2)
    headers = {"authorization": f"Bearer {token_for(made.user, 'organise', made.tournament.uid)}"}
    assert [row["uid"] for row in read(client, "tournaments", headers)["results"]] == [
        str(made.tournament.uid)
    ]
    assert read(client, f"stages/{made.stage.uid}", headers)["uid"] == str(made.stage.uid)
    for address in every_address(uids_of(other)):
        if str(other.tournament.uid) in address or str(other.stage.uid) in address:
            assert ask(client, address, headers).status_code == 404, address


@pytest.mark.parametrize(
    ("who", "incidents", "ledger"),
    [
        ("anybody", 401, 401),
        ("stranger", 404, 404),
        ("other event's organiser", 404, 404),
        ("table referee", 200, 404),
        ("head referee", 200, 200),
        ("organiser", 200, 200),
    ],
)
def test_incidents_are_the_referees_and_the_ledger_the_heads(
    client: Client, people: People, who: str, incidents: int, ledger: int
) -> None:
    tournament, headers = people.made.tournament.uid, people.headers(who)
    assert ask(client, f"tournaments/{tournament}/incidents", headers).status_code == incidents
    assert ask(client, f"tournaments/{tournament}/ledger", headers).status_code == ledger


REFEREES, HEADS, ORGANISERS = ("calls", "proposals"), ("checklist",), ("screens", "roles", "invites", "apart")


@pytest.mark.parametrize(
    ("who", "statuses"),
    [
        ("anybody", (401, 401, 401)),
        ("stranger", (404, 404, 404)),
        ("other event's organiser", (404, 404, 404)),
        ("table referee", (200, 404, 404)),
        ("head referee", (200, 200, 403)),
        ("organiser", (200, 200, 200)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_behind_an_event_is_for_those_who_run_it(
    client: Client, people: People, who: str, statuses: tuple[int, ...]
) -> None:
    tournament, headers = people.made.tournament.uid, people.headers(who)
    for names, status in zip((REFEREES, HEADS, ORGANISERS), statuses, strict=True):
        for name in names:
            assert ask(client, f"tournaments/{tournament}/{name}", headers).status_code == status, name
    assert read(client, f"tournaments/{tournament}/registration", headers)["opened"] is False


def test_who_is_kept_apart_and_links_that_give_a_role_need_the_scope_to_organise(
    client: Client, people: People
) -> None:
    event = f"tournaments/{people.made.tournament.uid}"
    tokens = {
        scope: {"authorization": f"Bearer {token_for(people.made.user, scope)}"}
        for scope in ("enter", "organise")
    }
    assert [ask(client, f"{event}/{name}", tokens["enter"]).status_code for name in ("invites", "apart")] == [
        403,
        403,
    ]
    link = read(client, f"{event}/invites", tokens["organise"])["results"][0]["link"]
    assert Client().get(link).status_code == 200
    pair = read(client, f"{event}/apart", tokens["organise"])["results"][0]
    for headers in (people.headers("head referee"), tokens["enter"]):
        rows = read(client, f"{event}/ledger", headers, action="keep_apart")["results"]
        assert [row["payload"]["apart"] for row in rows] == [{pair["uid"]: {}}]
    row = read(client, f"{event}/ledger", tokens["organise"], action="keep_apart")["results"][0]
    assert row["payload"]["apart"] == {pair["uid"]: {"first": pair["first"], "second": pair["second"]}}


def test_referee_reads_calls_and_proposals_of_the_own_tables(client: Client) -> None:
    made = running_match(players=4, tables=2)
    here, there = made.tables
    for table in made.tables:
        made.act(actions.call_referee, table=table.uid)
        Proposal.objects.create(
            table=table, number=1, play=uuid4(), fields={"winner": str(made.at(table)[0])}, at=timezone.now()
        )
    event, own = f"tournaments/{made.tournament.uid}", made.referee(Role.TABLE_REFEREE, here)
    mine, all_ = ({"authorization": f"Bearer {token_for(user)}"} for user in (own, made.user))
    for name in REFEREES:
        assert [row["table"] for row in read(client, f"{event}/{name}", mine)["results"]] == [str(here.uid)]
        assert read(client, f"{event}/{name}", all_)["count"] == 2
        assert read(client, f"{event}/{name}", all_, table=there.uid)["count"] == 1
    assert read(client, f"{event}/calls", all_, open="false")["count"] == 0
    assert read(client, f"{event}/proposals", all_, state="waiting")["results"][0]["filled"]


def test_tour_is_what_its_pages_show(client: Client) -> None:
    made = running_session(players=3, min_games=1)
    for _ in range(3):
        play = started_game(made, elapsed_s=60)
        for entry in made.uids[:2]:
            made.act(actions.record_out, play=play, entry=entry, elapsed_s=30)
    address = f"organisers/{made.tournament.organiser.uid}"
    assert read(client, f"{address}/season")["results"] == []
    made.act(actions.finish_stage, stage=made.stage.uid)
    found = tour_of(made.tournament.organiser.uid)
    assert found
    tour = read(client, f"{address}/tour")
    year = made.tournament.starts_on.year
    assert (tour["seasons"], tour["version"]) == ([year], found.version)
    season = read(client, f"{address}/season", year=year)["results"]
    assert [(row["player"], row["average"]) for row in season] == [
        (row.player, str(row.average)) for row in found.season(year).standings
    ]
    assert ask(client, f"{address}/season", year=year + 1).status_code == 404
    ratings = read(client, f"{address}/ratings")["results"]
    assert [row["rating"]["points"] for row in ratings] == [
        row.now.points for row in found.ratings().values()
    ]
    appearances = read(client, f"{address}/appearances", player=ratings[0]["player"])["results"]
    assert [row["played"][0]["kind"] for row in appearances] == ["session"]
    assert ask(client, f"{address}/appearances").status_code == 400
    confined = {"authorization": f"Bearer {token_for(made.user, 'organise', made.tournament.uid)}"}
    assert ask(client, f"{address}/tour", confined).status_code == 404


def test_referee_of_every_table_may_not_read_the_ledger(client: Client) -> None:
    made = running_match(players=2)
    headers = {"authorization": f"Bearer {token_for(made.referee(Role.TABLE_REFEREE))}"}
    assert ask(client, f"tournaments/{made.tournament.uid}/ledger", headers).status_code == 403


def test_ledger_is_the_chain(client: Client, people: People) -> None:
    headers = people.headers("head referee")
    address = f"tournaments/{people.made.tournament.uid}/ledger"
    rows = read(client, address, headers, limit=500)["results"]
    assert [row["previous"] for row in rows[1:]] == [row["digest"] for row in rows[:-1]]
    after = read(client, address, headers, after=rows[-3]["sequence"])["results"]
    assert [row["sequence"] for row in after] == [row["sequence"] for row in rows[-2:]]
    assert {row["action"] for row in read(client, address, headers, action="record_heat")["results"]} == {
        "record_heat"
    }


def test_list_is_narrowed_and_divided(client: Client) -> None:
    made = event(players=5)
    address = f"tournaments/{made.tournament.uid}/entries"
    first = read(client, address, limit=2)
    assert (first["count"], len(first["results"]), first["previous"]) == (5, 2, None)
    second = json.loads(client.get(first["next"]).content)
    assert [row["start_number"] for row in second["results"]] == [3, 4]
    assert [row["public_name"] for row in read(client, address, name="aino")["results"]] == ["Aino"]
    assert read(client, address, start_number=4)["count"] == 1


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("tournaments?limit=0", "/limit"),
        ("tournaments?limit=501", "/limit"),
        ("tournaments?offset=x", "/offset"),
        ("tournaments?starts_from=yesterday", "/starts_from"),
        ("tournaments?organiser=me", "/organiser"),
    ],
)
def test_what_is_no_filter_is_refused_at_its_place(client: Client, address: str, path: str) -> None:
    response = client.get(f"/api/v1/{address}")
    problem = json.loads(response.content)
    assert (response.status_code, problem["code"]) == (400, "malformed")
    assert [error["path"] for error in problem["errors"]] == [path]


def test_plays_are_narrowed(client: Client) -> None:
    made = running_heats(players=4, tables=2)
    first, second = recorded_heat(made, made.tables[0]), recorded_heat(made, made.tables[1])
    address = f"stages/{made.stage.uid}/plays"

    def found(**query: Any) -> list[str]:
        return [row["uid"] for row in read(client, address, **query)["results"]]

    assert found() == [str(first), str(second)]
    assert found(table=made.tables[1].uid) == [str(second)]
    assert found(entry=made.at(made.tables[0])[0]) == [str(first)]
    assert found(after=Play.objects.get(uid=first).version) == [str(second)]
    assert found(state="void") == []


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


def test_me_says_who_asks(client: Client, people: People) -> None:
    assert ask(client, "me").status_code == 401
    me = read(client, "me", people.headers("table referee"))
    assert [row["role"] for row in me["roles"]] == ["table_referee"]
    assert me["roles"][0]["table"] == str(people.made.table.uid)
    assert me["token"]["scopes"] == ["read", "enter", "organise"]


def test_who_is_signed_in_reads_as_they_are(client: Client) -> None:
    made = running_match(players=2)
    client.force_login(made.referee(Role.HEAD_REFEREE))
    assert read(client, "me")["token"] is None
    assert ask(client, f"tournaments/{made.tournament.uid}/ledger").status_code == 200


def test_user_without_role_is_as_anybody(client: Client, people: People) -> None:
    client.force_login(UserFactory())
    for address in every_address(uids_of(people.made)):
        outside = ask(Client(), address)
        if outside.status_code != 401 and address != "tournaments":
            assert ask(client, address).content == outside.content, address


@pytest.mark.parametrize("address", ["entries", "stages", "incidents", "ledger", "screens", "roles"])
def test_lists_cost_the_same_queries_for_three(client: Client, address: str) -> None:
    counts = []
    for players in (2, 6):
        made = event(players=players)
        for number in range(players // 2):
            made.act(actions.plan_stage, stage=uuid4(), kind="match", settings={}, name=f"Part {number}")
            made.act(actions.record_ruling, incident=uuid4(), text="May she?", ruling="Yes.")
            made.act(actions.add_screen, screen=uuid4(), name=f"Screen {number}")
            made.referee(Role.TABLE_REFEREE)
        headers = {"authorization": f"Bearer {token_for(made.referee(Role.ORGANISER))}"}
        ask(client, "me", headers)  # notes that the token is used
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert (
                read(client, f"tournaments/{made.tournament.uid}/{address}", headers)["count"] >= players // 2
            )
        counts.append(len(queries))
    assert counts[0] == counts[1]
