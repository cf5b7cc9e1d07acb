"""Players as forms: a pasted list, one of them, a seat each."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.faults import Fault
from tournament.forms.events import MOST, DateInput
from tournament.models import Entry, Seat
from tournament.words import fault_text

MOST_LINES = 1000
LONGEST = 100  # characters of a name or a club


@dataclass(frozen=True, slots=True)
class Line:
    """One player of a pasted list; `number` counts the lines as they were pasted, from 1."""

    number: int
    name: str
    club: str


def lines_of(text: str) -> list[Line]:
    """The players of a list: a name a line, with the club or group behind a comma or a tab. Empty lines are no
    players."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        name, _sign, club = line.replace("\t", ",", 1).partition(",")
        if line.strip(" \t,"):
            lines.append(Line(number, name.strip(), club.strip()))
    return lines


class PasteForm(forms.Form):
    """A list of players; whoever is in it twice, or entered already, is asked about first."""

    players = forms.CharField(
        label=_("Players"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("A name a line. A club or group may follow after a comma: Aino Mäkelä, Noppa"),
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
        self.lines = lines_of(text)
        if len(self.lines) > MOST_LINES:
            raise forms.ValidationError(
                _("At most %(most)d players at a time; these are %(found)d."),
                params={"most": MOST_LINES, "found": len(self.lines)},
            )
        return text

    def clean(self) -> dict[str, Any]:
        for line in self.lines:
            if longest := max((text for text in (line.name, line.club) if len(text) > LONGEST), default=""):
                lengths = {"limit_value": LONGEST, "show_value": len(longest)}
                self._add(line, fault_text(Fault("field_max_length", parameters=lengths)))
            if not line.name:
                self._add(line, fault_text(Fault("field_blank")))
        if not self.cleaned_data.get("namesakes"):
            seen = {name.casefold() for name in self.entered}
            for line in self.lines:
                if line.name.casefold() in seen:
                    self._add(line, gettext("%(player)s is entered already.") % {"player": line.name})
                    self._ask_about_namesakes()
                seen.add(line.name.casefold())
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
            {"entry": uuid5(command, str(index)), "name": line.name, "club": line.club}
            for index, line in enumerate(self.lines)
        ]

    def _add(self, line: Line, text: str) -> None:
        said = gettext("Line %(number)d: %(text)s") % {"number": line.number, "text": text}
        self.add_error("players", said)

    def _ask_about_namesakes(self) -> None:
        self.fields["namesakes"].widget = forms.CheckboxInput()


class EntryForm(forms.Form):
    """One player of the event; the arguments of `edit_entry`."""

    public_name = forms.CharField(label=_("Public name"), max_length=100)
    club = forms.CharField(label=_("Club or group"), max_length=100, required=False)
    start_number = forms.IntegerField(label=_("Start number"), min_value=1, max_value=MOST)
    birth_date = forms.DateField(
        label=_("Birth date"),
        required=False,
        widget=DateInput,
        input_formats=["%Y-%m-%d", "%d.%m.%Y"],
        help_text=_("Never shown; says who is oldest and youngest at a table."),
    )
    contact = forms.CharField(label=_("Contact"), max_length=200, required=False, help_text=_("Never shown."))

    @staticmethod
    def of(entry: Entry) -> dict[str, Any]:
        """The entry as this form's initial data."""
        return {
            "public_name": entry.public_name,
            "club": entry.club,
            "start_number": entry.start_number,
            "birth_date": entry.player.birth_date,
            "contact": entry.player.contact,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """One player in the form of seats: `table` and `seat` as they stand or were typed."""

    entry: Entry
    table: str
    seat: str
    wrong: str = ""

    @property
    def key(self) -> str:
        return str(self.entry.uid)


def typed_seats(seats: list[list[UUID]], numbers: list[int] | None = None) -> dict[str, str]:
    """Seats (a list of players for each table) as the form would send them."""
    numbers = numbers or list(range(1, len(seats) + 1))
    typed: dict[str, str] = {}
    for number, players in zip(numbers, seats, strict=True):
        for position, uid in enumerate(players, 1):
            typed[f"table-{uid}"], typed[f"seat-{uid}"] = str(number), str(position)
    return typed


def seated_now(seats: list[Seat]) -> dict[str, str]:
    """The stored seats as the form would send them, without those who are out."""
    return {
        f"{what}-{seat.entry.uid}": str(value)
        for seat in seats
        if not seat.out_as
        for what, value in (("table", seat.table.number), ("seat", seat.position))
    }
