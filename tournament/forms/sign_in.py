"""Password forms with rate limits."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, UserCreationForm, UsernameField
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext, ngettext

from tournament.actions.people.sign_in import begin_try, name_of, was_right
from tournament.models import User

BUSY_S = 5


class Limited:
    """`wait`: seconds until the next try, 0 if this was made. `busy`: the password queue is full (live/turns.py)."""

    wait, busy = 0, False

    def begin(self, name: str, place: str) -> None:
        """Count a try at account `name` from `place`; ValidationError if too early."""
        self.wait = BUSY_S if self.busy else begin_try(name, place)
        if self.busy:
            raise ValidationError(
                gettext("Many people are signing in right now. Wait a few seconds, then try again."),
                code="busy",
            )
        if self.wait:
            raise ValidationError(
                ngettext(
                    "Too many failed sign-ins with this name. Wait %(n)s second, then try again.",
                    "Too many failed sign-ins with this name. Wait %(n)s seconds, then try again.",
                    self.wait,
                )
                % {"n": self.wait},
                code="wait",
            )


class SignInForm(Limited, AuthenticationForm):
    """Django's form with a rate limit (actions/people/sign_in.py)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["spellcheck"] = "false"

    def place(self, name: str) -> str:
        """Origin of a try; the view replaces it."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
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
    """`place` is where a try comes from."""

    place = ""

    def clean_old_password(self) -> str:
        name = self.user.get_username()
        self.begin(name, self.place)
        old: str = super().clean_old_password()
        was_right(name, self.place)
        return old


class FirstAccountForm(UserCreationForm):  # type: ignore[type-arg]  # generic for the checker alone
    """Username, and a password twice, validated."""

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": UsernameField}


def meant_by(name: str) -> str:
    """The username as typed, else the only one but for case."""
    alike = Q(username=name) | Q(username__iexact=name) | Q(username=name_of(name))
    found = set(User.objects.filter(alike).values_list("username", flat=True))
    return found.pop() if name not in found and len(found) == 1 else name
