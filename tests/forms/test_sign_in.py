"""The forms that ask for a password, which make who guesses wait."""

import pytest

from tests.support.factories import UserFactory
from tournament.forms import sign_in
from tournament.forms.sign_in import PasswordForm, SignInForm, meant_by
from tournament.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "a long one 42"


class Here(SignInForm):
    def place(self, name: str) -> str:
        return f"here as {name}"


@pytest.fixture
def kim() -> User:
    user = UserFactory(username="kim")
    user.set_password(PASSWORD)
    user.save()
    return user


def test_capitals_that_a_phone_puts_in_are_no_other_name(kim: User) -> None:
    form = Here(None, {"username": "Kim", "password": PASSWORD})
    assert form.is_valid()
    assert (form.get_user(), form.wait) == (kim, 0)


def test_of_names_that_differ_by_capitals_alone_none_is_guessed(kim: User) -> None:
    UserFactory(username="KIM")
    assert [meant_by(name) for name in ("kim", "KIM", "Kim", "nobody")] == ["kim", "KIM", "Kim", "nobody"]


def test_name_or_password_that_is_missing_is_no_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "begin_try", lambda *_try: pytest.fail("this was no try"))
    form = Here(None, {"username": "kim", "password": ""})
    assert not form.is_valid()
    assert "password" in form.errors


def test_too_early_a_try_is_not_made(monkeypatch: pytest.MonkeyPatch, kim: User) -> None:
    monkeypatch.setattr(sign_in, "begin_try", lambda *_try: 7)
    form = Here(None, {"username": "kim", "password": PASSWORD})
    assert not form.is_valid()
    assert ([each.code for each in form.errors.as_data()["__all__"]], form.wait) == (["wait"], 7)
    change = PasswordForm(kim, {"old_password": PASSWORD})
    assert [each.code for each in change.errors.as_data()["old_password"]] == ["wait"]
    assert change.wait == 7


def test_password_is_changed_by_the_present_one_alone(kim: User) -> None:
    new = {"new_password1": "another long one 42", "new_password2": "another long one 42"}
    assert PasswordForm(kim, {"old_password": PASSWORD, **new}).is_valid()
    assert list(PasswordForm(kim, {"old_password": "wrong", **new}).errors) == ["old_password"]
