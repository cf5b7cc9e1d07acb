"""The answer of each address by reader: everybody gets what is shown, private data stay with the organisers."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.extras.programs.api.asking import ask, every_address, read
from tests.extras.programs.api.championship import People, token_for, uids_of
from tests.support.arriving import opened
from tests.support.factories import UserFactory, event, running_match
from tournament import actions
from tournament.models import Membership, Tournament

pytestmark = pytest.mark.django_db

Role = Membership.Role


def test_list_of_tournaments_holds_the_listed_and_the_own(client: Client) -> None:
    listed, own, others, rehearsed = opened(), event(listed=False), event(listed=False), event()
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


def test_me_says_who_asks(client: Client, people: People) -> None:
    assert ask(client, "me").status_code == 401
    me = read(client, "me", people.headers("table referee"))
    assert [row["role"] for row in me["roles"]] == ["table_referee"]
    assert me["roles"][0]["table"] == str(people.made.table.uid)
    assert (me["token"]["scopes"], me["organisers"]) == (["read", "enter", "organise"], [])


def test_me_names_the_organisers_of_which_a_new_event_can_be(client: Client) -> None:
    made = running_match(players=2)
    other = event(user=made.user, organiser_name="Another")
    ours = [
        {"uid": str(each.tournament.organiser.uid), "name": each.tournament.organiser.name}
        for each in (other, made)
    ]
    assert read(client, "me", {"authorization": f"Bearer {token_for(made.user)}"})["organisers"] == ours
    limited = token_for(made.user, "organise", made.tournament.uid)
    assert read(client, "me", {"authorization": f"Bearer {limited}"})["organisers"] == ours[1:]


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
