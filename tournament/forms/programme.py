"""The programme as a form: each part's start, minutes, players and tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, gettext_lazy as _

from tournament.forms.fields import local_time, offered_readings
from tournament.forms.merging import merged
from tournament.queries.programme import COUNTS, Part, Plan
from tournament.results import Typed, kind_of
from tournament.words.faults import fault_text

MOST_IN_PLAN = 999  # largest count


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part's fields: `stored` values and shown `values`; `readings` of its start when clocks change."""

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
        """Each count as (name, label, value, error, stored value)."""
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
    def of(cls, parts: tuple[Part, ...], zone: ZoneInfo) -> "ProgrammeForm":
        return cls.read(parts, zone, {})

    @classmethod
    def read(cls, parts: tuple[Part, ...], zone: ZoneInfo, data: Mapping[str, str]) -> "ProgrammeForm":
        """Parse `data`; unsent or unchanged fields stay. With `along`, parts after a moved one move too, unless their
        start was changed."""
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
