"""Lists ask the database as often for many rows as for few, and hostile texts are no error on either database."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import Event, add_stage, event, recorded_heat
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import Stage, User

pytestmark = pytest.mark.django_db


def event_of(organiser: User, tables: int) -> Event:
    """Heats at so many tables, each played; a referee for each."""
    made = add_stage(event("tite-2022", players=3 * tables, user=organiser), "heats", tables=tables)
    for table in made.tables:
        recorded_heat(made, table)
        made.referee("table_referee", table)
    return made


PAGES: dict[str, Callable[[Event], str]] = {
    "board": lambda made: reverse("organise-board", args=[made.tournament.slug]),
    "players": lambda made: reverse("organise-players", args=[made.tournament.slug]),
    "roles": lambda made: reverse("organise-roles", args=[made.tournament.slug]),
    "ledger": lambda made: reverse("organise-ledger", args=[made.tournament.slug]),
    "stage": lambda made: reverse("organise-stage", args=[made.stage.uid]),
    "seats": lambda made: reverse("organise-seats", args=[made.stage.uid]),
}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.sweep
def test_page_asks_as_often_for_many_tables_as_for_one(browser: Browser, organiser: User, page: str) -> None:
    asked = []
    for tables in (2, 3, 6):  # more players than the board names one by one
        made = event_of(organiser, tables)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert browser.get(PAGES[page](made)).status_code == 200
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked
    assert (
        asked[0] <= 27
    )  # one for starts in question; PostgreSQL is also asked whether it keeps its promises


def test_my_events_asks_as_often_for_many_as_for_one(browser: Browser, organiser: User) -> None:
    asked = []
    for _made in range(3):
        event(user=organiser)
        with CaptureQueriesContext(connection) as queries:
            browser.get(reverse("organise"))
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked


@pytest.mark.parametrize("text", ["\x00", "a\x00b", "\u202e", "<b x>", "x" * 300, "%s", "{{ x }}"])
@pytest.mark.sweep
def test_hostile_texts_are_answered(browser: Browser, planned: Event, text: str) -> None:
    slug = planned.tournament.slug
    planned.act(actions.plan_stage, stage=uuid4(), kind="heats")
    stage = Stage.objects.get()
    own = reverse("organise-stage", args=[stage.uid])
    answers = [
        browser.post(
            reverse("organise-new"), {"command": text, "name": text, "organiser": text, "time_zone": text}
        ),
        browser.get(reverse("organise-new"), {"template": text}),
        browser.post(reverse("organise-roles", args=[slug]), {"username": text, "role": text, "place": text}),
        browser.post(reverse("organise-check-in", args=[slug]), {"entry": text, "command": str(uuid4())}),
        browser.post(own, {"name": text, "advance": text, "command": str(uuid4())}),
        browser.post(own + "reopen/", {"reason": text, "command": str(uuid4())}),
        browser.post(own + "fill/", {"tables": text, "decided": text, "command": str(uuid4())}),
        browser.get(own + "seats/", {"tables": "2", "order": "drawn", "seed": text}),
        browser.post(own + "seats/", {"seed": text, f"table-{planned.uids[0]}": text, "command": text}),
        browser.post(
            reverse("organise-player-move", args=[planned.uids[0], "remove"]),
            {"reason": text, "command": str(uuid4())},
        ),
    ]
    assert {answer.status_code for answer in answers} <= {200, 303, 422}
    assert not any(text == "<b x>" and "<b x>" in answer.content.decode() for answer in answers)
