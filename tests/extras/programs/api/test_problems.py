"""Behaviour that every address of the interface shares: authentication, and the form of an error."""

import json
import sqlite3
from errno import ENOSPC
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from psycopg.errors import DiskFull

from tournament.models import Membership

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

    monkeypatch.setattr("tournament.extras.programs.api.base.tag_of_events", fails)
    response = client.get("/api/v1/tournaments", headers={"accept": "application/json"})
    problem = json.loads(response.content)
    said = (response.status_code, problem["code"], response.headers.get("Retry-After"))
    assert said == ((500, code, None) if code == "broken" else (503, code, "5"))
    assert response["Content-Type"] == "application/problem+json"
    assert problem["instance"] in caplog.text
    assert "secret" in caplog.text
    assert b"secret" not in response.content
