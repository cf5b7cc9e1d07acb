"""What every test of the desk does: sign somebody in, open a page, send its form."""

import re
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.support.factories import Event
from tests.support.pages import folded

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def as_referee(event: Event, **role: Any) -> Client:
    """A client signed in as a new referee of the event."""
    client = Client()
    client.force_login(event.referee(**role))
    return client


def text(page: Any) -> str:
    return folded(page)


def hidden(page: Any) -> dict[str, str]:
    """The hidden fields of a page, the first of each name, without the CSRF token."""
    fields: dict[str, str] = {}
    for name, value in HIDDEN.findall(text(page)):
        if name != "csrfmiddlewaretoken":
            fields.setdefault(name, value)
    return fields


def open_page(client: Client, name: str, *args: Any) -> HttpResponse:
    page = client.get(reverse(name, args=args))
    assert page.status_code == 200, (name, page.status_code)
    return page


def hands(*held: tuple[UUID, str, object]) -> dict[str, str]:
    """(entry, card, count) as the form's fields."""
    return {f"hand-{entry}-{card}": str(count) for entry, card, count in held}
