"""A role for a user, as a form."""

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.models import Membership, Stage, Table, Tournament


class RoleForm(forms.Form):
    """Who, as what and, for a table referee, at which table."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(
            attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}
        ),
        help_text=_("As they sign in."),
    )
    role = forms.ChoiceField(
        label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.TABLE_REFEREE
    )
    place = forms.ChoiceField(
        label=_("Table"), required=False, help_text=_("Of a table referee; empty: every table.")
    )

    def __init__(self, tournament: Tournament, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        tables = (
            Table.objects.filter(stage__tournament=tournament)
            .exclude(stage__state=Stage.State.FINISHED)
            .select_related("stage")
            .order_by("stage__number", "number")
        )
        words = gettext("%(stage)s, table %(number)d")
        choices = [(str(t.uid), words % {"stage": t.stage, "number": t.number}) for t in tables]
        place = self.fields["place"]
        assert isinstance(place, forms.ChoiceField)
        place.choices = [("", "—"), *choices]

    def table(self) -> UUID | None:
        """The table's uid; other roles than a table referee's hold everywhere."""
        chosen = self.cleaned_data["place"]
        wanted = chosen and self.cleaned_data["role"] == Membership.Role.TABLE_REFEREE
        return UUID(chosen) if wanted else None
