"""Published pages, read as a browser does wherever a template breaks a line, and games for them."""

from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import uuid4

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.factories import Event
from tournament import actions
from tournament.models import Entry

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse

Answer: TypeAlias = "_MonkeyPatchedWSGIResponse"  # what a test client receives, by its name in django-stubs


def folded(page: Answer) -> str:
    """The page's HTML with every run of white space as one space."""
    return " ".join(page.content.decode().split())


def page(client: Client, made: Event, rest: str = "", language: str = "en", status: int = 200) -> str:
    """The text of a page under the tournament's address."""
    response = client.get(f"/{language}/t/{made.tournament.slug}/{rest}")
    assert response.status_code == status
    return folded(response)


def of_stage(made: Event) -> str:
    return f"stage/{made.stage.uid}/"


def of_player(entry: Entry) -> str:
    return f"player/{entry.uid}/"


def game(made: Event, *results: dict[str, Any], ended: str = "last", **more: Any) -> None:
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=uuid4(),
        number=made.table.plays.count() + 1,
        ended=ended,
        results=list(results),
        **more,
    )


def out(made: Event, index: int, elapsed_s: int) -> dict[str, Any]:
    return {"entry": made.uids[index], "outcome": "out", "elapsed_s": elapsed_s}


def ended(made: Event, index: int, outcome: str) -> dict[str, Any]:
    return {"entry": made.uids[index], "outcome": outcome}


def queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)
