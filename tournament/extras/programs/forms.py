"""Form of an access token."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.actions.people.invites import LONGEST_NAME
from tournament.forms.fields import offer
from tournament.models import ApiToken, Tournament, User

Scope = ApiToken.Scope


class TokenForm(forms.Form):
    """A token's program, scope, tournament and expiry."""

    name = forms.CharField(
        label=_("Which program is it for?"),
        max_length=LONGEST_NAME,
        help_text=_("A name you will recognise, such as “scoreboard in the hall”."),
    )
    scope = forms.ChoiceField(
        label=_("Permissions"),
        choices=[
            (Scope.READ, _("read")),
            (Scope.ENTER, _("read and enter results")),
            (Scope.ORGANISE, _("everything that I can do")),
        ],
        initial=Scope.READ,
        help_text=_(
            "Players’ personal data (names, birth dates, contact details) can be read only with "
            "“everything that I can do”. In the API the three are called read, enter and organise."
        ),
    )
    tournament = forms.ChoiceField(label=_("Where"), required=False)
    valid = forms.ChoiceField(
        label=_("Valid"),
        choices=[
            ("1", _("for a day")),
            ("7", _("for a week")),
            ("31", _("for a month")),
            ("366", _("for a year")),
        ],
        initial="7",
    )

    def __init__(self, user: User, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        rows = Tournament.objects.visible().filter(memberships__user=user).distinct()
        offer(self, "tournament", [("", _("everywhere")), *((str(row.uid), row.name) for row in rows)])

    def where(self) -> UUID | None:
        """Tournament uid; None: everywhere."""
        chosen = self.cleaned_data["tournament"]
        return UUID(chosen) if chosen else None

    def until(self) -> datetime:
        """When the token expires."""
        return timezone.now() + timedelta(days=int(self.cleaned_data["valid"]))
