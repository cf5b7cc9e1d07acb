"""Invites on the organiser's pages and on the phone that scanned one."""

from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import Event, UserFactory
from tests.views.organiser.conftest import Browser
from tournament.links import token_for
from tournament.models import Invite, Play

pytestmark = pytest.mark.django_db


def quick_invite(browser: Browser, made: Event) -> Invite:
    """Make an invite with the one tap on the page of roles."""
    answer = browser.send(reverse("organise-roles", args=[made.tournament.slug]), "/invites/")
    assert answer.status_code == 303
    return Invite.objects.get(uid=urlsplit(answer["Location"]).path.rstrip("/").rsplit("/", 1)[-1])


def phone_address(invite: Invite) -> str:
    return f"/en/i/{token_for('invite', invite.uid)}/"


def test_one_tap_makes_an_invite_until_the_day_after(browser: Browser, heats: Event) -> None:
    invite = quick_invite(browser, heats)
    assert (invite.role, invite.tables, invite.most) == ("table_referee", [], None)
    page = browser.get(reverse("organise-invite", args=[invite.uid])).content.decode()
    assert f"/i/{token_for('invite', invite.uid)}/" in page
    assert "<svg" in page


def test_same_form_sent_twice_makes_one_invite(browser: Browser, heats: Event) -> None:
    command = str(uuid4())
    url = reverse("organise-invites", args=[heats.tournament.slug])
    answers = [browser.post(url, {"command": command, "role": "head_referee"}) for _time in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert Invite.objects.count() == 1


def test_invite_for_tables_and_a_number_of_people(browser: Browser, heats: Event) -> None:
    url = reverse("organise-invites", args=[heats.tournament.slug])
    answer = browser.send(
        url, "/invites/", places=[str(heats.tables[1].uid)], label="Front hall", most="2", valid="7"
    )
    assert answer.status_code == 303
    invite = Invite.objects.get()
    assert (invite.tables, invite.label, invite.most) == ([str(heats.tables[1].uid)], "Front hall", 2)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"most": "0"}, "greater than or equal to 1"),
        ({"label": "x" * 101}, "at most 100 characters"),
        ({"role": "king"}, "Select a valid choice"),
    ],
)
def test_wrong_invite_keeps_what_was_typed(
    browser: Browser, heats: Event, typed: dict[str, str], said: str
) -> None:
    url = reverse("organise-invites", args=[heats.tournament.slug])
    answer = browser.send(url, "/invites/", **{"label": "Front hall", **typed})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert said in page
    assert typed.get("label", "Front hall") in page
    assert not Invite.objects.exists()


def test_code_without_a_language_leads_to_the_phones_own(heats: Event, browser: Browser) -> None:
    invite = quick_invite(browser, heats)
    answer = Client().get(phone_address(invite).removeprefix("/en"), headers={"accept-language": "fi"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/fi/i/")


def test_looking_at_an_invite_changes_nothing(browser: Browser, heats: Event) -> None:
    invite = quick_invite(browser, heats)
    before = heats.tournament.ledger.count()
    Client().get(phone_address(invite))
    assert heats.tournament.ledger.count() == before


def test_taken_back_the_phone_is_out_at_the_next_tap(browser: Browser, heats: Event) -> None:
    invite = quick_invite(browser, heats)
    phone = Browser()
    phone.send(phone_address(invite), "/", name="Kim")
    answer = browser.send(reverse("organise-invite", args=[invite.uid]), "/revoke/", with_roles="1")
    assert answer.status_code == 303
    assert phone.get(reverse("table", args=[heats.tables[0].uid])).status_code == 404
    heat = {"command": str(uuid4()), "play": str(uuid4()), "number": "1"}
    assert phone.post(reverse("table-record", args=[heats.tables[0].uid]), heat).status_code == 404
    assert not Play.objects.exists()
    again = Browser().get(phone_address(invite))
    assert again.status_code == 410
    assert "was withdrawn" in again.content.decode()


def test_strangers_learn_nothing_of_invites(browser: Browser, heats: Event) -> None:
    invite = quick_invite(browser, heats)
    stranger = Client()
    stranger.force_login(UserFactory())
    for name in ("organise-invite", "organise-invite-revoke"):
        assert stranger.get(reverse(name, args=[invite.uid])).status_code == 404
    referee = Client()
    referee.force_login(heats.referee("head_referee"))
    assert referee.get(reverse("organise-invite", args=[invite.uid])).status_code == 403
