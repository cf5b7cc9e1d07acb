"""Forms of a season."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from tournament.forms.fields import MergingForm, day_field, offer
from tournament.models import Season, Tournament
from tournament.words.faults import ruleset_name

LONGEST_POINTS = 1000  # characters


class StartForm(forms.Form):
    """Arguments of `start_season`."""

    name = forms.CharField(label=_("Name of the season"), max_length=100)


class ListInput(forms.HiddenInput):
    """Carries several values as one text."""

    def format_value(self, value: Any) -> str:
        return value if isinstance(value, str) else ",".join(map(str, value or ()))


class ChoicesField(forms.MultipleChoiceField):
    """Several ticks, which a `MergingForm` carries as one text with commas."""

    widget = forms.CheckboxSelectMultiple
    hidden_widget = ListInput

    def to_python(self, value: Any) -> list[str]:
        texts = [value] if isinstance(value, str) else value or ()
        return super().to_python([part for text in texts for part in str(text).split(",") if part])

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(initial, self.to_python(data))


class PointsField(forms.CharField):
    """Whole numbers in one line: `12, 10, 8`."""

    def prepare_value(self, value: Any) -> str:
        return value if isinstance(value, str) else ", ".join(map(str, value or ()))

    def to_python(self, value: Any) -> Any:
        words = re.findall(r"[^\s,;]+", super().to_python(value) or "")
        if not all(re.fullmatch(r"[0-9]{1,5}", word, re.ASCII) for word in words):
            raise ValidationError(_("Write whole numbers with commas between them: 12, 10, 8."))
        return [int(word) for word in words]

    def validate(self, value: Any) -> None:
        """Empty is a value."""

    def run_validators(self, value: Any) -> None:
        """The action judges the numbers."""


class SeasonForm(MergingForm, forms.Form):
    """Arguments of `set_season`. `events`: of the organiser, without rehearsals."""

    name = forms.CharField(label=_("Name of the season"), max_length=100)
    starts_on = day_field(_("First day"), required=False)
    ends_on = day_field(
        _("Last day"),
        _("Evenings outside these days do not count. Leave both empty for no limit."),
        required=False,
    )
    public = forms.BooleanField(
        label=_("Everyone may see it"),
        required=False,
        help_text=_("Of a public season only events in the list of tournaments count."),
    )
    over = forms.BooleanField(
        label=_("The season is over"), required=False, help_text=_("Then the first are its champions.")
    )
    evenings = ChoicesField(label=_("Evenings"), required=False)
    rulesets = ChoicesField(
        label=_("Only evenings of these rules"),
        required=False,
        help_text=_("Without a tick all rules count."),
    )
    counts = forms.ChoiceField(
        label=_("What counts"), choices=Season.Counts.choices, widget=forms.RadioSelect
    )
    place_points = PointsField(
        label=_("Points for places"),
        required=False,
        max_length=LONGEST_POINTS,
        help_text=_(
            "First place first: 12, 10, 8. Who shares a place gets its points; other places get none."
        ),
    )
    lowest = forms.BooleanField(
        label=_("Fewer points are better"),
        required=False,
        help_text=_("As in KPGUT. It does not matter for points for places."),
    )
    best = forms.IntegerField(
        label=_("How many of the best evenings count"),
        required=False,
        min_value=1,
        max_value=999,
        help_text=_("Leave empty if all count."),
    )
    ties = ChoicesField(
        label=_("Level players"),
        choices=Season.Tie.choices,
        required=False,
        help_text=_("Decided by what is ticked, in this order. Players who are still level share the place."),
    )
    least_evenings = forms.IntegerField(label=_("Fewest evenings to be ranked"), min_value=0, max_value=999)
    least_games = forms.IntegerField(
        label=_("Fewest games or rounds to be ranked"), min_value=0, max_value=9999
    )
    club = forms.CharField(
        label=_("Only members of this club are ranked"),
        max_length=100,
        required=False,
        help_text=_("As it is written beside the players. Leave empty to rank everyone."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )

    def __init__(self, season: Season, events: Sequence[Tournament], *args: Any, **named: Any) -> None:
        shown = {name: getattr(season, name) for name in self.base_fields if name != "evenings"}
        chosen = set(season.evenings.values_list("uid", flat=True))
        mine = [str(each.uid) for each in events if each.uid in chosen]
        super().__init__(*args, initial={**shown, "evenings": mine}, **named)
        offer(
            self,
            "evenings",
            [
                (str(each.uid), f"{date_format(each.starts_on, 'SHORT_DATE_FORMAT')} · {each.name}")
                for each in events
            ],
        )
        played = {each.ruleset for each in events} | {*season.rulesets}
        offer(self, "rulesets", [(each, ruleset_name(each)) for each in RULESETS if each in played])
        self.carry()

    def groups(self) -> list[tuple[str | Promise, list[forms.BoundField]]]:
        """Groups of fields, as (heading, fields)."""
        return [(heading, [self[name] for name in names]) for heading, names in GROUPS]


GROUPS = (
    (_("The season"), ("name", "starts_on", "ends_on", "public", "over")),
    (_("Evenings"), ("evenings", "rulesets")),
    (_("The rule"), ("counts", "place_points", "lowest", "best", "ties")),
    (_("Who is ranked"), ("least_evenings", "least_games", "club")),
)
