"""An invite on the phone that scanned it."""

from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import Event
from tests.views.organiser.conftest import Browser
from tests.views.organiser.test_invites import phone_address, quick_invite
from tournament import actions
from tournament.actions import Command
from tournament.links import token_for
from tournament.models import Invite, Membership, User

pytestmark = pytest.mark.django_db


def test_who_scans_it_gives_a_name_and_referees_at_once(browser: Browser, heats: Event) -> None:
    invite = quick_invite(browser, heats)
    phone = Browser()
    answer = phone.send(phone_address(invite), "/", name="Kim")
    assert answer.status_code == 302
    assert answer["Location"] == reverse("desk")
    user = Membership.objects.get(invite=invite).user
    assert user.display_name() == "Kim"
    table = heats.tables[0]
    assert phone.get(reverse("table", args=[table.uid])).status_code == 200
    page = browser.get(reverse("organise-invite", args=[invite.uid])).content.decode()
    assert "Kim" in page


def test_who_has_the_role_already_goes_on_to_the_desk(browser: Browser, heats: Event) -> None:
    invite = quick_invite(browser, heats)
    phone = Browser()
    phone.send(phone_address(invite), "/", name="Kim")
    before = heats.tournament.ledger.count()
    again = phone.get(phone_address(invite))
    assert (again.status_code, again["Location"]) == (302, reverse("desk"))
    url = reverse("organise-invites", args=[heats.tournament.slug])
    browser.send(url, "/invites/", places=[str(heats.tables[1].uid)])
    other = Invite.objects.exclude(pk=invite.pk).get()
    assert phone.get(phone_address(other)).status_code == 200, "it gives a table of their own"
    assert Browser().get(phone_address(invite)).status_code == 200, "somebody else"
    assert heats.refresh().tournament.ledger.count() == before + 1
    actions.revoke_role(
        Command(uuid4(), heats.user),
        heats.tournament.uid,
        membership=Membership.objects.get(invite=invite).uid,
    )
    assert phone.get(phone_address(invite)).status_code == 200, "the role was taken back"


@pytest.mark.parametrize(
    ("role", "said", "now"),
    [
        ("table_referee", "You are invited to referee", "You are now a referee, Kim."),
        ("head_referee", "You are invited to be a head referee", "You are now a head referee, Kim."),
        ("organiser", "You are invited to organise", "You are now an organiser, Kim."),
    ],
)
def test_an_invite_is_put_by_its_role(browser: Browser, heats: Event, role: str, said: str, now: str) -> None:
    url = reverse("organise-invites", args=[heats.tournament.slug])
    browser.post(url, {"command": str(uuid4()), "role": role})
    invite = Invite.objects.get()
    phone = Browser()
    assert f"<h1>{said}</h1>" in phone.get(phone_address(invite)).content.decode()
    answer = phone.send(phone_address(invite), "/", name="Kim")
    assert now in phone.get(answer["Location"]).content.decode()


def test_page_of_an_invite_tells_nobody_of_its_address(heats: Event, browser: Browser) -> None:
    answer = Client().get(phone_address(quick_invite(browser, heats)))
    assert answer["Referrer-Policy"] == "strict-origin"
    assert "noindex" in answer["X-Robots-Tag"]
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 61])
def test_bad_name_is_said_at_the_field(browser: Browser, heats: Event, name: str) -> None:
    answer = Browser().send(phone_address(quick_invite(browser, heats)), "/", name=name)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'id="id_name_error"' in page
    assert f'value="{name}"' in page
    assert not User.objects.filter(username__startswith="guest-").exists()


@pytest.mark.parametrize("token", ["x", "A" * 43, token_for("player", UUID(int=7))])
def test_unknown_codes_are_a_friendly_page(db: None, token: str) -> None:
    answer = Client().get(f"/en/i/{token}/")
    assert answer.status_code == 404
    assert "Invite not found" in answer.content.decode()


def test_a_phone_whose_session_ended_finds_its_name_in_the_field(browser: Browser, heats: Event) -> None:
    invite = quick_invite(browser, heats)
    phone = Browser()
    phone.send(phone_address(invite), "/", name="Kim")
    del phone.cookies["sessionid"]
    assert 'name="name" value="Kim"' in phone.get(phone_address(invite)).content.decode()
    assert 'name="name" value=""' in Browser().get(phone_address(invite)).content.decode()
