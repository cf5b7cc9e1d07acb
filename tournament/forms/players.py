"""Players as forms: a pasted list, one of them, a seat each."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from tournament.forms.events import MOST
from tournament.forms.fields import day_field, offer
from tournament.models import Entry
from tournament.queries.duplicates import words_of
from tournament.results import Fault
from tournament.words.faults import fault_text

MOST_LINES = 1000
LONGEST = 100  # characters of a name or a club
NICKNAME = re.compile(r"([^()]*[^()\s])\s*\(([^()]*[^()\s][^()]*)\)")
ENTERED = _("%(player)s is entered already.")
NAMED_TWICE = _("%(player)s is named twice.")
BULLET = re.compile(r"^\s*(?:\d{1,4}(?:[.)](?!\d)|\t)|[-–—•*·](?=\s))\s*")


@dataclass(frozen=True, slots=True)
class Line:
    """One player of a pasted list; `number` counts the lines as they were pasted, from 1. `name` is public;
    `real_name` stands behind a nickname."""

    number: int
    name: str
    club: str
    real_name: str = ""


def lines_of(text: str) -> list[Line]:
    """The players of a list: a name a line, a nickname in brackets behind it, the club or group behind a comma or a
    tab. A number or a dash before each name is dropped, and empty lines are skipped."""
    lines = []
    for number, written in enumerate(text.splitlines(), 1):
        line = BULLET.sub("", written)
        name, club = name_and_club(line)
        if line.strip(" \t,"):
            nickname = NICKNAME.fullmatch(name)
            real, public = (nickname[1], nickname[2].strip()) if nickname else ("", name)
            lines.append(Line(number, public, club, real))
    return lines


def name_and_club(text: str) -> tuple[str, str]:
    """Split a name from the club or group behind a comma or a tab."""
    name, _sign, club = text.replace("\t", ",", 1).partition(",")
    return name.strip(), club.strip()


class PasteForm(forms.Form):
    """A list of players; asks first about a player who is in it twice, or entered already."""

    players = forms.CharField(
        label=_("Players"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "A name a line. A nickname may follow in brackets, and is shown instead of the name; a club or group after "
            "a comma: Aino Mäkelä (Ansku), Noppa"
        ),
    )
    namesakes = forms.BooleanField(
        label=_("Different people may have the same name"), required=False, widget=forms.HiddenInput
    )

    def __init__(self, entered: set[str], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.entered = entered
        self.lines: list[Line] = []

    def clean_players(self) -> str:
        text = str(self.cleaned_data["players"])
        lines = lines_of(text)
        if len(lines) > MOST_LINES:
            raise forms.ValidationError(
                _("At most %(most)d players at a time; these are %(found)d."),
                params={"most": MOST_LINES, "found": len(lines)},
            )
        self.lines = lines
        return text

    def clean(self) -> dict[str, Any]:
        for line in self.lines:
            if longest := max(
                (text for text in (line.name, line.club, line.real_name) if len(text) > LONGEST), default=""
            ):
                lengths = {"limit_value": LONGEST, "show_value": len(longest)}
                self._add(line, fault_text(Fault("field_max_length", parameters=lengths)))
            if not line.name:
                self._add(line, fault_text(Fault("field_blank")))
        if not self.cleaned_data.get("namesakes"):
            entered = {name.casefold() for name in self.entered}
            seen: set[str] = set()
            for line in self.lines:
                name = line.name.casefold()
                if name in entered or name in seen:
                    self._add(line, str(ENTERED if name in entered else NAMED_TWICE) % {"player": line.name})
                    self.fields["namesakes"].widget = forms.CheckboxInput()
                seen.add(name)
        return self.cleaned_data

    def add_faults(self, faults: tuple[Fault, ...]) -> None:
        """Say the action's faults (`/players/<index>/...`) at their lines."""
        for fault in faults:
            steps = fault.path.split("/")
            if len(steps) > 2 and steps[1] == "players" and steps[2].isdigit():
                self._add(self.lines[int(steps[2])], fault_text(fault))
            else:
                self.add_error(None, fault_text(fault))

    def players_of(self, command: UUID) -> list[dict[str, Any]]:
        """The argument of `enter_players`; sent twice, the same command has the same entries."""
        return [
            {
                "entry": uuid5(command, str(index)),
                "name": line.name,
                "club": line.club,
                "real_name": line.real_name,
            }
            for index, line in enumerate(self.lines)
        ]

    def _add(self, line: Line, text: str) -> None:
        self.add_error(
            "players", gettext("Line %(number)d: %(text)s") % {"number": line.number, "text": text}
        )


class EntryForm(forms.Form):
    """One player of the event; the arguments of `edit_entry`."""

    public_name = forms.CharField(
        label=_("Public name"), max_length=100, help_text=_("A name or a nickname, which everybody sees.")
    )
    real_name = forms.CharField(
        label=_("Real name"),
        max_length=100,
        required=False,
        help_text=_("Where the public name is a nickname. Seen by organisers and head referees only."),
    )
    club = forms.CharField(label=_("Club or group"), max_length=100, required=False)
    start_number = forms.IntegerField(label=_("Start number"), min_value=1, max_value=MOST)
    birth_date = day_field(
        _("Birth date"), _("Never shown; says who is oldest and youngest at a table."), required=False
    )
    guardian = forms.BooleanField(
        label=_("A guardian agrees"), required=False, help_text=_("Asked of those under 18.")
    )
    contact = forms.CharField(label=_("Contact"), max_length=200, required=False, help_text=_("Never shown."))

    @staticmethod
    def of(entry: Entry) -> dict[str, Any]:
        """The entry as this form's initial data."""
        return {
            "public_name": entry.public_name,
            "real_name": "" if entry.player.name == entry.public_name else entry.player.name,
            "club": entry.club,
            "start_number": entry.start_number,
            "birth_date": entry.player.birth_date,
            "guardian": entry.guardian,
            "contact": entry.player.contact,
        }


class WalkInForm(forms.Form):
    """Somebody at the door: a name, and where they sit. `names` are those entered already (`words_in_name`), `tables`
    the choices of (uid, words), the first preselected."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Everybody sees it; a nickname will do."),
    )
    club = forms.CharField(
        label=_("Club or group"),
        max_length=LONGEST,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    table = forms.ChoiceField(label=_("Seat"), required=False, widget=forms.RadioSelect)
    namesake = forms.BooleanField(
        label=_("This is somebody else with the same name"), required=False, widget=forms.HiddenInput
    )

    def __init__(
        self, names: Collection[tuple[str, ...]], tables: list[tuple[str, Any]], *args: Any, **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self.names = names
        offer(self, "table", tables)
        self.fields["table"].initial = tables[0][0]

    def clean(self) -> dict[str, Any]:
        name = str(self.cleaned_data.get("name", ""))
        if not self.cleaned_data.get("club") and all(both := name_and_club(name)):  # as in a list
            name, club = both
            self.cleaned_data |= {"name": name, "club": club}
        if name and not self.cleaned_data.get("namesake") and words_in_name(name) in self.names:
            self.fields["namesake"].widget = forms.CheckboxInput()
            self.add_error("name", str(ENTERED) % {"player": name})
        return self.cleaned_data


def words_in_name(name: str) -> tuple[str, ...]:
    """Give a key that names share if they differ only in case, accents or the order of their words."""
    return tuple(sorted(words_of(name)))
