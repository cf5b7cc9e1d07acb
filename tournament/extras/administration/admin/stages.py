"""Stages and their kinds, changed by actions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.forms import modelform_factory
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from tournament import actions
from tournament.actions import Command
from tournament.extras.administration.admin.base import ActionAdmin, ActionForm, ChangeForm
from tournament.forms.events import CARD_TEXTS, card_texts_of, setting_fields, settings_of
from tournament.models import (
    Final,
    Heats,
    LedgerRow,
    Match,
    Play,
    Race,
    Races,
    Session,
    Stage,
    Tournament,
)
from tournament.pages.organiser.tiles import stage_view
from tournament.results import COUNTS, SHEET_KINDS, kind_of, stage_results
from tournament.words.faults import table_text
from tournament.words.kinds import DECIDING, KINDS, STATUSES

PLAYING = {"ready", "running"}  # tables in play; sessions pause between games
MOST_PLAYS = 12  # last ones

Line = tuple[int | None, str, str, str]  # place, name, value, status


class StageForm(ActionForm):
    """A new stage. What its ruleset leaves open is set afterwards."""


class StageChangeForm(ChangeForm):
    """A stage, with a field for each open setting."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if self.instance.state == Stage.State.PLANNED:
            self.own = setting_fields(self.instance)
            texts = dict(zip(CARD_TEXTS.values(), self.instance.card_texts, strict=False))
            self.initial = {**self.instance.settings, **texts, **self.initial}
            self.fields |= self.own
            self.carry()

    own: Mapping[str, forms.Field] = {}
    fault_fields: ClassVar[Mapping[str, str]] = CARD_TEXTS

    def changes(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments of `set_stage_settings`."""
        found = super().changes(arguments)
        changed = found.keys() & self.own.keys()
        given = {name: value for name, value in found.items() if name not in self.own}
        if changed:
            names = [name for name in self.own if name not in CARD_TEXTS.values()]
            given["settings"] = settings_of(self.cleaned_data, *names)
        if changed & {*CARD_TEXTS.values()}:
            given["card_texts"] = card_texts_of(self.cleaned_data)
        return given


@admin.register(Stage)
class StageAdmin(ActionAdmin):
    list_display: tuple[str, ...] = (
        "named",
        "number",
        "kind",
        "state",
        "tables_here",
        "results_here",
        "excel",
    )
    list_filter: ClassVar[Any] = ("state", "kind", ("tournament", admin.RelatedOnlyFieldListFilter))
    search_fields = ("name", "tournament__name", "tournament__place", "tables__seats__entry__public_name")
    list_select_related = ("tournament",)
    date_hierarchy = "tournament__starts_on"
    ordering = ("-tournament__starts_on", "tournament", "number")
    actions = ("start", "finish")
    change_action = "set_stage_settings"
    argument = "stage"
    shows: tuple[str, ...] = ("tournament", "number", "kind", "state", "uid")
    add_form = modelform_factory(Stage, StageForm, ("tournament", "kind", "name"))
    change_form = modelform_factory(Stage, StageChangeForm, ("name",))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        counts = Q(tables__plays__state__in=COUNTS)
        rows: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                tables_here=Count("tables", distinct=True),
                results_here=Count("tables__plays", counts, distinct=True),
            )
        )
        return rows

    @admin.display(description=_("stage"), ordering="tournament__name")
    def named(self, stage: Any) -> str:
        """The stage with its event: many are called Final."""
        return f"{stage} · {stage.tournament}"

    @admin.display(description=_("tables"), ordering="tables_here")
    def tables_here(self, stage: Any) -> int:
        return int(stage.tables_here)

    @admin.display(description=_("results"), ordering="results_here")
    def results_here(self, stage: Any) -> int:
        return int(stage.results_here)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **named: Any) -> Any:
        """The form adds the fields of its settings."""
        if obj is not None:
            named["fields"] = ["name"]
        return super().get_form(request, obj, change=change, **named)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_fields(request, obj)
        if obj is None or obj.state != Stage.State.PLANNED or not self.has_change_permission(request, obj):
            return fields
        return [fields[0], *setting_fields(obj), *fields[1:]]

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **named: Any) -> HttpResponse:  # type: ignore[override]  # all by name
        """Show what is played, with ways to the desk."""
        if (stage := named.get("obj")) is not None:
            context |= {"standings": list(standings_of(stage)), "plays": last_plays(stage)}
        return super().render_change_form(request, context, **named)

    def add(self, command: Command, uid: UUID, cleaned: dict[str, Any]) -> None:
        actions.plan_stage(command, cleaned.pop("tournament").uid, stage=uid, **cleaned)

    @admin.action(description=_("Start the selected %(verbose_name_plural)s"))
    def start(self, request: HttpRequest, rows: QuerySet[Stage]) -> None:
        self.run(request, "start_stage", rows)

    @admin.action(description=_("Finish the selected %(verbose_name_plural)s"))
    def finish(self, request: HttpRequest, rows: QuerySet[Stage]) -> HttpResponse | None:
        """Confirm with the number of tables in play."""
        if "sure" in request.POST:
            self.run(request, "finish_stage", rows)
            return None
        playing = [(stage, sum(tile.state in PLAYING for tile in stage_view(stage).tiles)) for stage in rows]
        context = {"title": _("Finish the stages?"), "opts": self.opts, "stages": playing}
        return TemplateResponse(
            request, "admin/tournament/finish.html", {**self.admin_site.each_context(request), **context}
        )


@admin.register(Session, Heats, Match, Final, Race, Races)
class KindAdmin(StageAdmin):
    """Stages of one kind, for events that play it."""

    list_display = ("named", "starts_on", "state", "tables_here", "results_here", "excel")
    list_filter = ("state", ("tournament", admin.RelatedOnlyFieldListFilter))
    shows = ("tournament", "number", "state", "uid")
    add_form = modelform_factory(Stage, StageForm, ("tournament", "name"))

    @admin.display(description=_("date"), ordering="tournament__starts_on")
    def starts_on(self, stage: Stage) -> Any:
        return stage.tournament.starts_on

    @property
    def kind(self) -> Stage.Kind:
        return Stage.Kind(str(self.opts.model_name))

    def events(self, request: HttpRequest) -> QuerySet[Tournament]:
        played = [one for one, ruleset in RULESETS.items() if ruleset.scores(SHEET_KINDS[self.kind])]
        return super().events(request).filter(ruleset__in=played)

    def add(self, command: Command, uid: UUID, cleaned: dict[str, Any]) -> None:
        super().add(command, uid, {**cleaned, "kind": self.kind})


# ---- What is played in a stage ----


@dataclass(frozen=True, slots=True)
class Standings:
    """A contest's true standings; `title`: its table where there are several."""

    title: str
    unit: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastPlay:
    """A play; `written`: its last ledger row. `correctable`, `voidable`: at the desk now."""

    row: Play
    label: str
    written: LedgerRow | None
    correctable: bool
    voidable: bool


def standings_of(stage: Stage) -> Iterator[Standings]:
    """Standings of each contest, heats by table."""
    for results in stage_results(stage):
        words = DECIDING[results.answer.decided_by]
        title = "" if results.table_number is None else table_text(stage, results.table_number)
        yield Standings(
            title,
            str(words.unit),
            [
                (
                    line.place,
                    results.names[line.player],
                    words.text(getattr(line, "value", None)),
                    str(STATUSES[status]),
                )
                for line in results.answer.lines
                for status in [getattr(line, "status", "ranked")]
            ],
        )


def last_plays(stage: Stage) -> list[LastPlay]:
    """The plays that were written last, newest first."""
    rows = list(
        Play.objects.filter(table__stage=stage)
        .select_related("table")
        .order_by("-version", "-pk")[:MOST_PLAYS]
    )
    entered = {
        line.sequence: line
        for line in LedgerRow.objects.filter(
            tournament=stage.tournament_id, sequence__in=[row.version for row in rows]
        ).select_related("actor")
    }
    words = KINDS[kind_of(stage.kind).sheet]
    running = stage.state == Stage.State.RUNNING
    return [
        LastPlay(
            row=row,
            label=str(words.play_at) % {"table": row.table.number, "number": row.number},
            written=entered.get(row.version),
            correctable=running and row.state != Play.State.RUNNING,
            voidable=running and row.state != Play.State.VOID,
        )
        for row in rows
    ]
