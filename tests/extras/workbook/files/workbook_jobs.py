"""Jobs that write workbooks, done in the test's own process, asleep or in a process of their own."""

import subprocess
import time
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from openpyxl import load_workbook

from tests.support.factories import Event, add_stage, event, recorded_round
from tournament.extras.workbook.files import jobs, jobs as kept
from tournament.extras.workbook.files.jobs import Series

PATIENCE_S = 60
COMMAND = jobs._command


def in_this_process(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run each later job at once and within the test's transaction; give the slug of each that was begun."""
    slugs: list[str] = []

    def started(series: Series, slug: str, _locks: list[int]) -> subprocess.Popen[bytes]:
        slugs.append(slug)
        call_command("export_workbook", *COMMAND(series, slug)[4:])
        return subprocess.Popen(["true"])

    monkeypatch.setattr(jobs, "_started", started)
    monkeypatch.setattr(jobs, "_end_after", lambda _seconds: None)
    monkeypatch.setattr(jobs, "be_nice", lambda: None)
    return slugs


def asleep(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Let each later job sleep; give the process of each that was begun."""
    processes: list[subprocess.Popen[bytes]] = []
    start = jobs._started
    in_its_place(monkeypatch, "sleep", str(PATIENCE_S))

    def started(series: Series, slug: str, locks: list[int]) -> subprocess.Popen[bytes]:
        processes.append(start(series, slug, locks))
        return processes[-1]

    monkeypatch.setattr(jobs, "_started", started)
    return processes


def in_its_place(monkeypatch: pytest.MonkeyPatch, *command: str) -> None:
    """Let a job's process do this instead."""
    monkeypatch.setattr(jobs, "_command", lambda _series, _slug: list(command))


def until(true: Callable[[], Any]) -> Any:
    """Wait until another process has brought this about."""
    end = time.monotonic() + PATIENCE_S
    while not (found := true()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def played(**more: Any) -> Event:
    """An event with a round of a match; `more` as for `event`."""
    made = add_stage(event("mattel-108", players=3, **more), "match")
    recorded_round(made)
    return made.refresh()


def book_of(made: Event) -> str:
    return f"/en/t/{made.tournament.slug}/data.xlsx"


def series_of(made: Event, audience: str = kept.EVERYBODY) -> Series:
    return Series(made.tournament.uid, audience)


def rounds_in(content: bytes) -> int:
    """Count the rounds in a workbook."""
    sheet = load_workbook(BytesIO(content))["rounds"]
    return len({row[3] for row in sheet.iter_rows(min_row=2, values_only=True)})


def workbook_of(client: Client, made: Event) -> bytes:
    """Ask for the workbook, wait for it and give it."""
    answer = client.get(book_of(made))
    while answer.status_code == 303:
        answer = client.get(answer["Location"])
    if "Refresh" in answer:
        answer = client.get(answer["Refresh"].removeprefix("0; url="))
    assert answer.status_code == 200, answer.content
    return answer.getvalue()


def when_ready(client: Client, page: str) -> Any:
    answer = client.get(page)
    return answer if "Refresh" in answer else None


def fragment(client: Client, page: str, *, ready: bool = False) -> str:
    """Get the part of the page that htmx asks for; when the workbook is ready it is told to load the whole page."""
    answer = client.get(page, headers={"HX-Request": "true"})
    assert ("HX-Refresh" in answer, "Refresh" in answer) == (ready, False)
    return str(answer.content.decode())
