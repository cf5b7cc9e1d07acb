"""Behaviour that every address of the interface shares: authentication, and the form of an error."""

import json
import sqlite3
from errno import ENOSPC
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from psycopg.errors import DiskFull

from tournament.models import Membership, Tournament

pytestmark = pytest.mark.django_db

Role = Membership.Role


def test_problem_is_worded_in_the_language_of_the_request(client: Client) -> None:
    def message(language: str) -> str:
        headers = {"accept-language": language}
        response = client.post("/api/v1/score", b"{}", content_type="application/json", headers=headers)
        assert (response["Content-Language"], response.status_code) == (language, 422)
        said: str = json.loads(response.content)["errors"][0]["message"]
        return said

    assert len({message("en"), message("fi"), message("sv")}) == 3


def full() -> OperationalError:
    """Give the error that Django makes of SQLite's when the disk is full."""
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
    assert "The server’s disk is full" in page
    assert "Tell the organiser. Nothing can be entered until there is room." in page
    saved = "Everything already saved is safe." if method == "get" else "Everything saved earlier is safe."
    assert saved in page
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
