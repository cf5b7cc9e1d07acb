"""Sign-in: whoever guesses at a password waits longer and longer; the password's owner gets in."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from tests.support.factories import UserFactory, event
from tests.support.sign_in import ELSEWHERE, HALL, tries_at
from tournament import actions
from tournament.actions.people import sign_in as rate_limit
from tournament.models import User, WrongTries

PASSWORD = "correct horse battery"
BUSY: dict[str, Any] = {"asgi.scope": {"busy": True}}  # too many requests are waiting


@pytest.fixture
def kim(db: None) -> User:
    return someone("kim")


def someone(name: str) -> User:
    user: User = UserFactory(username=name)
    user.set_password(PASSWORD)
    user.save()
    return user


def sign_in(name: str, password: str, *, at: str = HALL, on: Client | None = None) -> Any:
    data = {"username": name, "password": password}
    return (on or Client()).post("/en/sign-in/", data, REMOTE_ADDR=at)


def guess(times: int, name: str = "kim", at: str = HALL) -> list[int]:
    return [sign_in(name, "wrong", at=at).status_code for _ in range(times)]


def test_after_ten_wrong_tries_the_eleventh_waits_and_is_told_how_long(kim: User) -> None:
    assert guess(10) == [200] * 10
    refused = sign_in("kim", PASSWORD)
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 5
    assert f"Wait {refused['Retry-After']} second" in refused.content.decode()
    assert "_auth_user_id" not in refused.wsgi_request.session


@pytest.mark.parametrize("typed", ["Kim", "KIM ", " kim", "kim\u00a0"])
def test_capitals_and_blanks_that_a_phone_puts_in_are_no_other_name(kim: User, typed: str) -> None:
    assert guess(9, name=typed) == [200] * 9
    assert tries_at("kim").tries == 9
    assert sign_in(typed, PASSWORD).status_code == 302
    assert not WrongTries.objects.filter(digest=rate_limit._digest("kim", HALL)).exists()


def test_of_accounts_that_differ_by_capitals_alone_the_one_as_typed_is_meant(kim: User) -> None:
    other = someone("Kim")
    other.set_password("another password")
    other.save()
    assert sign_in("Kim", "another password").wsgi_request.user == other
    assert sign_in("kim", PASSWORD).wsgi_request.user == kim
    assert [sign_in("Kim", PASSWORD).status_code, sign_in("kim", "another password").status_code] == [
        200,
        200,
    ]
    assert sign_in("KIM", PASSWORD).status_code == 200, "it could be either"


def test_the_field_of_the_name_asks_phones_for_no_capitals_and_no_spelling(db: None) -> None:
    page = Client().get("/en/sign-in/").content.decode()
    field = re.search(r'<input[^>]*name="username"[^>]*>', page)
    assert field
    assert 'autocapitalize="none"' in field[0]
    assert 'spellcheck="false"' in field[0]


def test_wait_grows_with_each_further_wrong_try_and_ends_with_a_right_one(kim: User) -> None:
    guess(10)
    for wait in (10, 20):
        WrongTries.objects.update(until=timezone.now())
        assert guess(1) == [200]
        row = tries_at("kim")
        assert (row.until - row.at).total_seconds() == wait
    WrongTries.objects.update(until=timezone.now())
    assert sign_in("kim", PASSWORD).status_code == 302
    assert [row.tries for row in WrongTries.objects.all()] == [0], "the address's"


def test_fifty_referees_behind_one_address_stay_in_while_one_account_is_guessed_at(kim: User) -> None:
    others = [someone(f"referee-{number}").username for number in range(50)]
    assert guess(12)[10:] == [429, 429]
    assert [sign_in(name, PASSWORD).status_code for name in others] == [302] * 50


def test_who_tries_one_account_after_the_other_waits_at_each_but_nobody_is_kept_out(
    kim: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MANY_FAILED_ACCOUNTS", 5)
    known, robin = Client(), someone("robin")
    sign_in("robin", PASSWORD, on=known)
    names = [f"referee-{number}" for number in range(6)]
    assert [guess(1, name=name) for name in names] == [[200]] * 6
    assert sign_in("kim", PASSWORD).status_code == 302, "the right one at the first try"
    again = sign_in(names[5], "wrong")
    assert again.status_code == 429
    assert 5 < int(again["Retry-After"]) <= 60
    assert guess(2, name="robin") == [200, 429]
    assert sign_in(robin.username, PASSWORD, on=known).status_code == 302, "a device that signed in before"
    assert guess(9, name="robin", at=ELSEWHERE) == [200] * 9, "another address"
    WrongTries.objects.update(until=timezone.now())  # the hour is over, and so are the waits
    assert guess(2, name="robin") == [200] * 2


def test_referees_who_mistype_twice_and_come_in_are_no_guessers(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MANY_FAILED_ACCOUNTS", 3)
    for name in [someone(f"referee-{number}").username for number in range(8)]:
        assert guess(2, name=name) == [200] * 2
        assert sign_in(name, PASSWORD).status_code == 302


def test_account_is_never_locked_for_everybody(kim: User) -> None:
    phone = Client()
    assert sign_in("kim", PASSWORD, on=phone).status_code == 302
    assert guess(11)[10] == 429
    assert sign_in("kim", PASSWORD, at=ELSEWHERE).status_code == 302, "from another address"
    phone.post("/en/sign-out/")
    assert sign_in("kim", PASSWORD, on=phone).status_code == 302, "a device that signed in before"
    assert sign_in("kim", PASSWORD).status_code == 429, "an unknown device behind the guesser's address"


def test_device_that_is_known_for_another_account_is_not_for_this_one(kim: User) -> None:
    someone("robin")
    phone = Client()
    sign_in("robin", PASSWORD, on=phone)
    guess(11)
    assert sign_in("kim", PASSWORD, on=phone).status_code == 429


def test_known_device_waits_for_its_own_wrong_tries(kim: User) -> None:
    phone = Client()
    sign_in("kim", PASSWORD, on=phone)
    assert [sign_in("kim", "wrong", on=phone).status_code for _ in range(11)][10] == 429


def test_forged_cookie_makes_no_device_known(kim: User) -> None:
    guess(10)
    phone = Client()
    for forged in ("x", '["a",["b"]]:x:y', ""):
        phone.cookies["known"] = forged
        assert sign_in("kim", PASSWORD, on=phone).status_code == 429


def test_form_that_comes_while_too_many_wait_keeps_the_name_and_counts_no_try(kim: User) -> None:
    sent = {"username": "Kim", "password": PASSWORD}
    refused = Client().post("/fi/sign-in/", sent, **BUSY)
    page = refused.content.decode()
    assert (refused.status_code, refused["Retry-After"]) == (429, "5")
    assert "Moni kirjautuu juuri nyt. Odota muutama sekunti ja yritä uudelleen." in page
    assert 'value="Kim"' in page
    assert PASSWORD not in page
    assert not WrongTries.objects.exists()
    assert sign_in("kim", PASSWORD).status_code == 302


def test_change_of_a_password_waits_alike(kim: User) -> None:
    client = Client()
    sign_in("kim", PASSWORD, on=client)
    sent = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    refused = client.post("/en/password/", sent, **BUSY)
    assert (refused.status_code, refused["Retry-After"]) == (429, "5")
    assert "Many people are signing in right now." in refused.content.decode()
    assert client.post("/en/password/", sent).status_code == 302


@pytest.mark.parametrize("spelling", ["KIM", "ｋｉｍ", "Kim"])
def test_other_spellings_of_a_name_are_the_same_account(kim: User, spelling: str) -> None:
    guess(10)
    assert sign_in(spelling, "wrong").status_code == 429


def test_name_that_nobody_has_waits_alike(db: None) -> None:
    assert guess(11, name="nobody") == [200] * 10 + [429]


def test_neither_names_nor_addresses_are_kept(kim: User) -> None:
    guess(1)
    rows = list(WrongTries.objects.all())
    assert {len(row.digest) for row in rows} == {64}
    assert not [row for row in rows if "kim" in str(row) or HALL in str(row)]


def test_hour_without_a_try_forgets_and_the_next_account_deletes(kim: User) -> None:
    guess(10)
    past = timezone.now() - timedelta(hours=1, seconds=1)
    WrongTries.objects.update(at=past, until=past)
    guess(1)
    assert tries_at("kim").tries == 1
    WrongTries.objects.update(at=past)
    guess(1, name="robin", at=ELSEWHERE)
    assert WrongTries.objects.count() == 2, "of the account and of the address"


def test_clock_that_was_put_back_keeps_nobody_out(kim: User) -> None:
    guess(10)
    WrongTries.objects.update(until=timezone.now() + timedelta(days=1))
    assert sign_in("kim", PASSWORD).status_code == 302


def test_cookies_are_for_the_server_alone(kim: User) -> None:
    phone = Client()
    phone.get("/en/sign-in/")
    sign_in("kim", PASSWORD, on=phone)
    phone.get("/en/desk/")
    assert set(phone.cookies) == {"csrftoken", "sessionid", "known", "device"}
    for name, cookie in phone.cookies.items():
        assert cookie["samesite"] == "Lax", name
        assert bool(cookie["httponly"]) is (name != "csrftoken"), name
        assert cookie["path"] == "/", name
        assert not cookie["domain"], name
        assert len(name) + len(cookie.value) < 4096, name


def test_session_is_new_at_each_sign_in(kim: User) -> None:
    phone, seen = Client(), set()
    for _ in range(3):
        sign_in("kim", PASSWORD, on=phone)
        seen.add(phone.session.session_key)
    assert len(seen) == 3
    assert all(key and len(key) == 32 for key in seen)


def test_session_ends_so_long_after_the_sign_in_whatever_is_written_into_it(kim: User) -> None:
    phone = Client()
    sign_in("kim", PASSWORD, on=phone)
    ends = Session.objects.get().expire_date
    assert timedelta(days=13, hours=23) < ends - timezone.now() <= timedelta(days=14)
    session = phone.session
    session["seen"] = True
    session.save()
    assert Session.objects.get().expire_date == ends
    sent = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert phone.post("/en/password/", sent).status_code == 302
    assert [row.expire_date for row in Session.objects.all()] == [ends]


@pytest.mark.parametrize(
    ("roles", "superuser", "page"),
    [
        ([], False, "/en/desk/"),
        ([], True, "/en/organise/"),
        (["organiser"], False, "/en/organise/"),
        (["organiser", "table_referee"], True, "/en/desk/"),
        (["head_referee"], True, "/en/desk/"),
    ],
    ids=["nobody", "admin", "organiser", "organiser and referee", "referee"],
)
def test_sign_in_leads_organisers_to_their_events_and_referees_to_their_tables(
    kim: User, roles: list[str], superuser: bool, page: str
) -> None:
    kim.is_superuser = superuser
    kim.save()
    for role in roles:
        made = event("tite-2022")
        made.act(actions.grant_role, membership=uuid4(), user=kim.uid, role=role)
    assert Client().post("/en/sign-in/", {"username": "kim", "password": PASSWORD})["Location"] == page


@pytest.mark.parametrize(
    "after",
    ["https://evil.example/", "//evil.example", "javascript:alert(1)"],
    ids=["host", "bare", "script"],
)
def test_sign_in_leads_to_no_other_host(kim: User, after: str) -> None:
    sent = {"username": "kim", "password": PASSWORD, "next": after}
    answer = Client().post("/en/sign-in/", sent)
    assert answer["Location"] == "/en/desk/"


def test_long_password_with_spaces_is_taken_as_it_is(kim: User) -> None:
    long = f" {'a horse ' * 14} "
    kim.set_password(long)
    kim.save()
    assert sign_in("kim", long.strip()).status_code == 200
    assert sign_in("kim", long).status_code == 302


NEW = "a longer horse battery"


def test_password_is_changed_by_the_present_one_and_ends_every_other_session(kim: User) -> None:
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        sign_in("kim", PASSWORD, on=client)
    page = here.get("/en/password/")
    assert page.content.decode().count('type="password"') == 3
    assert "no-store" in page["Cache-Control"]
    wrong = {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}
    assert here.post("/en/password/", wrong).status_code == 200
    assert here.post("/en/password/", wrong | {"old_password": PASSWORD}).status_code == 302
    assert here.get("/en/desk/").status_code == 200
    assert elsewhere.get("/en/desk/").status_code == 302
    assert sign_in("kim", NEW).status_code == 302


def test_present_password_is_not_guessed_on_a_phone_that_was_left_signed_in(kim: User) -> None:
    left, own = Client(), Client()
    for client in (left, own):
        sign_in("kim", PASSWORD, on=client)
    wrong = {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}
    assert [left.post("/en/password/", wrong).status_code for _ in range(10)] == [200] * 10
    refused = left.post("/en/password/", wrong | {"old_password": PASSWORD})
    assert refused.status_code == 429
    assert f"Wait {refused['Retry-After']} second" in refused.content.decode()
    assert sign_in("kim", PASSWORD).status_code == 302, "nobody else waits for it"
    assert own.post("/en/password/", wrong | {"old_password": PASSWORD}).status_code == 302


@pytest.mark.parametrize(
    "bad",
    ["short", "password123", "1234567890", "Lastcard-2026", "unoreferee1"],
    ids=["short", "common", "digits", "product", "words"],
)
def test_password_that_is_easily_guessed_is_refused(kim: User, bad: str) -> None:
    client = Client()
    sign_in("kim", PASSWORD, on=client)
    sent = {"old_password": PASSWORD, "new_password1": bad, "new_password2": bad}
    assert client.post("/en/password/", sent).status_code == 200
    assert sign_in("kim", PASSWORD).status_code == 302


def test_signing_in_is_logged_without_names(kim: User, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="tournament.views.sign_in"):
        guess(11)
        sign_in("kim", PASSWORD, at=ELSEWHERE)
    said = [record.getMessage() for record in caplog.records if record.name == "tournament.views.sign_in"]
    mark = rate_limit.mark_of("KIM", HALL)
    assert re.fullmatch("[0-9a-f]{12}", mark)
    assert said[0] == f"wrong sign-in: {mark}"
    assert said[10] == f"too early a sign-in: {mark}"
    assert said[11] == f"signed in: {kim.uid}"
    assert not any(word in line for line in said for word in ("kim", PASSWORD, HALL, ELSEWHERE))
