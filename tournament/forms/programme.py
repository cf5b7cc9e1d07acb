"""The programme as a form; levels and chains that are proposed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

from tournament.actions import PlannedStage
from tournament.forms.fields import local_time, merged, offered_readings
from tournament.models import Stage
from tournament.queries.programme import COUNTS, Part, Plan, level_name
from tournament.results import Typed, kind_of
from tournament.seating import COMFORTABLE, Impossible, Level, Step, chains, levels
from tournament.words.faults import fault_text
from tournament.words.seating import impossible_text, tables_text
from tournament.words.sources import source_text

MOST_IN_PLAN = 999  # largest count


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part's fields: `stored` and shown `values`; `readings` of its start when clocks change."""

    part: Part
    stored: Mapping[str, str]
    values: Mapping[str, str]
    wrong: Mapping[str, str]
    readings: Sequence[tuple[str, str, bool]] = ()

    @property
    def key(self) -> str:
        return str(self.part.stage.uid)

    @property
    def counts(self) -> list[tuple[str, Any, str, str, str]]:
        """Counts as (name, label, value, error, stored value)."""
        labels = {"minutes": _("Minutes"), "players": _("Players"), "tables": _("Tables")}
        if kind_of(self.part.stage.kind).one_play:
            labels |= {"tables": _("Heats"), "most": _("Maximum players per table")}
        return [
            (name, label, self.values.get(name, ""), self.wrong.get(name, ""), self.stored[name])
            for name, label in labels.items()
        ]


@dataclass(slots=True)
class ProgrammeForm:
    """All parts as shown; `plans`: those that change."""

    parts: tuple[Part, ...]
    zone: ZoneInfo
    rows: list[PartRow]
    plans: list[dict[str, Any]]
    valid: bool = True

    @classmethod
    def read(cls, parts: tuple[Part, ...], zone: ZoneInfo, data: Mapping[str, str]) -> "ProgrammeForm":
        """Parse `data`; unsent or unchanged fields stay. `along`: parts after a moved one move too, unless changed."""
        form = cls(parts, zone, [], [])
        along = timedelta(0)
        for part in parts:
            values, wrong, plan = _typed(part, zone, data)
            if plan.starts_at != part.plan.starts_at:
                if plan.starts_at and part.plan.starts_at and data.get("along"):
                    along = plan.starts_at - part.plan.starts_at
            elif along and plan.starts_at:
                plan = Plan(plan.starts_at + along, *(getattr(plan, name) for name in COUNTS))
            readings = offered_readings(plan.starts_at or values["starts_at"], zone)
            form.rows.append(PartRow(part, _values(part.plan, zone), values, wrong, readings))
            form.valid = form.valid and not wrong
            if plan != part.plan:
                form.plans.append({"stage": part.stage.uid, "plan": plan.as_named()})
        return form


def _values(plan: Plan, zone: ZoneInfo) -> dict[str, str]:
    values = {name: getattr(plan, name) for name in COUNTS}
    return {name: "" if value is None else str(value) for name, value in values.items()} | {
        "starts_at": local_time(plan.starts_at, zone)
    }


def _typed(
    part: Part, zone: ZoneInfo, data: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str], Plan]:
    uid, starts_at = part.stage.uid, part.plan.starts_at
    stored = _values(part.plan, zone)
    changed, twice = merged(data, {f"{name}-{uid}": now for name, now in stored.items()})
    values = stored | {name: changed[f"{name}-{uid}"] for name in stored if f"{name}-{uid}" in changed}
    typed = Typed(values | {"clock-starts_at": data.get(f"clock-starts_at-{uid}", "")})
    counts = [typed.whole(name, name, least=1, most=MOST_IN_PLAN) for name in COUNTS]
    wrong = {fault.path: gettext("Write a whole number from 1 to 999.") for fault in typed.faults}
    if values["starts_at"] != stored["starts_at"] or typed.text("clock-starts_at"):
        starts_at = typed.at("starts_at", "starts_at", zone)
        wrong |= {fault.path: fault_text(fault) for fault in typed.faults if fault.path == "starts_at"}
        values["starts_at"] = local_time(starts_at, zone) or values["starts_at"]
    wrong |= {fault.path[1:].partition("-")[0]: fault_text(fault) for fault in twice}
    return values, wrong, Plan(starts_at, *counts)


# ---- Levels of a championship by the number of players ----


MOST_EXPECTED = 1000  # players
MOST_IN_FINAL = 6  # players, by default
LEAST_IN_FINAL = 4  # players, if there are enough


class LevelsForm(forms.Form):
    """Number of players and table size; `levels` are the result."""

    expected = forms.IntegerField(
        label=_("Players expected"),
        min_value=2,
        max_value=MOST_EXPECTED,
        initial=24,
        help_text=_(
            "The stages are planned for this many. You can plan them again when you know who is here."
        ),
    )
    most_at_table = forms.IntegerField(
        label=_("Maximum players per heat"),
        min_value=2,
        max_value=20,
        initial=COMFORTABLE["heats"],
    )
    advance = forms.IntegerField(
        label=_("How many go through"),
        min_value=1,
        max_value=20,
        required=False,
        help_text=_(
            "From each table. Leave empty for the first player out, or the first two if there are few heats."
        ),
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Defaults of fields that were not on the page yet."""
        super().__init__(*arguments, **named)
        if self.is_bound and (missing := {"expected", "most_at_table"} - self.data.keys()):
            self.data = dict(self.data.items()) | {name: str(self.fields[name].initial) for name in missing}

    def clean(self) -> dict[str, Any]:
        """An impossible plan is an error of its field."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors.keys() & LevelsForm.base_fields.keys():
            try:
                self.levels()
            except Impossible as impossible:
                field = "advance" if impossible.code == "advance_too_large" else "expected"
                self.add_error(field, impossible_text(impossible))
        return cleaned

    def levels(self) -> list[Level]:
        """The levels, the final last. Raises `Impossible`."""
        chosen = self.cleaned_data
        return levels(
            chosen["expected"],
            most=chosen["most_at_table"],
            advance=chosen["advance"],
            final_most=COMFORTABLE["final"] if chosen["advance"] else MOST_IN_FINAL,
            final_least=min(LEAST_IN_FINAL, chosen["expected"], chosen["most_at_table"]),
        )

    def named_levels(self, language: str) -> list[tuple[str, Level]]:
        """Levels with their name in `language`; "": the kind names them."""
        plan = self.levels()
        return [
            ("" if index in {0, len(plan) - 1} else level_name(level.kind, index, len(plan), language), level)
            for index, level in enumerate(plan)
        ]


def lines(form: LevelsForm) -> list[tuple[str, str]]:
    """Name and text of each level; empty without a plan."""
    plan, named = form.levels() if form.is_valid() else [], []
    for index, level in enumerate(plan):
        players, sizes = level.players, level.sizes
        if kind_of(level.kind).all_together:
            text = ngettext("%(n)s player at one table", "%(n)s players at one table", players)
            text %= {"n": players}
        else:
            text = gettext("%(players)s players, %(tables)s, %(through)s through") % {
                "players": players,
                "tables": tables_text(len(sizes), smallest=sizes.smallest, largest=sizes.largest),
                "through": level.through,
            }
        named.append((level_name(level.kind, index, len(plan), get_language() or "en"), text))
    return named


# ---- Chains of stages that fit in the hours ----


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A stage of a proposed chain; `who`: whose players come."""

    step: Step
    stage: Stage
    starts_at: datetime
    who: str

    @property
    def tables(self) -> str:
        sizes = self.step.sizes
        return tables_text(len(sizes), smallest=sizes.smallest, largest=sizes.largest)

    def as_planned(self) -> dict[str, Any]:
        """An element of `replan_event`'s `stages`."""
        step = self.step
        plan = Plan(self.starts_at, step.minutes.usual, sum(step.sizes), len(step.sizes))
        planned = PlannedStage(
            step.kind, settings=step.settings, source=self.stage.source, plan=plan.as_json()
        )
        return planned.as_planned()


def planned_chains(chosen: Mapping[str, Any], tables: int) -> dict[str, list[PlannedStep]]:
    """The chains that fit at so many tables, by name; `chosen`: players, hours, pause, start. Raises `Impossible`."""
    planned = {}
    found = chains(chosen["players"], tables, 60 * chosen["hours"], pause=chosen["pause"])
    for name, steps in found.items():
        stages = {
            number: Stage(number=number, kind=step.kind, source=step.source)
            for number, step in enumerate(steps, 1)
        }
        planned[name] = [
            PlannedStep(
                step, stage, chosen["starts_at"] + timedelta(minutes=step.after), source_text(stage, stages)
            )
            for step, stage in zip(steps, stages.values(), strict=True)
        ]
    return planned
