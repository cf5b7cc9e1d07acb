"""tournament/live/proved.py: who is served before strangers, and until when."""

import time
from typing import Any
from uuid import uuid4

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from tests.live.driver import request
from tests.support.factories import UserFactory, access_token, event, running_match
from tests.support.sign_in import known_cookie
from tournament.links import token_for
from tournament.live import proved
from tournament.live.proved import (
    KNOWN_AGE,
    KNOWN_COOKIE,
    event_of_link,
    has_proved,
    known_in,
    token_held,
)
from tournament.models import Membership, User

Role = Membership.Role


def asks(path: str = "/en/", **headers: str) -> dict[str, Any]:
    return request("GET", path, headers)


@pytest.mark.parametrize(
    "cookie",
    [
        "",
        "sessionid=" + "a" * 32,
        "known=x",
        'known=["a",["b"]]:x:y',
        "known=" + signing.dumps(["a", []], salt="else"),
    ],
    ids=["none", "session", "junk", "unsigned", "for something else"],
)
def test_made_up_cookie_proves_nothing(cookie: str) -> None:
    assert not has_proved(asks(cookie=cookie))


def test_known_device_has_proved_itself_for_a_year(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = asks(cookie=f"csrftoken=x; {known_cookie()}; sessionid=y")
    assert has_proved(sent)
    later = time.time() + KNOWN_AGE + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert not has_proved(sent)


def test_token_proves_once_it_held_and_for_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    proved._tokens.clear()
    assert not has_proved(asks(authorization="Bearer lc_a"))
    token_held(b"Bearer lc_a")
    assert [has_proved(asks(authorization=f"Bearer lc_{each}")) for each in "ab"] == [True, False]
    later = time.time() + proved.TOKEN_AGE + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert not has_proved(asks(authorization="Bearer lc_a"))


def test_link_of_a_table_proves_nothing_since_everybody_in_the_hall_can_scan_it() -> None:
    assert not has_proved(asks(f"/en/at/{token_for('table', uuid4())}/propose/"))


@pytest.mark.django_db
def test_session_without_the_cookie_gets_it_at_the_next_page_of_the_desk() -> None:
    client = Client()
    client.force_login(UserFactory())
    client.get("/en/desk/")
    first = client.cookies[KNOWN_COOKIE].value
    assert has_proved(asks(cookie=f"{KNOWN_COOKIE}={first}"))
    assert known_in({KNOWN_COOKIE: first})[1] == [], "no account is known by it"
    client.get("/en/desk/")
    assert client.cookies[KNOWN_COOKIE].value == first


def guest(name: str) -> User:
    user = User(username=f"guest-{name}")
    user.set_unusable_password()
    user.save()
    return user


@pytest.mark.django_db
def test_guest_is_a_stranger_but_for_an_event_that_an_account_organises() -> None:
    founder, referee, of_founder = guest("founder"), guest("referee"), guest("of-founder")
    hall, own = event().tournament, event().tournament
    Membership.objects.filter(tournament=own).update(user=founder)
    Membership.objects.create(tournament=hall, user=referee, role=Role.TABLE_REFEREE)
    Membership.objects.create(tournament=own, user=of_founder, role=Role.HEAD_REFEREE)
    found = []
    for user in (founder, referee, of_founder):
        client = Client()
        client.force_login(user)
        client.get("/en/desk/")
        found.append(KNOWN_COOKIE in client.cookies)
    assert found == [False, True, False]


@pytest.mark.django_db
def test_token_that_the_interface_accepts_proves_from_then_on() -> None:
    proved._tokens.clear()
    _, secret = access_token(UserFactory(), "enter")
    for sent, proves in ((f"{secret}x", False), (secret, True)):
        Client().get("/api/v1/me", headers={"authorization": f"Bearer {sent}"})
        assert has_proved(asks(authorization=f"Bearer {sent}")) is proves


@pytest.mark.django_db
@pytest.mark.parametrize("by_account", [True, False], ids=["an account's event", "a guest's event"])
def test_a_link_has_turns_of_its_own_once_it_held_in_an_event_that_an_account_organises(
    *, by_account: bool
) -> None:
    made = running_match(players=2)
    if not by_account:
        Membership.objects.filter(tournament=made.tournament).update(user=guest("founder"))
    for path in (
        f"/en/at/{token_for('table', made.table.uid)}/",
        reverse("own", args=[token_for("player", made.uids[0])]),
    ):
        assert event_of_link(path)[1] == ""
        assert Client().get(path).status_code == 200
        assert event_of_link(path)[1] == (str(made.tournament.uid) if by_account else "")
    made_up = f"/en/at/{token_for('table', made.uids[0])}/"
    assert Client().get(made_up).status_code == 404
    assert event_of_link(made_up)[1] == ""
