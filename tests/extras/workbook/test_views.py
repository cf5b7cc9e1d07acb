"""The addresses of an event's data: at once for a small event, by a page to wait on for a big one."""

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.extras.workbook.files.workbook_jobs import in_this_process
from tests.support.factories import Event
from tests.views.public.test_workbook import played  # noqa: F401 - a fixture
from tournament.extras.workbook.files import jobs
from tournament.server.rate_limits import WorkbookThrottle
from tournament.views.public.workbook import EXCEL

pytestmark = pytest.mark.django_db


@pytest.fixture
def big(played: Event, tmp_path: Path, settings: Any) -> Event:  # noqa: F811
    settings.WORKBOOK_AT_ONCE = 0
    settings.DATA_DIR = tmp_path
    cache.clear()
    return played


def address(made: Event, name: str = "data", *more: int) -> str:
    return reverse(name, args=[made.tournament.slug, *more])


def test_a_small_event_has_its_workbook_at_once(client: Client, played: Event) -> None:  # noqa: F811
    head, answer = client.head(address(played)), client.get(address(played))
    assert answer.getvalue()[:2] == b"PK"
    assert head.headers.items() >= {("Content-Type", EXCEL), ("Cache-Control", "no-store")}
    assert head["Content-Disposition"] == answer["Content-Disposition"]
    for name in ("workbook-status", "workbook-kept"):
        waited = client.get(address(played, name, 1))
        assert (waited.status_code, waited["Location"]) == (303, address(played))


def test_a_big_one_is_begun_waited_for_and_kept(
    client: Client, big: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = in_this_process(monkeypatch)
    version = big.tournament.version
    status, kept = address(big, "workbook-status", version), address(big, "workbook-kept", version)
    assert client.get(kept)["Location"] == address(big)
    assert client.get(address(big))["Location"] == status
    assert begun == [big.tournament.slug]
    ready = client.get(status)
    assert ready["Refresh"] == f"0; url={kept}"
    part = client.get(status, headers={"HX-Request": "true"})
    assert ("Refresh" in part, part["HX-Refresh"]) == (False, "true")
    assert client.get(kept).getvalue()[:2] == b"PK"
    assert client.head(kept)["Content-Disposition"] == client.get(address(big))["Content-Disposition"]
    assert client.get(address(big, "workbook-status", version + 1)).status_code == 404


def test_a_page_says_why_none_was_begun(client: Client, big: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    status = address(big, "workbook-status", big.tournament.version)
    assert client.head(status).status_code == 200, "asking so begins nothing"
    monkeypatch.setattr(WorkbookThrottle, "rate", "0/hour")
    assert client.get(status).context["why"] == "refused"
    monkeypatch.setattr(jobs, "begin", lambda *_arguments: "full")
    assert client.get(status).context["why"] == "full"
