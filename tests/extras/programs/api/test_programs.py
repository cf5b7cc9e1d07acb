"""Tokens are managed by the API as on their page."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.extras.programs.api.asking import ask, read
from tests.extras.programs.api.championship import token_for
from tests.extras.programs.api.sending import codes, read as read_answer
from tests.support.factories import UserFactory, event
from tournament.models import ApiToken, User

pytestmark = pytest.mark.django_db

SOON = timedelta(hours=1)


def bearer(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"}


def token(client: Client, by: str, key: Any = None, **more: Any) -> Any:
    """The answer to a token being made by another."""
    body = {"name": "Board", "scope": "read", "expires_at": (timezone.now() + SOON).isoformat(), **more}
    headers = bearer(by) | {"idempotency-key": str(key or uuid4())}
    return client.post("/api/v1/tokens", body, content_type="application/json", headers=headers)


def test_a_token_is_made_listed_and_revoked(client: Client) -> None:
    user, key = UserFactory(), uuid4()
    secret, made = token_for(user), event()
    answer = token(client, secret, key, tournament=str(made.tournament.uid))
    assert answer.status_code == 201
    new = read_answer(answer)
    assert (new["uid"], new["scopes"]) == (str(key), ["read"])
    assert read(client, "me", bearer(new["secret"]))["token"]["tournament"] == str(made.tournament.uid)
    assert codes(token(client, secret, key)) == [("token_exists", "/token")]
    listed = ask(client, "tokens", bearer(secret))
    assert [row["name"] for row in read_answer(listed)["results"]] == ["Board", "a test's"]
    assert new["secret"] not in listed.content.decode()
    assert client.delete(f"/api/v1/tokens/{key}", headers=bearer(secret)).status_code == 204
    assert read(client, "tokens", bearer(secret))["results"][0]["revoked_at"]
    assert ask(client, "me", bearer(new["secret"])).status_code == 401


@pytest.mark.parametrize("scope", ["read", "enter"])
def test_tokens_are_managed_in_the_scope_organise(client: Client, scope: str) -> None:
    secret = token_for(UserFactory(), scope)
    uid = ApiToken.objects.get().uid
    for answer in (
        ask(client, "tokens", bearer(secret)),
        token(client, secret),
        client.delete(f"/api/v1/tokens/{uid}", headers=bearer(secret)),
    ):
        assert (answer.status_code, read_answer(answer)["code"]) == (403, "forbidden")
    assert ApiToken.objects.filter(revoked_at=None).count() == 1


def test_a_token_reaches_no_token_beyond_its_event_and_its_end(client: Client) -> None:
    made, other = event(), event()
    user: User = made.user
    whole, part = token_for(user), token_for(user, "organise", made.tournament.uid)
    beyond = ApiToken.objects.exclude(tournament=made.tournament).get()
    late = (timezone.now() + timedelta(days=2)).isoformat()
    here = str(made.tournament.uid)
    for more in ({}, {"tournament": str(other.tournament.uid)}, {"tournament": here, "expires_at": late}):
        answer = token(client, part, **more)
        assert answer.status_code == 403
    assert codes(answer) == [("expiry_after_token", "/expires_at")]
    assert (
        str(ApiToken.objects.get(tournament=made.tournament).expires_at.year)
        in answer.json()["errors"][0]["message"]
    )  # the day, not the time of day alone
    assert client.delete(f"/api/v1/tokens/{beyond.uid}", headers=bearer(part)).status_code == 404
    assert token(client, part, tournament=here).status_code == 201
    assert (
        read(client, "tokens", bearer(part))["count"],
        read(client, "tokens", bearer(whole))["count"],
    ) == (2, 3)


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"scope": "all"}, (400, [("field_invalid_choice", "/scope")])),
        ({"expires_at": "2026-05-09T18:00:00"}, (400, [("field_invalid", "/expires_at")])),
        ({"secret": "mine"}, (400, [("field_unknown", "/secret")])),
        ({"name": " "}, (422, [("field_required", "/name")])),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_token_that_does_not_fit_is_refused(client: Client, more: dict[str, Any], fault: Any) -> None:
    answer = token(client, token_for(UserFactory()), **more)
    assert (answer.status_code, codes(answer)) == fault


def test_tokens_cost_the_same_queries_for_three(client: Client) -> None:
    secret, costs = token_for(UserFactory()), []
    for wanted in (2, 4):  # with the one that asks
        while ApiToken.objects.count() < wanted:
            token(client, secret)
        with CaptureQueriesContext(connection) as queries:
            assert read(client, "tokens", bearer(secret))["count"] == wanted
        costs.append(len(queries))
    assert costs[0] == costs[1]
