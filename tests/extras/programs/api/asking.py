"""Reads as a program asks for them."""

import json
from typing import Any

from django.test import Client

from tournament.extras.programs.api.schema import document


def ask(client: Client, path: str, headers: dict[str, str] | None = None, **query: Any) -> Any:
    return client.get(f"/api/v1/{path}", query, headers=headers or {})


def read(client: Client, path: str, headers: dict[str, str] | None = None, **query: Any) -> Any:
    response = ask(client, path, headers, **query)
    assert response.status_code == 200, response.content
    return json.loads(response.content)


def every_address(uids: dict[str, list[str]]) -> list[str]:
    """Every address of the document that can be read, with each thing that it can name."""
    addresses: list[str] = []
    for path, operations in document()["paths"].items():
        if "get" in operations:
            name = next((name for name in uids if f"{{{name}}}" in path), None)
            addresses += [path.replace(f"{{{name}}}", uid) for uid in uids[name]] if name else [path]
    return [address.removeprefix("/api/v1/") for address in addresses]


def plain(data: Any) -> Any:
    """As it is sent."""
    return json.loads(json.dumps(data, default=str))
