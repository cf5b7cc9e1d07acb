"""The forms that ask for a password, with a rate limit for wrong tries."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, UserCreationForm, UsernameField
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext, ngettext

from tournament.actions.people.sign_in import begin_try, name_of, was_right
from tournament.models import User

BUSY_S = 5  # seconds


class Limited:
    """`wait` is the seconds until the next try is allowed, 0 where this one was made. A form that is `busy` makes none:
    too many strangers wait for their passwords to be checked (tournament/live/turns.py)."""

    wait, busy = 0, False

    def begin(self, name: str, place: str) -> None:
        """Count a try at an account from a place. ValidationError if it must not be made now."""
        self.wait = BUSY_S if self.busy else begin_try(name, place)
        if self.busy:
            words = gettext("Many people are signing in right now. Wait a few seconds, then try again.")
            raise ValidationError(words, code="busy")
        if self.wait:
            raise too_early(self.wait)


class SignInForm(Limited, AuthenticationForm):
    """`place` gives for a name where the try comes from (tournament/actions/people/sign_in.py)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["spellcheck"] = "false"

    def place(self, name: str) -> str:
        """Give where this try comes from; the view replaces it."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Django's own check, unless it is too early for another one."""
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not name or not password:
            return super().clean()
        place = self.place(name)
        self.begin(name, place)
        self.cleaned_data["username"] = meant_by(name)
        cleaned = super().clean()
        was_right(name, place)
        return cleaned


class PasswordForm(Limited, PasswordChangeForm):
    """`place` gives where the try comes from."""

    place = ""

    def clean_old_password(self) -> str:
        """Django's own check, unless it is too early for another one."""
        name = self.user.get_username()
        self.begin(name, self.place)
        old: str = super().clean_old_password()
        was_right(name, self.place)
        return old


class FirstAccountForm(UserCreationForm):  # type: ignore[type-arg]  # generic for the checker alone
    """A name and a password, twice, as strong as any."""

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": UsernameField}


def meant_by(name: str) -> str:
    """The username that somebody typed: as it stands, else the only one that differs by capitals alone, which phones
    put in by themselves."""
    alike = Q(username=name) | Q(username__iexact=name) | Q(username=name_of(name))
    found = set(User.objects.filter(alike).values_list("username", flat=True))
    return found.pop() if name not in found and len(found) == 1 else name


def too_early(seconds: int) -> ValidationError:
    """Make the error for somebody who was wrong too often."""
    words = ngettext(
        "Too many failed sign-ins with this name. Wait %(n)s second, then try again.",
        "Too many failed sign-ins with this name. Wait %(n)s seconds, then try again.",
        seconds,
    )
    return ValidationError(words % {"n": seconds}, code="wait")
