"""What every address of the interface does alike: who asks, and what an error looks like."""

import json
import sqlite3
from datetime import timedelta
from errno import ENOSPC
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.utils import timezone
from psycopg.errors import DiskFull

from tests.support.factories import UserFactory, event, running_match
from tournament.actions.people.tokens import make_token, revoke_token
from tournament.api.auth import Scope, Viewer, scope_of
from tournament.models import ApiToken, Membership, Tournament, User

pytestmark = pytest.mark.django_db

Role = Membership.Role


@pytest.fixture(autouse=True)
def _fresh_throttle() -> None:
    cache.clear()


def token_of(user: User, scope: str = "organise", tournament: Any = None, **more: Any) -> str:
    """A token's secret."""
    expires_at = timezone.now() + timedelta(days=1)
    return make_token(
        user, name="a test's", scope=scope, tournament=tournament, expires_at=expires_at, **more
    )[1]


def test_unknown_address_is_a_problem(client: Client) -> None:
    response = client.get("/api/v1/nothing/here")
    assert response["Content-Type"] == "application/problem+json"
    assert json.loads(response.content) == {
        "type": "/api/v1/docs#not_found",
        "title": "There is nothing here for you.",
        "status": 404,
        "code": "not_found",
    }


def test_problem_is_worded_in_the_language_of_the_request(client: Client) -> None:
    def message(language: str) -> str:
        headers = {"accept-language": language}
        response = client.post("/api/v1/score", b"{}", content_type="application/json", headers=headers)
        assert (response["Content-Language"], response.status_code) == (language, 422)
        said: str = json.loads(response.content)["errors"][0]["message"]
        return said

    assert len({message("en"), message("fi"), message("sv")}) == 3


@pytest.mark.parametrize("said", ["Bearer lc_wrong", "Bearer", "bearer a b", "Bearer \xe4"])
def test_token_that_does_not_hold_is_401(client: Client, said: str) -> None:
    response = client.get("/api/v1/nothing", headers={"authorization": said})
    assert (response.status_code, response["WWW-Authenticate"]) == (401, 'Bearer realm="lastcard"')


def test_token_ends_when_it_is_revoked_expires_or_its_user_goes(client: Client) -> None:
    user = UserFactory()
    secret = token_of(user)

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
    secret = token_of(UserFactory())
    headers = {"authorization": f"Bearer {secret}"}
    client.get("/api/v1/nothing", headers=headers)
    first = ApiToken.objects.get().used_at
    client.get("/api/v1/nothing", headers=headers)
    assert ApiToken.objects.get().used_at == first
    ApiToken.objects.update(used_at=timezone.now() - timedelta(minutes=2))
    client.get("/api/v1/nothing", headers=headers)
    assert ApiToken.objects.get().used_at > first


def test_database_holds_no_secret() -> None:
    secret = token_of(UserFactory())
    assert secret.startswith("lc_")
    assert secret not in str(list(ApiToken.objects.values()))


@pytest.mark.parametrize(
    ("scope", "reaches"),
    [("read", {"read"}), ("enter", {"read", "enter"}), ("organise", {"read", "enter", "organise"})],
)
def test_scope_reaches_as_far_as_those_before_it(scope: str, reaches: set[str]) -> None:
    user = UserFactory()
    token_of(user, scope)
    viewer = Viewer(user, ApiToken.objects.get())
    assert {each.value for each in Scope if viewer.has(each)} == reaches


def test_token_may_never_do_more_than_its_user() -> None:
    made = running_match(players=2)
    referee, stranger = made.referee(Role.TABLE_REFEREE), UserFactory()
    for user in (referee, stranger, made.user):
        token_of(user)
    mine, others, organisers = (
        Viewer(user, user.api_tokens.get()) for user in (referee, stranger, made.user)
    )
    assert mine.may("record_round", made.tournament, made.table.uid)
    assert not mine.may("finish_stage", made.tournament)
    assert organisers.may("finish_stage", made.tournament)
    assert not others.may("record_round", made.tournament, made.table.uid)


def test_token_may_do_what_its_scope_reaches() -> None:
    made = running_match(players=2)
    token_of(made.user, "enter")
    viewer = Viewer(made.user, ApiToken.objects.get())
    assert viewer.may("record_round", made.tournament, made.table.uid)
    assert not viewer.may("finish_stage", made.tournament)
    assert not viewer.sees_private(made.tournament)
    assert (scope_of("record_round"), scope_of("check_in"), scope_of("edit_entry")) == (
        "enter",
        "organise",
        "organise",
    )


def test_token_of_a_tournament_finds_no_other() -> None:
    made = event(players=1)
    other = event(players=1, user=made.user)
    token_of(made.user, tournament=made.tournament.uid)
    viewer = Viewer(made.user, ApiToken.objects.get())
    assert viewer.may("edit_entry", made.tournament)
    assert not viewer.may("edit_entry", other.tournament)
    assert (
        viewer.rank(other.tournament),
        viewer.referees(other.tournament),
        viewer.finds(other.tournament),
    ) == (
        0,
        False,
        False,
    )


def test_one_token_is_slowed_down_and_no_other(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from tournament.server.rate_limits import ApiThrottle

    monkeypatch.setattr(ApiThrottle, "rate", "2/min")
    busy, calm = token_of(UserFactory()), token_of(UserFactory())

    def ask(secret: str) -> Any:
        return client.get("/api/v1/nothing", headers={"authorization": f"Bearer {secret}"})

    assert [ask(busy).status_code for _ in range(3)] == [404, 404, 429]
    assert int(ask(busy)["Retry-After"]) <= 60
    assert ask(calm).status_code == 404


def test_revoking_what_is_not_ones_own_is_refused() -> None:
    from tournament.results.faults import Refused

    token_of(UserFactory())
    with pytest.raises(Refused, match="unknown_token"):
        revoke_token(UserFactory(), ApiToken.objects.get().uid)
    with pytest.raises(Refused, match="unknown_token"):
        revoke_token(UserFactory(), uuid4())


def full() -> OperationalError:
    """What Django makes of SQLite's fault."""
    cause = sqlite3.OperationalError("database or disk is full")
    cause.sqlite_errorcode = sqlite3.SQLITE_FULL
    fault = OperationalError("secret")
    fault.__cause__ = cause
    return fault


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (ZeroDivisionError("secret"), "broken"),
        (OperationalError("secret"), "unavailable"),
        (InterfaceError("secret"), "unavailable"),
        (full(), "no_room"),
        (DiskFull("secret"), "no_room"),
        (OSError(ENOSPC, "secret"), "no_room"),
    ],
    ids=[
        "a fault of ours", "the database is gone", "its connection is gone", "SQLite's disk is full",
        "PostgreSQL's is", "another disk is",
    ],
)  # fmt: skip
def test_fault_of_ours_is_a_problem_that_the_log_knows(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
    code: str,
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise fault

    monkeypatch.setattr(Tournament.objects, "order_by", fails)
    response = client.get("/api/v1/tournaments", headers={"accept": "application/json"})
    problem = json.loads(response.content)
    said = (response.status_code, problem["code"], response.headers.get("Retry-After"))
    assert said == ((500, code, None) if code == "broken" else (503, code, "5"))
    assert response["Content-Type"] == "application/problem+json"
    assert problem["instance"] in caplog.text
    assert "secret" in caplog.text
    assert b"secret" not in response.content


@pytest.mark.parametrize("method", ["get", "post"])
def test_page_says_that_the_disk_is_full_and_what_to_do(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise full()

    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_request", fails)
    response = getattr(Client(raise_request_exception=False), method)("/en/")
    page = response.content.decode()
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "There is no room left on the server’s disk" in page
    assert "Tell the organiser: nothing can be entered until there is room." in page
    assert "Nothing that was saved is lost." in page
    assert ("send it again" in page) is (method == "post")
    assert ('http-equiv="refresh"' in page) is (method == "get")
    assert "cannot reach its data" not in page


@pytest.mark.parametrize("path", ["/api/v1/schema", "/en/"])
def test_fault_outside_of_an_address_is_answered_in_its_kind(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise OperationalError("secret")

    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_request", fails)
    response = Client(raise_request_exception=False).get(path)
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert response["Content-Type"].startswith("application/problem+json" if "api" in path else "text/html")
    assert b"secret" not in response.content
