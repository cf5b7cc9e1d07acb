"""Event data for those who run it, apart from the play itself; everybody else is refused."""

from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tests.extras.programs.api.asking import ask, read
from tests.extras.programs.api.championship import People, token_for
from tests.support.factories import running_match
from tournament import actions
from tournament.models import Membership, Proposal

pytestmark = pytest.mark.django_db


Role = Membership.Role


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
