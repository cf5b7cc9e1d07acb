"""Roles in an event: given and taken back."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import Event, UserFactory, event
from tests.views.organiser.conftest import Browser
from tests.views.organiser.test_invites import phone_address, quick_invite
from tournament.models import Membership, User

pytestmark = pytest.mark.django_db


def test_roles_are_given_and_taken_back(browser: Browser, planned: Event) -> None:
    person = UserFactory()
    page = reverse("organise-roles", args=[planned.tournament.slug])
    unknown = browser.send(page, page, username="nobody")
    assert unknown.status_code == 422
    assert "There is no such user. Invite whoever has no account." in unknown.content.decode()
    assert browser.send(page, page, username=person.username, role="head_referee").status_code == 303
    assert browser.send(page, page, username=person.username, role="head_referee").status_code == 422
    role = Membership.objects.get(user=person)
    assert person.display_name() in browser.get(page).content.decode()
    assert browser.send(page, f"/{role.uid}/revoke/").status_code == 303
    own = Membership.objects.get()
    last = browser.send(page, f"/{own.uid}/revoke/")
    assert last.status_code == 422
    assert "at least one organiser" in last.content.decode()


def test_every_table_gets_a_referee_by_one_tap(browser: Browser, heats: Event) -> None:
    invite = quick_invite(browser, heats)
    Browser().send(phone_address(invite), "/", name="Kim")
    roles = reverse("organise-roles", args=[heats.tournament.slug])
    assert browser.send(roles, "/referees/").status_code == 303
    assert Membership.objects.filter(table__in=heats.tables, user__first_name="Kim").count() == 2
    refused = browser.send(roles, "/referees/")
    assert refused.status_code == 422
    assert "Every table has a referee already." in refused.content.decode()


def test_roles_page_asks_as_often_for_many_invites_as_for_one(browser: Browser, organiser: User) -> None:
    made = event(user=organiser)
    url = reverse("organise-roles", args=[made.tournament.slug])
    asked = []
    for _one in range(3):
        quick_invite(browser, made)
        with CaptureQueriesContext(connection) as queries:
            browser.get(url)
        asked.append(len(queries))
    assert asked == [asked[0]] * 3
