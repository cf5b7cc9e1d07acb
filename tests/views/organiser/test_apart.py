"""The page of those who are kept apart: the organisers' alone."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import Event
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import Apart, Membership

pytestmark = pytest.mark.django_db


def page_of(made: Event) -> str:
    return reverse("organise-apart", args=[made.tournament.slug])


def test_two_are_kept_apart_and_let_together_again(browser: Browser, planned: Event) -> None:
    one, two = planned.uids[:2]
    answer = browser.send(page_of(planned), "/apart/", first=str(one), second=str(two))
    assert answer.status_code == 303
    pair = Apart.objects.get()
    assert {pair.first.uid, pair.second.uid} == {one, two}
    page = browser.get(page_of(planned)).content.decode()
    assert "Let Aino and Börje share a table again" in page
    assert browser.send(page_of(planned), "/no-more/").status_code == 303
    assert not Apart.objects.exists()


def test_choices_that_are_no_pair_are_said_at_their_field_and_kept(browser: Browser, planned: Event) -> None:
    one, two = map(str, planned.uids[:2])
    answer = browser.send(page_of(planned), "/apart/", first=one, second=one)
    assert answer.status_code == 422
    assert answer.context["form"].errors["second"] == ["Choose two different players."]
    assert answer.context["form"]["first"].value() == one
    assert browser.send(page_of(planned), "/apart/", first=one, second="").status_code == 422
    assert browser.send(page_of(planned), "/apart/", first=one, second=str(uuid4())).status_code == 422
    browser.send(page_of(planned), "/apart/", first=one, second=two)
    again = browser.send(page_of(planned), "/apart/", first=two, second=one)
    assert again.context["form"].errors["second"] == ["These two are already kept apart."]


@pytest.mark.parametrize("role", [Membership.Role.HEAD_REFEREE, Membership.Role.TABLE_REFEREE])
def test_referees_never_see_the_page(planned: Event, role: str) -> None:
    planned.act(actions.keep_apart, first=planned.uids[0], second=planned.uids[1])
    pair = Apart.objects.get()
    client = Client()
    client.force_login(planned.referee(role))
    assert client.get(page_of(planned)).status_code == 403
    address = reverse("organise-apart-no-more", args=[pair.uid])
    assert client.post(address, {"command": str(uuid4())}).status_code == 403
    assert Apart.objects.exists()


def test_a_pair_that_is_none_any_more_is_not_found(browser: Browser, planned: Event) -> None:
    planned.act(actions.keep_apart, first=planned.uids[0], second=planned.uids[1])
    address = reverse("organise-apart-no-more", args=[Apart.objects.get().uid])
    assert browser.get(address).status_code == 302
    planned.act(actions.no_longer_apart, pair=Apart.objects.get().uid)
    assert browser.get(address).status_code == 404


def test_page_without_players_says_what_comes_first(browser: Browser, planned: Event) -> None:
    for uid in planned.uids:
        planned.act(actions.withdraw_entry, entry=uid)
    assert "Add the players first." in browser.get(page_of(planned)).content.decode()
