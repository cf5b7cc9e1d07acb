"""Forms of seats: the draw, a player's seat, separated pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import offer
from tournament.models import Entry
from tournament.seating import MOST_TABLES

MOST_AT_TABLE = 100
ASKED = "asked"  # in sent forms, where unticked means no; absent in typed URLs


class DrawForm(forms.Form):
    """Options of a draw, sent by GET; nothing is stored."""

    who = forms.ChoiceField(label=_("Who"), widget=forms.RadioSelect)
    tables = forms.IntegerField(
        label=_("Number of tables"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        help_text=_("Leave empty to follow the plan, or to use as few tables as possible."),
    )
    most = forms.IntegerField(
        label=_("Maximum players per table"), min_value=1, max_value=MOST_AT_TABLE, required=False
    )
    least = forms.IntegerField(
        label=_("Minimum players per table"), min_value=1, max_value=MOST_AT_TABLE, required=False
    )
    order = forms.ChoiceField(
        label=_("How to seat"),
        choices=[("drawn", _("drawn by lot")), ("numbers", _("by start number"))],
        widget=forms.RadioSelect,
    )
    groups = forms.BooleanField(label=_("Spread clubs and groups across tables"), required=False)
    meet = forms.BooleanField(
        label=_("Meet new people and sit in new places"),
        required=False,
        help_text=_("Based on what has been played in this event so far."),
    )
    seed = forms.CharField(
        label=_("Seed"),
        max_length=20,
        required=False,
        help_text=_("The same seed gives the same seats again. Leave empty for a new one."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "input--short"}),
    )

    def __init__(self, query: QueryDict, usual: Mapping[str, Any], present: int, expected: int) -> None:
        """`usual`: values of fields missing in the query; `present`: number of players checked in; `expected`: of
        others."""
        data: dict[str, Any] = (
            {} if ASKED in query else {name: value for name, value in usual.items() if value}
        )
        data.update(query.items())
        super().__init__(data)
        self.people = present + expected
        self.several = bool(present and expected)  # whether there is a choice
        offer(
            self,
            "who",
            [
                ("present", _("Players here (%(n)d)") % {"n": present}),
                ("expected", _("Players here and expected (%(n)d)") % {"n": present + expected}),
            ],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """A player's `table` and `seat`; `apart`: uids of separated players."""

    entry: Entry
    table: str
    seat: str
    wrong: str = ""
    apart: str = ""

    @property
    def key(self) -> str:
        return str(self.entry.uid)


class ApartForm(forms.Form):
    """Two players who may not share a table."""

    first = forms.ChoiceField(label=_("Player"))
    second = forms.ChoiceField(label=_("Second player"))

    def __init__(self, entries: list[Entry], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        players = [(str(entry.uid), f"{entry.public_name} ({entry.start_number})") for entry in entries]
        for name in ("first", "second"):
            offer(self, name, [("", "—"), *players])

    def pair(self) -> tuple[UUID, UUID]:
        """Uids of the chosen pair."""
        return UUID(self.cleaned_data["first"]), UUID(self.cleaned_data["second"])


def typed_seats(tables: Mapping[int, Sequence[str]]) -> dict[str, str]:
    """Seats, as player uids by table number, as form data."""
    return {
        name: text
        for number, players in tables.items()
        for position, uid in enumerate(players, 1)
        for name, text in ((f"table-{uid}", str(number)), (f"seat-{uid}", str(position)))
    }
