"""The cards of heats."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import (
    recorded_heat,
    running_heats,
)
from tests.support.pages import of_stage, page, queries
from tournament import actions
from tournament.results.contests import forget

pytestmark = pytest.mark.django_db


def test_heats_show_places_and_who_goes_through(client: Client) -> None:
    made = running_heats(8, tables=2, advance=2)
    recorded_heat(made)
    text = page(client, made)
    assert "Heat 1" in text
    assert re.findall(r'id="heat-\d">.*?data-status="(\w+)"', text) == ["finished", "running"]
    assert "2 through" in text
    assert text.count('data-status="through"') == 2


def test_heats_page_asks_as_often_for_one_heat_as_for_four(client: Client) -> None:
    made = running_heats(16, tables=4)
    address = f"/en/t/{made.tournament.slug}/{of_stage(made)}"
    recorded_heat(made)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    forget()
    one = queries(client, address)
    for table in made.tables[1:]:
        recorded_heat(made, table)
    forget()  # both times as a new process, which knows nothing yet
    assert (
        queries(client, address) == one <= 25
    )  # one is for the hall's clock, one for what is said to everybody
