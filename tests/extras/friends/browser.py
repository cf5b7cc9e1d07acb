"""A browser at the table of friends."""

import json
import re
from html import unescape
from typing import Any

from django.test import Client

ADDRESS = "/en/score/"


class Page:
    """A page of friends: its text, and the sheet that its forms carry."""

    def __init__(self, client: Client, response: Any) -> None:
        self.client = client
        self.status = response.status_code
        self.text = response.content.decode()

    @property
    def sheet(self) -> dict[str, Any]:
        found = re.search(r'name="sheet"\s+value="([^"]*)"', self.text)
        assert found
        sheet: dict[str, Any] = json.loads(unescape(found[1]))
        return sheet

    def send(self, do: str, sheet: Any = None, **fields: Any) -> "Page":
        data = {
            "do": do,
            "sheet": json.dumps(sheet or self.sheet),
            **{k.replace("__", "-"): v for k, v in fields.items()},
        }
        return Page(self.client, self.client.post(ADDRESS, data))

    def error_at(self, field: str) -> str:
        """The message in the part of the form with this id."""
        found = re.search(rf'id="{field}".*?field__error"[^>]*>(?:<span>)?(.*?)<', self.text, re.DOTALL)
        return unescape(found[1]) if found else ""


def start(client: Client, play: str, names: str = "Aino\nBörje\nCécile", **settings: Any) -> Page:
    return Page(client, client.post(ADDRESS, {"do": "start", "play": play, "names": names, **settings}))
