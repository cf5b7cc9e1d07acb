"""Forms of a player and of a walk-in."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from tournament.forms.events import MOST_SETTING
from tournament.forms.fields import MergingForm, day_field, offer, right_field
from tournament.forms.registration import AnswersForm
from tournament.models import Entry, Membership, Stage, Table, Tournament
from tournament.models.event import LONGEST_DIVISION
from tournament.queries.people import words_of
from tournament.queries.registration import Question, numbered_name
from tournament.words.faults import table_text

LONGEST_SEARCH = 100  # characters
BIRTH_DATE_HELP = _(
    "Never shown. Finds the oldest and youngest at a table. Everyone sees a number instead of the name of somebody "
    "under 18 on the day of the event, unless it is a nickname."
)


def name_and_club(text: str) -> tuple[str, str]:
    """Name and club, split at the first comma or tab."""
    name, _sign, club = text.replace("\t", ",", 1).partition(",")
    return name.strip(), club.strip()


class EntryForm(MergingForm, AnswersForm):
    """A player with answers; arguments of `edit_entry`."""

    always = frozenset({"real_name"})  # if empty, follows the public name
    public_name = forms.CharField(
        label=_("Public name"), max_length=100, help_text=_("A name or nickname that everyone sees.")
    )
    real_name = forms.CharField(
        label=_("Real name"),
        max_length=100,
        required=False,
        help_text=_("If the public name is a nickname. Only organisers and head referees see this."),
    )
    club = forms.CharField(label=_("Club or group"), max_length=100, required=False)
    division = forms.CharField(
        label=_("Division"),
        max_length=LONGEST_DIVISION,
        required=False,
        help_text=_("An age class or another part of the event with stages of its own."),
    )
    public_name_is_right = right_field()
    start_number = forms.IntegerField(label=_("Start number"), min_value=1, max_value=MOST_SETTING)
    birth_date = day_field(_("Birth date"), BIRTH_DATE_HELP, required=False)
    guardian = forms.BooleanField(
        label=_("Guardian’s consent"), required=False, help_text=_("Only for players under 18.")
    )
    contact = forms.CharField(
        label=_("Contact details"), max_length=200, required=False, help_text=_("Never shown.")
    )

    def __init__(self, questions: Sequence[Question], entry: Entry, *args: Any, **named: Any) -> None:
        named["initial"] = {
            "public_name": entry.public_name,
            "real_name": "" if entry.player.name == entry.public_name else entry.player.name,
            "club": entry.club,
            "division": entry.division,
            "start_number": entry.start_number,
            "birth_date": entry.player.birth_date,
            "guardian": entry.guardian,
            "contact": entry.player.contact,
        }
        super().__init__(questions, *args, answers=entry.answers, asked=False, **named)


class PersonForm(forms.Form):
    """The name of a person over all events."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        help_text=_("Events that show the present name will show the new one."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    public_name_is_right = right_field()


def namesake_field() -> forms.BooleanField:
    """The tick that `ask_about_namesake` shows."""
    return forms.BooleanField(
        label=_("This is another player with the same name"), required=False, widget=forms.HiddenInput
    )


def ask_about_namesake(
    form: forms.BaseForm, field: str, name: str, names: Collection[tuple[str, ...]]
) -> None:
    """Refuse a `name` among `names` (`words_in_name`) until `namesake` is ticked."""
    if name and not form.cleaned_data.get("namesake") and words_in_name(name) in names:
        form.fields["namesake"].widget = forms.CheckboxInput()
        form.add_error(field, gettext("%(player)s is already in the event.") % {"player": name})


def hidden_name_text(typed: str, entry: Entry) -> str:
    """Notice that the entry saved as `typed`, a minor's, is shown as a number; else ""."""
    if entry.public_name in {typed, ""} or entry.public_name != numbered_name(entry):
        return ""
    return gettext("Under 18 on the day of the event: everyone sees “%(number)s” instead of “%(name)s”.") % {
        "number": entry.public_name,
        "name": typed,
    }


class WalkInForm(forms.Form):
    """A walk-in: name and seat. `names` of the entries (`words_in_name`); `tables`: (uid, label)."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_SEARCH,
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Everyone sees it. A nickname will do."),
    )
    club = forms.CharField(
        label=_("Club or group"),
        max_length=LONGEST_SEARCH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    public_name_is_right = right_field()
    table = forms.ChoiceField(label=_("Seat"), required=False, widget=forms.RadioSelect)
    namesake = namesake_field()

    def __init__(
        self, names: Collection[tuple[str, ...]], tables: list[tuple[str, Any]], *args: Any, **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self.names = names
        offer(self, "table", tables)
        self.fields["table"].initial = tables[0][0]

    def clean(self) -> dict[str, Any]:
        name = str(self.cleaned_data.get("name", ""))
        if not self.cleaned_data.get("club") and all(both := name_and_club(name)):  # split as in lists
            name, club = both
            self.cleaned_data |= {"name": name, "club": club}
        ask_about_namesake(self, "name", name, self.names)
        return self.cleaned_data


def words_in_name(name: str) -> tuple[str, ...]:
    """Name key without case, accents and word order."""
    return tuple(sorted(words_of(name)))


# ---- Forms of roles and invites ----


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
        return [UUID(uid) for uid in self.cleaned_data.get("places", ())]

    def days(self) -> int | None:
        """Days of validity; None: until the day after the event."""
        return int(self.cleaned_data["valid"]) if self.cleaned_data["valid"] else None


def table_choices(tournament: Tournament) -> list[tuple[UUID, str]]:
    """Tables of unfinished stages, (uid, label)."""
    return [
        (table.uid, table_text(table.stage, table.number))
        for table in Table.objects.filter(stage__tournament=tournament)
        .exclude(stage__state=Stage.State.FINISHED)
        .select_related("stage")
        .order_by("stage__number", "number")
    ]
