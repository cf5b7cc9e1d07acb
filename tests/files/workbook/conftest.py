"""A workbook as its reader opens it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.test import Client
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from pytest_django import Settings

from tests.support.factories import Event
from tests.support.processes import on_this_database
from tests.support.workbook_jobs import until
from tournament import actions
from tournament.files.workbook import cache as kept, jobs
from tournament.files.workbook.cells import Row
from tournament.files.workbook.writer import WorkbookWriter
from tournament.models import User

MADE = datetime(2026, 5, 9, 9, 30, tzinfo=UTC)


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
        """The first sheet: what stands beside each word."""
        rows = self.book.worksheets[0].iter_rows(min_row=2, max_col=2, values_only=True)
        return {str(word): value for word, value in rows}

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
        response = client.get(f"/{language}/t/{event.tournament.slug}/results.xlsx")
        assert response.status_code == 200
        return Opened(load_workbook(BytesIO(response.getvalue())), response)

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


def upto(row: dict[str, Any], last: str) -> dict[str, Any]:
    """The columns of a row up to this one."""
    return {key: row[key] for key in [*takewhile(lambda key: key != last, row), last]}


def held(book: Opened) -> list[tuple[str, dict[str, int]]]:
    """List whose hand each row of the hands is, and its cards."""
    kinds = [str(key) for key in book.rows("Cards")[0]][1:]
    return [(row["Player"], {kind: row[kind] for kind in kinds if row[kind]}) for row in book.rows("Hands")]


def written(headings: Sequence[str], rows: Sequence[Row], *, title: str = "Sheet", **more: Any) -> Worksheet:
    book = WorkbookWriter(
        title="=Title\x00", language=more.pop("language", "en"), zone=ZoneInfo("Europe/Helsinki"), made=MADE
    )
    book.add_sheet(title, headings, lambda: rows, **more)
    file = BytesIO()
    book.save(file)
    return load_workbook(file).worksheets[0]


@pytest.fixture
def kept_here(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every event is big; workbooks are kept in a folder of the test's own, by processes too."""
    settings.WORKBOOK_AT_ONCE = 0
    settings.DATA_DIR = tmp_path
    for name, value in (on_this_database() | {"LASTCARD_DATA": str(tmp_path)}).items():
        monkeypatch.setenv(name, value)
    cache.clear()
    yield
    until(lambda: not jobs._is_held(kept.folder() / "job-0.lock"))
