"""A printed page, as somebody opens it."""

from typing import Any

from django.urls import reverse

from tests.support.factories import (
    Event,
)
from tests.views.organiser.conftest import Browser

OF_STAGE = ["organise-seat-list", "organise-table-sheets", "organise-seats-print"]


def address(made: Event, name: str) -> str:
    of_stage = name in {*OF_STAGE, "organise-seats", "organise-stage"}
    return reverse(name, args=[made.stage.uid if of_stage else made.tournament.slug])


def page(made: Event, name: str, query: str = "", user: Any = None) -> Any:
    client = Browser()
    client.force_login(user or made.user)
    return client.get(address(made, name) + query)
