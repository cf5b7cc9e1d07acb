"""Copying and rehearsing events from the organiser's pages."""

from datetime import date
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import Event, UserFactory, event
from tests.views.organiser.conftest import Browser, form_of, shown
from tournament.models import Tournament, User

pytestmark = pytest.mark.django_db

# ---- copying


def test_copy_offers_the_next_year(browser: Browser, organiser: User) -> None:
    made = event(name="Cup 2026", starts_on=date(2026, 5, 9), user=organiser)
    offered = form_of(browser, reverse("organise-copy", args=[made.tournament.slug]))
    day = date.fromisoformat(offered["starts_on"])
    assert day >= timezone.localdate()
    assert (day - made.tournament.starts_on).days % 364 == 0
    assert offered["name"] == f"Cup {day.year}"
    assert offered.keys() >= {"roles"}
    assert not {"players", "rehearsal"} & offered.keys()  # ticked by hand


def test_copy_is_made_once_however_often_it_is_sent(browser: Browser, planned: Event) -> None:
    page = reverse("organise-copy", args=[planned.tournament.slug])
    sent = form_of(browser, page) | {"name": "Copy", "starts_on": "2027-05-08", "players": "on"}
    for _time in range(2):
        answer = browser.post(page, sent)
        assert answer.status_code == 303
    made = Tournament.objects.get(name="Copy")
    assert answer["Location"].startswith(reverse("organise-board", args=[made.slug]))
    assert (made.entries.count(), made.rehearsal) == (7, False)


def test_copy_that_cannot_be_made_loses_nothing_typed(browser: Browser, planned: Event) -> None:
    page = reverse("organise-copy", args=[planned.tournament.slug])
    sent = form_of(browser, page) | {"name": "", "starts_on": "soon", "rehearsal": "on"}
    answer = browser.post(page, sent)
    assert answer.status_code == 422
    again = shown(answer)
    assert (again["starts_on"], again["rehearsal"], "players" in again) == ("soon", "on", False)
    assert Tournament.objects.count() == 1


def test_copy_needs_an_organiser(planned: Event) -> None:
    for user, status in ((UserFactory(), 404), (planned.referee("head_referee"), 403)):
        client = Browser()
        client.force_login(user)
        for name in ("copy", "rehearse"):
            address = reverse(f"organise-{name}", args=[planned.tournament.slug])
            assert client.post(address, {"command": str(uuid4()), "name": "Mine"}).status_code == status


# ---- rehearsing
