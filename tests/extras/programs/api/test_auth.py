"""Authentication, and what a token lets its holder do."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated

from tests.extras.programs.api.championship import token_for
from tests.extras.programs.api.sending import a_round, send
from tests.support.factories import UserFactory, event, running_match
from tournament.extras.programs.actions import revoke_token
from tournament.extras.programs.api.auth import Scope, Viewer, scope_of
from tournament.extras.programs.api.base import ApiView
from tournament.extras.programs.api.reading import Reader
from tournament.models import ApiToken, Membership, User

pytestmark = pytest.mark.django_db


Role = Membership.Role


@pytest.mark.parametrize("said", ["Bearer lc_wrong", "Bearer", "bearer a b", "Bearer \xe4", "Token lc_x"])
def test_token_that_does_not_hold_is_401(client: Client, said: str) -> None:
    response = client.get("/api/v1/nothing", headers={"authorization": said})
    assert (response.status_code, response["WWW-Authenticate"]) == (401, 'Bearer realm="lastcard"')


def test_token_ends_when_it_is_revoked_expires_or_its_user_goes(client: Client) -> None:
    user = UserFactory()
    secret = token_for(user)

    def status() -> int:
        return client.get("/api/v1/nothing", headers={"authorization": f"Bearer {secret}"}).status_code

    assert status() == 404
    row = ApiToken.objects.get()
    assert row.used_at is not None
    ApiToken.objects.update(expires_at=timezone.now())
    assert status() == 401
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(days=1))
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert status() == 401
    User.objects.filter(pk=user.pk).update(is_active=True)
    assert status() == 404
    revoke_token(user, row.uid)
    assert status() == 401


def test_use_is_noted_once_a_minute(client: Client) -> None:
    secret = token_for(UserFactory())
    headers = {"authorization": f"Bearer {secret}"}
    client.get("/api/v1/nothing", headers=headers)
    first = ApiToken.objects.get().used_at
    client.get("/api/v1/nothing", headers=headers)
    assert ApiToken.objects.get().used_at == first
    ApiToken.objects.update(used_at=timezone.now() - timedelta(minutes=2))
    client.get("/api/v1/nothing", headers=headers)
    assert ApiToken.objects.filter(used_at__gt=first).exists()


def test_database_holds_no_secret() -> None:
    secret = token_for(UserFactory())
    assert secret.startswith("lc_")
    assert secret not in str(list(ApiToken.objects.values()))


@pytest.mark.parametrize(
    ("scope", "reaches"),
    [("read", {"read"}), ("enter", {"read", "enter"}), ("organise", {"read", "enter", "organise"})],
)
def test_scope_reaches_as_far_as_those_before_it(scope: str, reaches: set[str]) -> None:
    user = UserFactory()
    token_for(user, scope)
    viewer = Viewer(user, ApiToken.objects.get())
    assert {each.value for each in Scope if viewer.has(each)} == reaches


def test_refusal_names_the_scope_that_is_missing(client: Client) -> None:
    made = running_match(players=2)
    headers = {"authorization": f"Bearer {token_for(made.user, 'read')}"}
    event = f"/api/v1/tournaments/{made.tournament.uid}"
    for response in (
        client.get(f"{event}/invites", headers=headers),
        client.post(f"{event}/put-away", headers={**headers, "idempotency-key": str(uuid4())}),
    ):
        assert (response.status_code, response.json()["required_scope"]) == (403, "organise")
        assert response.json()["detail"] == "This needs an access token with the scope “organise”."


def test_address_is_for_signed_in_viewers_where_nothing_else_is_said() -> None:
    assert [type(each) for each in ApiView().get_permissions()] == [IsAuthenticated]


def test_token_does_no_more_than_its_user_and_its_scope(client: Client) -> None:
    made = running_match(players=2)
    referee, stranger = made.referee(Role.TABLE_REFEREE), UserFactory()
    for user, scope, entered, ticked in (
        (referee, "organise", 201, 403),
        (stranger, "organise", 404, 404),
        (made.user, "enter", 201, 403),
        (made.user, "organise", 201, 200),
    ):
        secret = token_for(user, scope)
        number = made.table.plays.count() + 1
        answer = send(client, made, "record_round", a_round(made, number), secret=secret)
        assert answer.status_code == entered
        assert send(client, made, "tick", {"item": "backup"}, secret=secret).status_code == ticked
    viewer = Viewer(made.user, ApiToken.objects.get(user=made.user, scopes=["read", "enter"]))
    assert not Reader.of(viewer, made.tournament).private
    assert (scope_of("record_round"), scope_of("check_in"), scope_of("edit_entry")) == (
        "enter",
        "organise",
        "organise",
    )


def test_token_of_a_tournament_finds_no_other() -> None:
    made = event(players=1)
    other = event(players=1, user=made.user)
    token_for(made.user, tournament=made.tournament.uid)
    viewer = Viewer(made.user, ApiToken.objects.get())
    assert viewer.finds(made.tournament)
    assert (viewer.rank(other.tournament), viewer.finds(other.tournament)) == (0, False)


def test_revoking_what_is_not_ones_own_is_refused() -> None:
    from tournament.results.faults import Refused

    token_for(UserFactory())
    with pytest.raises(Refused, match="unknown_token"):
        revoke_token(UserFactory(), ApiToken.objects.get().uid)
    with pytest.raises(Refused, match="unknown_token"):
        revoke_token(UserFactory(), uuid4())


def test_refusal_says_for_which_event_a_token_is_and_what_it_allows(client: Client) -> None:
    made, other = event(), event()
    said = {
        "detail": f"This access token is only for “{made.tournament}” and allows: read, enter, organise.",
        "tournament": str(made.tournament.uid),
        "scopes": ["read", "enter", "organise"],
    }
    new = {"name": "Club night", "starts_on": "2026-09-05", "ruleset": "tite-2022"}
    token = {
        "name": "Board",
        "scope": "read",
        "expires_at": (timezone.now() + timedelta(hours=1)).isoformat(),
    }
    headers = {"authorization": f"Bearer {token_for(made.user, tournament=made.tournament.uid)}"}
    for path, body, status in (
        ("tournaments", new, 403),
        (f"tournaments/{made.tournament.uid}/copies", new, 403),
        ("tokens", token, 403),
        (f"tournaments/{other.tournament.uid}/tick", {"item": "backup"}, 404),
    ):
        key = {"idempotency-key": str(uuid4())}
        answer = client.post(f"/api/v1/{path}", body, content_type="application/json", headers=headers | key)
        assert (answer.status_code, {name: answer.json().get(name) for name in said}) == (status, said)
