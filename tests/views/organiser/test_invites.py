"""Invites on the organiser's pages and on the phone that scanned one."""

from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import Event, UserFactory, event, running_heats
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.actions import Command
from tournament.links import token_for
from tournament.models import Invite, Membership, Play, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def heats(organiser: User) -> Event:
    made = running_heats(players=6, tables=2)
    made.act(actions.grant_role, membership=uuid4(), user=organiser.uid, role="organiser")
    made.user = organiser
    return made


def quick_invite(browser: Browser, made: Event) -> Invite:
    """The one tap on the page of roles."""
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
        ("table_referee", "You are asked to referee", "You are a referee now: Kim."),
        ("head_referee", "You are asked to be a head referee", "You are a head referee now: Kim."),
        ("organiser", "You are asked to organise", "You are an organiser now: Kim."),
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


def test_code_without_a_language_leads_to_the_phones_own(heats: Event, browser: Browser) -> None:
    invite = quick_invite(browser, heats)
    answer = Client().get(phone_address(invite).removeprefix("/en"), headers={"accept-language": "fi"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/fi/i/")


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
    assert "taken back" in again.content.decode()


@pytest.mark.parametrize("token", ["x", "A" * 43, token_for("player", UUID(int=7))])
def test_unknown_codes_are_a_friendly_page(db: None, token: str) -> None:
    answer = Client().get(f"/en/i/{token}/")
    assert answer.status_code == 404
    assert "There is no such invite" in answer.content.decode()


def test_strangers_learn_nothing_of_invites(browser: Browser, heats: Event) -> None:
    invite = quick_invite(browser, heats)
    stranger = Client()
    stranger.force_login(UserFactory())
    for name in ("organise-invite", "organise-invite-revoke"):
        assert stranger.get(reverse(name, args=[invite.uid])).status_code == 404
    referee = Client()
    referee.force_login(heats.referee("head_referee"))
    assert referee.get(reverse("organise-invite", args=[invite.uid])).status_code == 403


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
