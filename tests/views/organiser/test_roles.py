"""Roles in an event: given and taken back."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import Event, UserFactory, event, recorded_heat
from tests.views.organiser.conftest import Browser
from tests.views.organiser.test_invites import phone_address, quick_invite
from tournament.models import Membership, User
from tournament.words.faults import table_text

pytestmark = pytest.mark.django_db


def test_roles_are_given_and_taken_back(browser: Browser, planned: Event) -> None:
    person = UserFactory()
    page = reverse("organise-roles", args=[planned.tournament.slug])
    unknown = browser.send(page, page, username="nobody")
    assert unknown.status_code == 422
    assert "There is no such user. Use an invite for someone without an account." in unknown.content.decode()
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
    assert "Every table already has a referee." in refused.content.decode()


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


def by_one_qr(browser: Browser, made: Event, names: str) -> dict[str, Browser]:
    """The phones of people who came by one invite, without accounts."""
    invite = quick_invite(browser, made)
    phones = {name: Browser() for name in names.split()}
    for name, phone in phones.items():
        phone.send(phone_address(invite), "/", name=name)
    return phones


def test_one_of_six_who_came_by_one_qr_is_moved_by_two_taps(browser: Browser, heats: Event) -> None:
    phones = by_one_qr(browser, heats, "Ronja Sini Kim Lee Ulla Timo")
    roles = reverse("organise-roles", args=[heats.tournament.slug])
    page = browser.get(roles)
    ronja = next(each for each in page.context["people"] if each.user.first_name == "Ronja")
    assert [each.user.first_name for each in page.context["people"]][-6:] == list(phones)
    assert ronja.says == ["table referee"]
    first, second = heats.tables[:2]
    place = reverse("organise-place-referee", args=[heats.tournament.slug])

    def move(*tables: object) -> None:
        sent = {"command": uuid4(), "user": ronja.user.uid, "tables": tables}
        assert browser.post(place, sent).status_code == 303

    move(first.uid)
    move(second.uid)
    own = Membership.objects.filter(user=ronja.user, table__isnull=False)
    assert [row.table for row in own] == [second]
    assert table_text(second.stage, second.number) in browser.get(roles).content.decode()
    desk = phones["Ronja"].get(reverse("desk")).content.decode()
    assert reverse("table", args=[second.uid]) in desk
    assert phones["Ronja"].get(reverse("table", args=[second.uid])).status_code == 200
    heats.user = ronja.user
    recorded_heat(heats, second)
    again = browser.post(place, {"command": uuid4(), "user": ronja.user.uid, "tables": [second.uid]})
    assert again.status_code == 422
    assert "Nothing to change. It says that already." in again.content.decode()


def test_table_referee_of_one_table_moves_and_may_enter_there_alone(browser: Browser, heats: Event) -> None:
    first, second = heats.tables[:2]
    person = heats.referee("table_referee", first)
    chooses = reverse("organise-table-referee", args=[second.uid])
    assert chooses in browser.get(reverse("organise-board", args=[heats.tournament.slug])).content.decode()
    assert "Here too" in browser.get(chooses).content.decode()
    sent = {"command": uuid4(), "user": person.uid, "tables": second.uid, "back": "board"}
    place = reverse("organise-place-referee", args=[heats.tournament.slug])
    board = browser.post(place, sent)
    assert board["Location"].startswith(reverse("organise-board", args=[heats.tournament.slug]))
    phone = Browser()
    phone.force_login(person)
    assert phone.get(reverse("table", args=[first.uid])).status_code == 404
    assert phone.get(reverse("table", args=[second.uid])).status_code == 200
    everywhere = browser.post(place, {"command": uuid4(), "user": person.uid})
    assert everywhere.status_code == 303
    assert [row.table for row in Membership.objects.filter(user=person)] == [None]


def test_referee_who_is_none_cannot_be_placed(browser: Browser, heats: Event) -> None:
    place = reverse("organise-place-referee", args=[heats.tournament.slug])
    for user in (UserFactory().uid, "no uid"):
        answer = browser.post(place, {"command": uuid4(), "user": user, "tables": heats.tables[0].uid})
        assert answer.status_code == 422
        assert "There is no such user." in answer.content.decode()
