"""The evening's plan as a form: players and settings, with the resulting levels and times."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from tournament.forms.events import target_field
from tournament.forms.fields import moment_field
from tournament.forms.levels import LEAST_IN_FINAL, MOST_IN_FINAL
from tournament.forms.seats import MOST_AT_TABLE
from tournament.models import Entry, Stage, Tournament, planned_names
from tournament.queries.programme import Plan, level_name
from tournament.results import Typed, kind_of
from tournament.seating import COMFORTABLE, MOST_TABLES, Expected, Impossible, Level, expected_minutes, levels
from tournament.words.seating import impossible_text

MOST_LEVELS = 9  # levels with an advance field
USUAL_START = time(18)
USUAL_PLAYERS = 24  # while there are no entries
ADVANCE = "advance-"


@dataclass(frozen=True, slots=True)
class PlannedLevel:
    """A planned level, in UTC, where minutes are real across DST. `field`: name of the field of how many advance;
    `typed`: its value, "" if the plan chose."""

    level: Level
    name: str
    starts_at: datetime
    expected: Expected
    field: str
    typed: str

    @property
    def ends_at(self) -> datetime:
        return self.starts_at + timedelta(minutes=self.expected.minutes)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Number of tables of each size, as (tables, players), larger first."""
        return [(count, size) for size, count in sorted(Counter(self.level.sizes).items(), reverse=True)]


class EveningForm(forms.Form):
    """How many play and how; `planned`: the resulting levels."""

    field_order = ("starts_at",)
    players = forms.IntegerField(label=_("Players"), min_value=2, max_value=10_000)
    most = forms.IntegerField(
        label=_("Maximum players per table"),
        min_value=2,
        max_value=MOST_AT_TABLE,
        initial=COMFORTABLE["heats"],
    )
    final_most = forms.IntegerField(
        label=_("Maximum players in the final"), min_value=2, max_value=MOST_AT_TABLE, initial=MOST_IN_FINAL
    )
    at_once = forms.IntegerField(
        label=_("Tables at the same time"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        help_text=_("As many as there are tables or referees. Leave empty to play them all at once."),
    )
    minutes = forms.IntegerField(label=_("Minutes per heat"), min_value=1, max_value=600, initial=20)
    pause = forms.IntegerField(label=_("Minutes between stages"), min_value=0, max_value=1440, initial=10)
    starts_at = moment_field(_("Starts at"), required=True)

    def __init__(self, tournament: Tournament, data: Mapping[str, Any] | None = None) -> None:
        self.tournament = tournament
        self.stages = list(Stage.objects.filter(tournament=tournament).order_by("number"))
        self.heats = [stage for stage in self.stages if kind_of(stage.kind).one_play]
        self.final = next((stage for stage in self.stages if kind_of(stage.kind).all_together), None)
        super().__init__({**self._defaults(), **(data or {})})
        self.fields["target"] = target_field(RULESETS[tournament.ruleset])
        self.planned: list[PlannedLevel] = []
        self.levels: list[Level] = []

    @property
    def advances(self) -> list[int | None]:
        """How many advance per heat, by level; an empty or invalid field repeats the previous level's."""
        typed = Typed({name: str(value) for name, value in self.data.items()})
        found: list[int | None] = []
        for number in range(1, MOST_LEVELS + 1):
            advance = typed.whole(f"{ADVANCE}{number}", "", least=1, most=99)
            found.append(advance or (found[-1] if found else None))
        return found

    def full_clean(self) -> None:
        """Clean in the event's time zone."""
        with timezone.override(self.tournament.zone):
            super().full_clean()

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        if self.errors:
            return chosen
        try:
            self.levels = levels(
                chosen["players"],
                most=chosen["most"],
                advance=self.advances,
                final_most=chosen["final_most"],
                final_least=min(
                    LEAST_IN_FINAL, *(chosen[name] for name in ("players", "most", "final_most"))
                ),
            )
        except Impossible as impossible:
            self.add_error(None, impossible_text(impossible))
            return chosen
        rules = RULESETS[self.tournament.ruleset]
        expected = expected_minutes(
            self.levels,
            heat=chosen["minutes"],
            at_once=chosen["at_once"],
            pause=chosen["pause"],
            target=chosen["target"] or rules.default_target or rules.least_target,
        )
        self.planned = [
            PlannedLevel(
                level=level,
                name=level_name(level.kind, index, len(self.levels), self.tournament.language),
                starts_at=chosen["starts_at"] + timedelta(minutes=times.starts_after),
                expected=times,
                field=f"{ADVANCE}{index + 1}",
                typed=str(self.data.get(f"{ADVANCE}{index + 1}", "")),
            )
            for index, (level, times) in enumerate(zip(self.levels, expected, strict=True))
        ]
        return chosen

    def arguments(self, command: UUID) -> list[dict[str, Any]]:
        """Arguments of `set_levels`. Existing stages keep their uids: heats in order, the final as final."""
        heats = iter(self.heats)
        stages = [
            self.final if kind_of(planned.level.kind).all_together else next(heats, None)
            for planned in self.planned
        ]
        return [
            {
                "stage": stage.uid if stage else uuid5(command, f"level {index}"),
                "kind": planned.level.kind,
                "name": self._name(planned, stage),
                "settings": self._settings(planned.level, stage),
                "plan": self._plan(planned).as_named(),
            }
            for index, (planned, stage) in enumerate(zip(self.planned, stages, strict=True))
        ]

    def _name(self, planned: PlannedLevel, stage: Stage | None) -> str:
        """Empty if the kind names the level in each reader's language; custom names stay."""
        if stage and stage.name and stage.name not in planned_names():
            return stage.name
        by_kind = planned.name == level_name(planned.level.kind, 0, 2, self.tournament.language)
        return "" if by_kind else planned.name

    def _settings(self, level: Level, stage: Stage | None) -> dict[str, Any]:
        settings = dict(stage.settings) if stage else {}
        if kind_of(level.kind).all_together:
            target = self.cleaned_data["target"]
            return settings | ({"target": target} if target else {})
        if int(settings.get("advance") or 1) == level.advance and stage:
            return settings
        return settings | {"advance": level.advance}

    def _plan(self, planned: PlannedLevel) -> Plan:
        return Plan(
            starts_at=planned.starts_at,
            minutes=planned.expected.minutes,
            players=planned.level.players,
            tables=len(planned.level.sizes),
            most=self.cleaned_data["most"] if kind_of(planned.level.kind).one_play else None,
        )

    def _players(self) -> int:
        """Number of players checked in, else of entries or, if more, as planned."""
        entries = Entry.objects.filter(tournament=self.tournament).to_seat()
        here = entries.filter(state=Entry.State.CHECKED_IN).count()
        if here >= 2:
            return here
        planned = Plan.of(self.stages[0].plan).players if self.stages else None
        return max(entries.count(), planned or 0) if entries.count() >= 2 or planned else USUAL_PLAYERS

    def _defaults(self) -> dict[str, Any]:
        """Initial values, from the event where it has them."""
        defaults: dict[str, Any] = {
            name: field.initial for name, field in self.base_fields.items() if field.initial is not None
        }
        defaults["players"] = self._players()
        planned = Plan.of(self.stages[0].plan) if self.stages else Plan()
        defaults["most"] = planned.most or defaults["most"]
        for number, stage in enumerate(self.heats, 1):
            advance = stage.settings.get("advance") or 1
            if advance > 1 or stage.tables.exists():  # 1 is the default; the plan may change it
                defaults[f"{ADVANCE}{number}"] = advance
        if self.final:
            defaults["target"] = self.final.settings.get("target", "")
        return defaults | {"starts_at": self._start(planned.starts_at).isoformat(timespec="seconds")}

    def _start(self, planned: datetime | None) -> datetime:
        """The planned start, else the event's, else USUAL_START; the next quarter of an hour if that is past today."""
        zone = self.tournament.zone
        starts_at = planned or datetime.combine(
            self.tournament.starts_on, self.tournament.starts_at or USUAL_START, zone
        ).astimezone(UTC)
        now = timezone.now()
        if starts_at > now or timezone.localdate(now, zone) != self.tournament.starts_on or self._begun:
            return starts_at
        return now.replace(second=0, microsecond=0) + timedelta(minutes=15 - now.minute % 15)

    @property
    def _begun(self) -> bool:
        return any(stage.state != Stage.State.PLANNED for stage in self.stages)
