"""Registration as an organiser runs it."""

import pytest
from django.urls import reverse

from tests.factories import event
from tests.organiser.conftest import Browser
from tournament.models import User

pytestmark = pytest.mark.django_db


def test_x(browser: Browser, organiser: User) -> None:
    made = event(user=organiser)
    url = reverse("organise-registration", args=[made.tournament.slug])
    assert browser.send(url, "registration/", opened="1", most="3").status_code == 303
    assert browser.get(url).status_code == 200
