"""Making, listing and revoking access tokens in the browser; the interface's own pages there."""

import json
import re
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import UserFactory, recorded_round, running_match
from tournament.api.schema import document
from tournament.models import ApiToken, Membership
from tournament.server.middleware import CONTENT_SECURITY_POLICY

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
    assert "made already" in again.content.decode()
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
    monkeypatch.setattr("tournament.actions.people.tokens.MOST_TOKENS", 1)
    client.force_login(UserFactory())
    client.post(PAGE, FORM)
    assert client.post(PAGE, FORM).status_code == 422
    client.post(f"/en/organise/tokens/{ApiToken.objects.get().uid}/revoke/")
    assert client.post(PAGE, FORM).status_code == 200


def test_docs_name_every_address_under_the_strict_policy(client: Client) -> None:
    response = client.get("/api/v1/docs")
    said = response.content.decode()
    assert response["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    for path, operations in document()["paths"].items():
        assert path in said
        assert all(f'id="{operation["operationId"]}"' in said for operation in operations.values())


def test_browser_gets_an_answer_as_a_page_with_links(client: Client) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    said = client.get(f"/api/v1/stages/{made.stage.uid}/plays", headers=browser).content.decode()
    assert f'<a href="/api/v1/plays/{play}">{play}</a>' in said
    assert f'<a href="/api/v1/tables/{made.table.uid}">' in said
    stage = client.get(f"/api/v1/stages/{made.stage.uid}", headers=browser).content.decode()
    assert f'href="/api/v1/stages/{made.stage.uid}/standings"' in stage
    missing = client.get(f"/api/v1/stages/{uuid4()}", headers=browser)
    assert (missing.status_code, missing["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_page_escapes_what_people_wrote(client: Client) -> None:
    made = running_match(players=2)
    made.tournament.name = "<script>alert(1)</script>"
    made.tournament.save(update_fields=["name"])
    address = f"/api/v1/tournaments/{made.tournament.uid}"
    said = client.get(address, headers={"accept": "text/html"}).content.decode()
    assert "<script>alert" not in said
    assert "&lt;script&gt;alert" in said


def test_page_and_json_have_etags_of_their_own(client: Client) -> None:
    made = running_match(players=2)
    address = f"/api/v1/stages/{made.stage.uid}"
    page, data = client.get(address, headers={"accept": "text/html"}), client.get(address)
    assert page["ETag"] != data["ETag"]
    assert client.get(address, headers={"if-none-match": page["ETag"]}).status_code == 200


def test_signed_in_browser_needs_the_csrf_token_to_write() -> None:
    """By the session's own check, before anything is looked for."""
    from rest_framework.exceptions import PermissionDenied
    from rest_framework.request import Request
    from rest_framework.test import APIRequestFactory

    from tournament.api.auth import PageAuthentication

    request = APIRequestFactory(enforce_csrf_checks=True).post("/api/v1/score")
    request.user = UserFactory()
    with pytest.raises(PermissionDenied, match="CSRF"):
        PageAuthentication().authenticate(Request(request))
