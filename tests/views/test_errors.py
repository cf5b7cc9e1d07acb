"""Errors outside of a view: problems for programs, pages for people."""

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from tests.extras.programs.api.test_problems import full

pytestmark = pytest.mark.django_db


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
