"""A data file as its reader opens it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from pytest_django import Settings

from tests.extras.workbook.files.workbook_jobs import until
from tests.support.factories import Event
from tests.support.processes import on_this_database
from tournament import actions
from tournament.extras.workbook.files import jobs
from tournament.models import User
from tournament.server.exports import folder


@dataclass
class Opened:
    """A downloaded workbook, with the answer that brought it."""

    book: Workbook
    response: Any

    @property
    def titles(self) -> list[str]:
        return self.book.sheetnames

    def sheet(self, title: str) -> Worksheet:
        return self.book[title]

    def rows(self, title: str) -> list[dict[str, Any]]:
        """The rows of a sheet by their headings."""
        headings, *rows = self.book[title].iter_rows(values_only=True)
        return [dict(zip(map(str, headings), row, strict=True)) for row in rows]

    def facts(self) -> dict[str, Any]:
        """The settings of the event itself, by their keys."""
        return {row["key"]: row["value"] for row in self.rows("settings") if row["stage"] is None}

    def everything(self) -> str:
        """Every value of every sheet as text."""
        return "\n".join(
            str(value) for sheet in self.book for row in sheet.iter_rows(values_only=True) for value in row
        )


@pytest.fixture
def opened(client: Client) -> Callable[..., Opened]:
    """Download an event's workbook, as `user` or as anybody."""

    def download(event: Event, user: User | None = None, language: str = "en") -> Opened:
        client.logout()
        if user:
            client.force_login(user)
        response = client.get(f"/{language}/t/{event.tournament.slug}/data.xlsx")
        assert response.status_code == 200
        return Opened(load_workbook(BytesIO(response.getvalue()), data_only=True), response)

    return download


def recorded_game(made: Event, *results: dict[str, Any], ended: str = "last") -> UUID:
    play = uuid4()
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=play,
        number=made.table.plays.count() + 1,
        ended=ended,
        results=results,
    )
    return play


@pytest.fixture
def kept_here(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every event is big; workbooks are kept in a folder of the test's own, by processes too."""
    settings.WORKBOOK_AT_ONCE = 0
    settings.DATA_DIR = tmp_path
    for name, value in (on_this_database() | {"LASTCARD_DATA": str(tmp_path)}).items():
        monkeypatch.setenv(name, value)
    cache.clear()
    yield
    until(lambda: not jobs._is_held(folder() / "job-0.lock"))
