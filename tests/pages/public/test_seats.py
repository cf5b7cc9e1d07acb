"""Seats as everybody sees them before play."""

import pytest
from django.test import Client

from tests.support.factories import (
    add_stage,
    event,
)
from tests.support.pages import of_player, of_stage, page

pytestmark = pytest.mark.django_db


def test_planned_stage_shows_the_seats(client: Client) -> None:
    made = add_stage(event("mattel-108", 5), "match", tables=2, start=False)
    text = page(client, made)
    assert "Table 2" in text
    assert "Table 2" in page(client, made, of_player(made.entries[1]))


def test_a_final_shows_its_seats_before_its_target_is_chosen(client: Client) -> None:
    made = add_stage(event("tite-2022", 4), "final", start=False)
    assert "Table 1" in page(client, made, of_stage(made))
    assert "Table 1" in page(client, made, of_player(made.entries[1]))
