"""The cards of heats."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.championships import championship, heat, heats_of
from tests.support.factories import (
    recorded_heat,
    running_heats,
)
from tests.support.pages import of_stage, page, queries
from tournament import actions
from tournament.models import Stage
from tournament.pages.public import event_cache
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


def test_whoever_is_out_since_the_heats_says_so_there_and_is_not_called_through(client: Client) -> None:
    made = championship(filled=False)
    heats = heats_of(made)
    first, second, _third = heat(made, 1)

    def statuses() -> list[str]:
        text = client.get(f"/en/t/{made.tournament.slug}/stage/{heats.uid}/").content.decode()
        return re.findall(
            r'data-status="(\w+)"', text.partition('id="heat-1"')[2].partition('id="heat-2"')[0]
        )

    made.act(actions.remove_player, entry=second, reason="cheated")
    assert Stage.objects.get(pk=heats.pk).version == made.refresh().tournament.version
    assert statuses() == ["finished", "through", "disqualified", "not_through"]
    made.act(actions.remove_player, entry=first, reason="cheated too")
    assert statuses() == ["finished", "disqualified", "disqualified", "not_through"]


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
    event_cache.forget()
    assert (
        queries(client, address) == one <= 25
    )  # one is for the hall's clock, one for what is said to everybody
