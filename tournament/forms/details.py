"""Forms of an event's details."""

from base64 import b64encode
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import MergingForm, day_field, time_field
from tournament.models import Tournament
from tournament.results import Fault
from tournament.server.middleware import MOST_FILE_BYTES
from tournament.server.pictures import USUAL
from tournament.words.faults import fault_text
from tournament.words.text import ZONES, home_today


def zone_choices() -> list[tuple[str, str]]:
    """Time zones named after places."""
    areas = ("Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")
    return [(name, name.replace("_", " ")) for name in sorted(ZONES) if name.startswith(areas)]


class DetailsForm(forms.Form):
    """Fields that new and existing events share."""

    name = forms.CharField(label=_("Event name"), max_length=100)
    starts_on = day_field(_("Date"), initial=home_today)
    place = forms.CharField(label=_("Venue"), max_length=100, required=False)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=Tournament.Language.choices,
        help_text=_("The event’s language decides where rule sheets differ, and in which order names stand."),
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, initial="Europe/Helsinki")
    listed = forms.BooleanField(
        label=_("Show in the list of tournaments"),
        required=False,
        initial=True,
        help_text=_("Shown once registration opens or play starts."),
    )


TIMES = ("doors_at", "starts_at")


class EditForm(MergingForm, DetailsForm):
    """An existing event's details."""

    always = frozenset({"colour"})  # `usual_colour` resets it
    doors_at = time_field(_("Doors open at"))
    starts_at = time_field(_("Starts at"))
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=5000,
        help_text=_("An empty line begins a new paragraph. Addresses become links."),
        widget=forms.Textarea(attrs={"rows": 7, "dir": "auto"}),
    )
    fee = forms.CharField(
        label=_("Fee"), max_length=100, required=False, help_text=_("“5 €, students 3 €”, or “free”.")
    )
    bring = forms.CharField(
        label=_("What to bring"), max_length=300, required=False, widget=forms.TextInput({"dir": "auto"})
    )
    logo = forms.FileField(
        label=_("Logo"),
        required=False,
        allow_empty_file=True,  # its content gives a better error
        widget=forms.FileInput({"accept": "image/png, image/jpeg, image/webp, image/gif"}),
        help_text=_(
            "PNG, JPEG, WebP or GIF, at most 2 MB. Shown on public pages, the welcome screen and prints."
        ),
    )
    no_logo = forms.BooleanField(label=_("Remove the logo"), required=False)
    colour = forms.CharField(
        label=_("Colour"),
        required=False,
        validators=[RegexValidator(r"\A#[0-9a-fA-F]{6}\Z", _("Choose a colour."))],
        widget=forms.TextInput({"type": "color"}),
        help_text=_(
            "For buttons and links on public pages. Made darker or lighter where it would be hard to read."
        ),
    )
    usual_colour = forms.BooleanField(label=_("Use the usual green"), required=False)
    slug = forms.SlugField(
        label=_("Public address"),
        max_length=60,
        help_text=_("The last part of the address. Links to the old one stop working."),
    )

    def __init__(self, tournament: Tournament, *args: Any, limited: bool, **named: Any) -> None:
        shown = {name: getattr(tournament, name, "") for name in EditForm.base_fields}
        named["initial"] = {**shown, "logo": None, "colour": tournament.colour or USUAL}
        super().__init__(*args, **named)
        self.fields["time_zone"].help_text = _("Planned times stay as they are on the clock.")
        self.fields["starts_on"].help_text = _("The programme moves with the date.")
        if limited:  # guests choose neither address nor logo
            for name in ("slug", "logo", "no_logo"):
                del self.fields[name]
        if tournament.rehearsal or (limited and not tournament.listed):  # such events are never listed
            del self.fields["listed"]
        for name, is_set in (("no_logo", tournament.logo), ("usual_colour", tournament.colour)):
            if not is_set and not self.data.get(name):
                self.fields.pop(name, None)

    def groups(self) -> list[tuple[str | Promise, list[forms.BoundField]]]:
        """Fields as (heading, fields)."""
        return [(heading, [self[name] for name in names if name in self.fields]) for heading, names in GROUPS]

    def clean_logo(self) -> str | None:
        """The new logo in base64, or None."""
        file = self.cleaned_data["logo"]
        if file is None:
            return None
        if file.size > MOST_FILE_BYTES:  # the upload handler has discarded it
            raise forms.ValidationError(fault_text(Fault("picture_too_large")))
        return b64encode(file.read()).decode() or "="  # no picture, so refused

    def details(self) -> dict[str, Any]:
        """Arguments of `edit_tournament`. A new logo overrides the tick that removes it."""
        chosen = {"listed": False, **self.cleaned_data}
        no_logo, usual = chosen.pop("no_logo", False), chosen.pop("usual_colour", False)
        if (logo := chosen.pop("logo", None)) or no_logo:
            chosen["logo"] = logo or ""
        if usual or chosen["colour"].lower() == USUAL:
            chosen["colour"] = ""
        return chosen | {name: chosen[name].strftime("%H:%M") if chosen[name] else "" for name in TIMES}


GROUPS = (
    (_("When and where"), ("name", "starts_on", *TIMES, "place")),
    (_("About the event"), ("description", "fee", "bring")),
    (_("Logo and colour"), ("logo", "no_logo", "colour", "usual_colour")),
    (_("Settings"), ("language", "time_zone", "listed", "slug")),
)
