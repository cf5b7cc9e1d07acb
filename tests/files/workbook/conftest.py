"""A workbook as its reader opens it."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from tests.support.factories import Event
from tournament.models import User


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
        return [dict(zip(headings, row, strict=True)) for row in rows]

    def facts(self) -> dict[str, Any]:
        """The first sheet: what stands beside each word."""
        return dict(self.book.worksheets[0].iter_rows(min_row=2, max_col=2, values_only=True))

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
