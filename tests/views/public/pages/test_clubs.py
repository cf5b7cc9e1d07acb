"""The page of clubs."""

import pytest
from django.test import Client

from tests.support.factories import Event, recorded_round, running_match, running_session
from tests.support.pages import ended, game, out, page
from tournament.models import Entry

pytestmark = pytest.mark.django_db


def clubs(made: Event, *names: str) -> Event:
    for uid, club in zip(made.uids, names, strict=True):
        Entry.objects.filter(uid=uid).update(club=club)
    return made


def test_a_session_says_the_rule_and_names_who_counts(client: Client) -> None:
    made = clubs(running_session(players=4), "Noppa", "Åbo", "noppa", "Åbo")
    game(made, out(made, 0, 600), out(made, 1, 720), out(made, 2, 780), ended(made, 3, "last"))
    text = page(client, made, "clubs/")
    assert "The mean of the averages of each club’s best 2 players, lowest first." in text
    assert text.index("Noppa") < text.index("11.50") < text.index("Åbo") < text.index("12.50")
    assert "Aino, Cécile" in text


def test_the_event_leads_to_its_clubs_where_there_are_two(client: Client) -> None:
    made = clubs(running_match(players=3), "Noppa", "", "")
    recorded_round(made)
    assert "/clubs/" not in page(client, made)
    page(client, made, "clubs/", status=404)


def test_clubs_are_linked_from_the_event(client: Client) -> None:
    made = clubs(running_match(players=3), "Noppa", "Åbo", "")
    assert f"/en/t/{made.tournament.slug}/clubs/" in page(client, made)
    assert "No club has results yet." in page(client, made, "clubs/")
    recorded_round(made)
    made.refresh()
    assert "No club has results yet." not in page(client, made, "clubs/")
