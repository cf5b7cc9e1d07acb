"""Event programme: stages with times, tables and players; changes since publication; delay.

A stage's `plan` (current) and `first_plan` (first published) are JSON: `starts_at` (ISO, UTC), `minutes`, `players`,
`tables`, `most` per heat; unplanned keys omitted. Actual times come from the ledger.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext, ngettext, override

from tournament.models import HallClock, LedgerRow, Stage, Table, Tournament, level_names
from tournament.results import kind_of, stage_results
from tournament.seating import COMFORTABLE

STEP = 5  # minutes: rounding, minimum delay


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan of a part; None: not planned. `minutes`: duration; `most`: players per table."""

    starts_at: datetime | None = None
    minutes: int | None = None
    players: int | None = None
    tables: int | None = None
    most: int | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Plan":
        starts_at = data.get("starts_at")
        return cls(
            starts_at=datetime.fromisoformat(starts_at) if starts_at else None,
            **{name: data.get(name) for name in COUNTS},
        )

    def as_json(self) -> dict[str, Any]:
        """The stored form; unplanned keys omitted."""
        data: dict[str, Any] = {name: getattr(self, name) for name in COUNTS}
        data["starts_at"] = self.starts_at.astimezone(UTC).isoformat() if self.starts_at else None
        return {name: value for name, value in data.items() if value is not None}

    def as_named(self) -> dict[str, Any]:
        """All keys (None: not planned), to replace another plan."""
        return {"starts_at": None, **dict.fromkeys(COUNTS), **self.as_json()}

    @property
    def ends_at(self) -> datetime | None:
        if self.starts_at is None or self.minutes is None:
            return None
        return self.starts_at + timedelta(minutes=self.minutes)


COUNTS = ("minutes", "players", "tables", "most")
EVENT_DAYS = 28  # less than a month


@dataclass(frozen=True, slots=True)
class Part:
    """A stage in the programme. `first`: first published plan, or None; `was_at`, `had_...`: what it said, if changed;
    `began`, `ended`: actual times."""

    stage: Stage
    plan: Plan
    first: Plan | None
    began: datetime | None = None
    ended: datetime | None = None

    @property
    def name(self) -> str:
        return str(self.stage)

    @property
    def advance(self) -> int | None:
        """Qualifiers per heat; None for other kinds."""
        return int(self.stage.settings.get("advance") or 1) if kind_of(self.stage.kind).one_play else None

    @property
    def target(self) -> int | None:
        return cast("int | None", self.stage.settings.get("target"))

    @property
    def was_at(self) -> datetime | None:
        return self.first.starts_at if self.first and self.first.starts_at != self.plan.starts_at else None

    @property
    def had_tables(self) -> int | None:
        return self.first.tables if self.first and self.first.tables != self.plan.tables else None

    @property
    def had_players(self) -> int | None:
        return self.first.players if self.first and self.first.players != self.plan.players else None


@dataclass(frozen=True, slots=True)
class Gone:
    """A part that was published and dropped since."""

    kind: str
    plan: Plan

    @property
    def name(self) -> str:
        """Its kind's: the ledger stores no names."""
        return str(Stage.Kind(self.kind).label)


@dataclass(frozen=True, slots=True)
class Late:
    """The first unfinished part, `minutes` late. `why`: "waiting" (to begin), "began" (late) or "longer"
    (overrunning); `moves`: parts with new plans."""

    part: Part
    minutes: int
    why: str
    moves: tuple[tuple[Part, Plan], ...]

    @property
    def time(self) -> str:
        """The delay in words."""
        hours, minutes = divmod(self.minutes, 60)
        parts = [gettext("%(n)d h") % {"n": hours}] if hours else []
        return " ".join(parts + ([gettext("%(n)d min") % {"n": minutes}] if minutes else []))


@dataclass(frozen=True, slots=True)
class Programme:
    """All parts in order; `gone`: published, since dropped parts."""

    parts: tuple[Part, ...]
    gone: tuple[Gone, ...]

    @property
    def published(self) -> bool:
        return any(part.first for part in self.parts)

    @property
    def shown(self) -> tuple[Part, ...]:
        """Parts with a plan."""
        return tuple(part for part in self.parts if part.stage.plan)

    @property
    def unpublished(self) -> tuple[Part, ...]:
        return tuple(part for part in self.shown if not part.first)


def level_name(kind: str, index: int, levels: int, language: str) -> str:
    """Name of level `index` (from 0) of `levels`: Heats, Second heats ..., Semi-finals, Final."""
    names = override(language)(level_names)()
    if kind_of(kind).all_together:
        return names[-1]
    return names[-2] if 0 < index == levels - 2 else names[index]


def programme(tournament: Tournament) -> Programme:
    """The current programme, in two queries."""
    stages = list(Stage.objects.filter(tournament=tournament).order_by("number"))
    times, gone = _history(tournament, {str(stage.uid) for stage in stages})
    parts = []
    for stage in stages:
        stage.tournament = tournament
        first = Plan.of(stage.first_plan) if stage.first_plan else None
        parts.append(Part(stage, Plan.of(stage.plan), first, *times.get(str(stage.uid), (None, None))))
    return Programme(tuple(parts), tuple(gone))


def on_event_days(at: datetime, tournament: Tournament) -> bool:
    """Whether `at` is within EVENT_DAYS from the event's date."""
    return 0 <= (timezone.localdate(at, tournament.zone) - tournament.starts_on).days < EVENT_DAYS


def heats_off(stage: Stage, players: int) -> int:
    """How many heats more or fewer than planned these players need; 0 without a plan."""
    plan = Plan.of(stage.plan)
    if not kind_of(stage.kind).one_play or not plan.players or not players:
        return 0
    most = plan.most or COMFORTABLE[stage.kind]
    return abs(-(-players // most) - -(-plan.players // most))


def outgrown(stage: Stage, here: int, late: int = 0) -> str:
    """Warning if those here and late need another number of heats than planned, else ""."""
    if not here or not heats_off(stage, here + late):
        return ""
    said = {"planned": Plan.of(stage.plan).players, "count": here, "late": late}
    if late:
        return gettext("The plan is for %(planned)d players: %(count)d here, %(late)d late.") % said
    return (
        ngettext(
            "The plan is for %(planned)d players, but %(count)d is here.",
            "The plan is for %(planned)d players, but %(count)d are here.",
            here,
        )
        % said
    )


def moved(plan: Plan, minutes: int) -> Plan:
    """The plan shifted by `minutes`."""
    return replace(plan, starts_at=plan.starts_at + timedelta(minutes=minutes)) if plan.starts_at else plan


def longer(plan: Plan, minutes: int) -> Plan:
    """The plan extended by `minutes`."""
    return plan if plan.minutes is None else replace(plan, minutes=plan.minutes + minutes)


def late(parts: Sequence[Part], now: datetime) -> Late | None:
    """The delay at `now`; None if on time or unplanned."""
    index = next((i for i, part in enumerate(parts) if part.stage.state != Stage.State.FINISHED), None)
    if index is None or parts[index].plan.starts_at is None:
        return None
    part, rest = parts[index], [each for each in parts[index + 1 :] if each.plan.starts_at]
    planned, ends_at = part.plan.starts_at, part.plan.ends_at
    assert planned is not None
    minutes = _rounded((part.began or now) - planned)
    if minutes >= STEP:
        moves = [(each, moved(each.plan, minutes)) for each in (part, *rest)]
        return Late(part, minutes, "began" if part.began else "waiting", tuple(moves))
    over = _rounded(now - ends_at) if part.began and ends_at else 0
    if over >= STEP and rest and (rest[0].plan.starts_at or now) < now + timedelta(minutes=STEP):
        moves = [(part, longer(part.plan, over)), *((each, moved(each.plan, over)) for each in rest)]
        return Late(part, over, "longer", tuple(moves))
    return None


def _rounded(time: timedelta) -> int:
    return STEP * round(time / timedelta(minutes=STEP))


def _history(
    tournament: Tournament, there: set[str]
) -> tuple[dict[str, tuple[datetime | None, datetime | None]], list[Gone]]:
    times: dict[str, tuple[datetime | None, datetime | None]] = {}
    known: dict[str, Mapping[str, Any]] = {}
    rows = LedgerRow.objects.filter(tournament=tournament, payload__has_key="stage").order_by("sequence")
    for at, stages in rows.values_list("at", "payload__stage"):
        for uid, facts in stages.items():
            if facts is None:
                continue
            before = known.get(uid, {}).get("state", Stage.State.PLANNED)
            began, _ended = times.get(uid, (None, None))
            if facts["state"] == Stage.State.PLANNED:
                times[uid] = (None, None)
            elif facts["state"] == Stage.State.RUNNING:
                times[uid] = (at if before == Stage.State.PLANNED else began, None)
            elif before != Stage.State.FINISHED:
                times[uid] = (began, at)
            known[uid] = facts
    return times, [
        Gone(facts["kind"], Plan.of(facts["first_plan"]))
        for uid, facts in known.items()
        if uid not in there and facts.get("first_plan")
    ]


# ---- The hall clock ----

USUAL = 20  # minutes, if not planned


def clock_of(tournament: Tournament) -> HallClock | None:
    """The visible clock; None once its stage or the event is over."""
    if tournament.state == Tournament.State.FINISHED:
        return None
    row = HallClock.objects.filter(tournament=tournament).select_related("stage", "tournament").first()
    return row if row and (row.stage is None or row.stage.state == Stage.State.RUNNING) else None


def plays_by_clock(stage: Stage) -> bool:
    """Whether the hall clock can run: the stage runs, and its games have no own clock."""
    return stage.state == Stage.State.RUNNING and not kind_of(stage.kind).timed


def bell_stops(clock: HallClock, at: datetime) -> list[Table]:
    """Tables whose match the bell stops at `at`: time is up, a round has been played, the match is open."""
    if clock.held_at or clock.stage is None or not kind_of(clock.stage.kind).to_target:
        return []
    playing = {
        results.contest.table
        for results in stage_results(clock.stage)
        if not results.complete and any(results.sheet.plays)
    }
    tables = Table.objects.filter(stage=clock.stage, uid__in=playing).order_by("number")
    return [table for table in tables if (ends_at := clock.ends_for(table.number)) and ends_at <= at]


def planned_minutes(stage: Stage) -> int:
    """Initial minutes of the stage's clock."""
    return Plan.of(stage.plan).minutes or USUAL
