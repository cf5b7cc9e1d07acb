"""Forms of a stage: where its players come from, and a new one."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.events import count_field
from tournament.forms.fields import offer
from tournament.models import Stage, Tournament
from tournament.models.event import LONGEST_DIVISION
from tournament.results import kind_of, kinds_in
from tournament.results.contests import FIRST, MOST_LIVES, MOST_THROUGH
from tournament.words.kinds import RACE_SCORINGS
from tournament.words.sources import TAKES, of_each_table

USUAL, REGISTERED = "usual", "registered"
SHOWN_PARTS = 2  # at least, in a form
NOT_MIXED = _(
    "Players of a stage can only join players of another stage. Choose a stage at “Players come from” too, "
    "or “nobody else” here."
)
TAKES_NOBODY = _("This goes only with a stage. Choose the stage above, or “the first” here.")
COUNTS_NOBODY = _("This goes only with a stage. Choose the stage above, or leave this empty.")
LIVES_HELP = _(
    "For players who begin here: how often they may be out before they are out for good. Leave empty to count none."
)


class SourceForm(forms.Form):
    """Where a stage's players come from. `there`: other stages; `source`: stored."""

    division = forms.CharField(
        label=_("Only this division"),
        max_length=LONGEST_DIVISION,
        required=False,
        help_text=_("An age class, for example. Write it as in the players’ details."),
    )
    lives = count_field(_("Lives"), LIVES_HELP, most=MOST_LIVES)

    def __init__(self, there: list[Stage], source: Mapping[str, Any], *args: Any, **named: Any) -> None:
        self.stored = source
        self.shown = range(1, max(SHOWN_PARTS, len(source.get("parts") or ())) + 1)
        super().__init__(*args, **{"initial": _initial(source), **named})
        usual = [
            (USUAL, _("as usual: who goes through from the heats before, else who registered")),
            (REGISTERED, _("who registered")),
        ]
        others = [
            (
                str(stage.number),
                _("%(stage)s, of each table") % {"stage": stage} if of_each_table(stage) else str(stage),
            )
            for stage in there
        ]
        for index in self.shown:
            first = index == 1
            self.fields[f"stage_{index}"] = forms.ChoiceField(
                label=_("Players come from") if first else _("And from"), required=first
            )
            offer(self, f"stage_{index}", [*(usual if first else [("", _("nobody else"))]), *others])
            self.fields[f"take_{index}"] = forms.ChoiceField(
                label=_("Which of them"), choices=[*TAKES.items()]
            )
            self.fields[f"count_{index}"] = count_field(
                _("How many"), _("Leave empty for all, or for as many as the heats say."), most=MOST_THROUGH
            )
        self.order_fields([name for name in self.fields if name not in self.declared_fields])

    def clean(self) -> None:
        """Refuse contradictions at their fields."""
        super().clean()
        begins = self.cleaned_data.get("stage_1") in {USUAL, REGISTERED}
        for index in self.shown:
            stage = self.cleaned_data.get(f"stage_{index}")
            if begins and stage and stage.isdecimal():
                self.add_error(f"stage_{index}", NOT_MIXED)
            if stage not in {"", USUAL, REGISTERED}:
                continue
            if self.cleaned_data.get(f"take_{index}", FIRST) != FIRST:
                self.add_error(f"take_{index}", TAKES_NOBODY)
            if self.cleaned_data.get(f"count_{index}"):
                self.add_error(f"count_{index}", COUNTS_NOBODY)

    @property
    def places(self) -> dict[str, str]:
        """Fields by a fault's path."""
        chosen = [index for index in self.shown if self.data.get(f"stage_{index}", "").isdecimal()]
        return {
            f"/source/parts/{part}/{name}": f"{name}_{index}"
            for part, index in enumerate(chosen)
            for name in ("stage", "take", "count")
        }

    def source(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        said: dict[str, Any] = {}
        if cleaned["stage_1"] != USUAL:
            said["parts"] = [
                {"stage": int(stage), "take": cleaned[f"take_{index}"]}
                | ({"count": count} if (count := cleaned[f"count_{index}"]) else {})
                for index in self.shown
                if (stage := cleaned[f"stage_{index}"]).isdecimal()
            ]
        said |= {name: cleaned[name] for name in ("division", "lives") if cleaned[name]}
        return said | ({"open": True} if "open" in self.stored else {})


class NewStageForm(SourceForm):
    """A stage to add: kind, name, and where its players come from."""

    kind = forms.ChoiceField(label=_("Kind"), widget=forms.RadioSelect)
    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        required=False,
        help_text=_("Leave empty to use the stage’s usual name."),
    )

    def __init__(self, tournament: Tournament, there: list[Stage], *args: Any, **named: Any) -> None:
        super().__init__(there, {}, *args, **named)
        offer(self, "kind", [(kind, Stage.Kind(kind).label) for kind in kinds_in(tournament.ruleset)])
        self.order_fields(["kind", "name"])

    def settings(self) -> dict[str, Any]:
        """First settings: a race has no usual scoring."""
        race = "rank" in kind_of(self.cleaned_data["kind"]).settings
        return {"scoring": next(iter(RACE_SCORINGS))} if race else {}


def _initial(source: Mapping[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {name: source.get(name) for name in ("division", "lives")}
    parts = source.get("parts")
    said["stage_1"] = USUAL if parts is None else REGISTERED
    for index, part in enumerate(parts or (), 1):
        said |= {
            f"stage_{index}": str(part["stage"]),
            f"take_{index}": part["take"],
            f"count_{index}": part.get("count"),
        }
    return said
