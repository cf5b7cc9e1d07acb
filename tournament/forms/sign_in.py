"""The form to sign in by, which makes who guesses wait."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import ngettext

from tournament.actions.guessing import begin_try, was_right


class SignInForm(AuthenticationForm):
    """`place` says for a name from where it is tried (tournament/actions/guessing.py); `wait` is how many seconds are
    to pass before the next try, 0 where it was made."""

    wait = 0

    def place(self, name: str) -> str:
        """Where this try comes from; the view says it."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Django's own check, unless it is too early for another one."""
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not name or not password:
            return super().clean()
        place = self.place(name)
        self.wait = begin_try(name, place)
        if self.wait:
            words = ngettext(
                "Wrong too often with this name from here. Wait %(n)s second, then try again.",
                "Wrong too often with this name from here. Wait %(n)s seconds, then try again.",
                self.wait,
            )
            raise ValidationError(words % {"n": self.wait}, code="wait")
        cleaned = super().clean()
        was_right(name, place)
        return cleaned
