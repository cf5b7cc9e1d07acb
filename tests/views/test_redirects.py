"""Addresses without a language lead to the page in the visitor's own."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.support.arriving import opened, registered, token_of
from tests.support.factories import Event, event, running_match
from tournament.models import Entry

pytestmark = pytest.mark.django_db


def spoken(language: str) -> Event:
    """An event in this language."""
    made = event(players=2)
    made.tournament.language = language
    made.tournament.save()
    return made


@pytest.mark.parametrize(
    ("asked", "own", "language"),
    [("sv, fi;q=0.5", "en", "sv"), ("de", "fi", "fi"), ("", "fi", "fi"), ("de, fi", "en", "fi")],
)
def test_a_short_address_is_in_the_visitors_language_else_in_the_events(
    asked: str, own: str, language: str
) -> None:
    made = spoken(own)
    slug = made.tournament.slug
    client = Client(headers={"accept-language": asked})
    assert client.get(f"/j/{slug}/")["Location"] == f"/{language}/t/{slug}/join/"
    assert client.get(f"/t/{slug}/")["Location"] == f"/{language}/t/{slug}/"


def test_what_hangs_in_the_hall_is_in_the_events_language() -> None:
    made = spoken("fi")
    found = Client(headers={"accept-language": "sv"}).get(f"/t/{made.tournament.slug}/screen/")
    assert found["Location"] == f"/fi/t/{made.tournament.slug}/screen/"


def test_an_address_of_no_event_is_in_the_visitors_language() -> None:
    client = Client(headers={"accept-language": "sv"})
    assert client.get("/j/nothing/")["Location"] == "/sv/t/nothing/join/"
    assert client.get("/sv/t/nothing/").status_code == 404


def test_an_own_link_keeps_its_token() -> None:
    token = token_of(registered(opened(), "Aino"))
    assert Client(headers={"accept-language": "fi"}).get(f"/p/{token}/")["Location"] == f"/fi/p/{token}/"


def test_a_badge_leads_those_who_run_the_event_to_the_check_in_and_others_to_the_player() -> None:
    made = running_match(players=3)
    entry = made.uids[0]
    badge = f"/b/{entry}/"
    organiser = Client()
    organiser.force_login(made.user)
    with translation.override("en"):
        assert organiser.get(badge)["Location"] == reverse("organise-arrive", args=[entry])
        assert Client().get(badge)["Location"] == reverse("entry", args=[made.tournament.slug, entry])
    Entry.objects.filter(uid=entry).update(state=Entry.State.CANCELLED)
    assert Client().get(badge).status_code == 404
    assert organiser.get(badge).status_code == 302


def test_the_badge_of_an_event_that_is_put_away_leads_nowhere() -> None:
    made = running_match(players=3)
    made.tournament.put_away = True
    made.tournament.save()
    assert Client().get(f"/b/{made.uids[0]}/").status_code == 404
