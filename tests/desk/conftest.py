"""A signed-in referee and what every test of the desk does: open a page, send a form."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.factories import Event

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def as_referee(event: Event, **role: Any) -> Client:
    """A client signed in as a new referee of the event."""
    client = Client()
    client.force_login(event.referee(**role))
    return client


def hidden(page: Any) -> dict[str, str]:
    """The hidden fields of a page's first form with a play or a command, but the CSRF token."""
    fields: dict[str, str] = {}
    for name, value in HIDDEN.findall(page.content.decode()):
        if name != "csrfmiddlewaretoken":
            fields.setdefault(name, value)
    return fields


@pytest.fixture
def new() -> Callable[[], str]:
    """A new command's id."""
    return lambda: str(uuid4())
