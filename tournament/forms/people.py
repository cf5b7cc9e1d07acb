"""Forms of roles and invites."""

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import offer
from tournament.models import Membership, Stage, Table, Tournament
from tournament.words.faults import table_text


class RoleForm(forms.Form):
    """A role for a user; a table referee's is for one table."""

    username = forms.CharField(
        label=_("Username"),
        max_length=150,
        widget=forms.TextInput(
            attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}
        ),
        help_text=_("The name they sign in with."),
    )
    role = forms.ChoiceField(
        label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.TABLE_REFEREE
    )
    place = forms.ChoiceField(
        label=_("Table"), required=False, help_text=_("For a table referee. Leave empty for every table.")
    )

    def __init__(self, tournament: Tournament, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        offer(self, "place", [("", "—"), *table_choices(tournament)])

    def table(self) -> UUID | None:
        """The table's uid; None: all tables."""
        chosen = self.cleaned_data["place"]
        return UUID(chosen) if chosen and self.cleaned_data["role"] == Membership.Role.TABLE_REFEREE else None


class InviteForm(forms.Form):
    """A role for anyone who has its link."""

    role = forms.ChoiceField(
        label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.TABLE_REFEREE
    )
    places = forms.MultipleChoiceField(
        label=_("Tables"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("For a table referee. Tick none for all tables."),
    )
    label = forms.CharField(
        label=_("Who is it for?"),
        max_length=100,
        required=False,
        help_text=_("A name you will recognise, such as “front hall”."),
    )
    most = forms.IntegerField(
        label=_("How many can accept it"),
        min_value=1,
        max_value=999,
        required=False,
        help_text=_("Leave empty for no limit."),
    )
    valid = forms.ChoiceField(
        label=_("Valid"),
        choices=[
            ("", _("until the day after the event")),
            ("1", _("for a day")),
            ("7", _("for a week")),
            ("31", _("for a month")),
        ],
        required=False,
    )

    def __init__(self, tournament: Tournament, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if choices := table_choices(tournament):
            offer(self, "places", choices)
        else:
            del self.fields["places"]

    def tables(self) -> list[UUID]:
        """Uids of ticked tables."""
        return [UUID(uid) for uid in self.cleaned_data.get("places", ())]

    def days(self) -> int | None:
        """Days for which the invite is valid; None: until the day after the event."""
        return int(self.cleaned_data["valid"]) if self.cleaned_data["valid"] else None


def table_choices(tournament: Tournament) -> list[tuple[str, str]]:
    """Tables of unfinished stages as choices, (uid, label)."""
    return [
        (str(table.uid), table_text(table.stage, table.number))
        for table in Table.objects.filter(stage__tournament=tournament)
        .exclude(stage__state=Stage.State.FINISHED)
        .select_related("stage")
        .order_by("stage__number", "number")
    ]
