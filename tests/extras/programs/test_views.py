"""Making, listing and revoking access tokens in the browser; the interface's own pages there."""

import json
import re
from uuid import uuid4

import pytest
from django.test import Client

from tests.actions.kernel.test_guests import run_by_guest
from tests.support.factories import StaffFactory, UserFactory, access_token, running_match
from tournament import actions
from tournament.actions import Command
from tournament.models import HOST, ApiToken, Membership, User
from tournament.models.people import NEWCOMER

pytestmark = pytest.mark.django_db

PAGE = "/en/organise/tokens/"
FORM = {"name": "wall display", "scope": "enter", "tournament": "", "valid": "7"}


def test_tokens_are_for_who_is_signed_in(client: Client) -> None:
    assert client.get(PAGE).status_code == 302


def test_secret_is_shown_once_and_works(client: Client) -> None:
    made = running_match(players=2)
    user = made.referee(Membership.Role.HEAD_REFEREE)
    client.force_login(user)
    said = client.post(PAGE, {**FORM, "tournament": str(made.tournament.uid)}).content.decode()
    secret = re.search(r"lc_[\w-]{43}", said)
    assert secret
    assert "lc_" not in client.get(PAGE).content.decode()
    row = ApiToken.objects.get()
    assert (row.user, row.scopes, row.tournament) == (user, ["read", "enter"], made.tournament)
    headers = {"authorization": f"Bearer {secret[0]}"}
    me = json.loads(Client().get("/api/v1/me", headers=headers).content)
    assert me["user"]["uid"] == str(user.uid)
    client.post(f"/en/organise/tokens/{row.uid}/revoke/")
    assert Client().get("/api/v1/me", headers=headers).status_code == 401


def test_form_sent_twice_makes_one_token(client: Client) -> None:
    client.force_login(UserFactory())
    form = {**FORM, "token": str(uuid4())}
    assert client.post(PAGE, form).status_code == 200
    again = client.post(PAGE, form)
    assert again.status_code == 422
    assert "has already been created" in again.content.decode()
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"scope": "all"}, {"valid": "999"}, {"tournament": str(uuid4())}]
)
def test_form_refuses_what_there_is_not(client: Client, wrong: dict[str, str]) -> None:
    client.force_login(UserFactory())
    assert client.post(PAGE, FORM | wrong).status_code == 422
    assert not ApiToken.objects.exists()


def test_nobody_revokes_what_is_anothers(client: Client) -> None:
    client.force_login(UserFactory())
    client.post(PAGE, FORM)
    token = ApiToken.objects.get()
    client.force_login(UserFactory())
    assert client.post(f"/en/organise/tokens/{token.uid}/revoke/").status_code == 404
    assert token.name not in client.get(PAGE).content.decode()
    token.refresh_from_db()
    assert token.revoked_at is None


def test_too_many_tokens_are_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.extras.programs.actions.MOST_TOKENS", 1)
    client.force_login(UserFactory())
    client.post(PAGE, FORM)
    assert client.post(PAGE, FORM).status_code == 422
    client.post(f"/en/organise/tokens/{ApiToken.objects.get().uid}/revoke/")
    assert client.post(PAGE, FORM).status_code == 200


def test_a_guest_and_a_newcomer_are_offered_no_token(client: Client) -> None:
    made = run_by_guest()
    client.force_login(made.user)
    assert "/organise/tokens/" not in client.get(f"/en/organise/t/{made.tournament.slug}/").content.decode()
    page = client.get(PAGE).content.decode()
    assert "This needs an account" in page
    assert 'name="scope"' not in page
    client.force_login(UserFactory(username=f"{NEWCOMER}1"))
    assert client.get(PAGE).status_code == 403


def test_programs_read_the_hash_of_the_ledgers_end_and_no_practice() -> None:
    made = running_match(players=2)
    host, _made = User.objects.get_or_create(uid=HOST, username="practice")
    actions.create_tournament(
        Command(uuid4(), host),
        uuid4(),
        name="Practice",
        starts_on=made.tournament.starts_on,
        ruleset="mattel-108",
        organiser_name="Lastcard",
        rehearsal=True,
    )
    _row, secret = access_token(StaffFactory())
    headers = {"authorization": f"Bearer {secret}"}
    found = Client().get("/api/v1/tournaments", headers=headers).json()["results"]
    assert [each["uid"] for each in found] == [str(made.tournament.uid)]
    said = Client().get(f"/api/v1/tournaments/{made.tournament.uid}", headers=headers).content.decode()
    assert made.tournament.ledger_head in said
