"""Stages and their kinds, changed by actions."""

from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Count, Q, QuerySet
from django.forms import modelform_factory
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from tournament import actions
from tournament.actions import Command
from tournament.admin.base import ActionAdmin, ActionForm, ChangeForm
from tournament.models import Final, Heats, Match, Race, Races, Session, Stage, Tournament
from tournament.pages.organiser.tiles import stage_view
from tournament.results import COUNTS, SHEET_KINDS, kind_of

LONGEST_SETTINGS = 500  # characters
PLAYING = {"ready", "running"}  # tables in play; sessions pause between games


class SettingsField(forms.JSONField):
    """Settings as JSON: names with numbers or words."""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and len(value) > LONGEST_SETTINGS:
            raise ValidationError(_("The settings are too long. Shorten them."))
        settings = super().to_python(value)
        if settings is None:
            return {}
        if not (isinstance(settings, dict) and all(isinstance(one, int | str) for one in settings.values())):
            raise ValidationError(_('Write settings in the form {"target": 500}.'))
        return settings


def _settings_of_kinds() -> str:
    return "; ".join(f"{kind.label}: {', '.join(sorted(kind_of(kind).settings))}" for kind in Stage.Kind)


class StageForm(ActionForm):
    settings = SettingsField(
        label=_("Settings"),
        required=False,
        initial=dict,
        help_text=lazy(_settings_of_kinds, str)(),
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class StageChangeForm(ChangeForm, StageForm):
    """Form of an existing stage."""


@admin.register(Stage)
class StageAdmin(ActionAdmin):
    list_display: tuple[str, ...] = (
        "__str__",
        "tournament",
        "number",
        "kind",
        "state",
        "tables_here",
        "results_here",
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
    add_form = modelform_factory(Stage, StageForm, ("tournament", "kind", "name", "settings"))
    change_form = modelform_factory(Stage, StageChangeForm, ("name", "settings"))

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

    @admin.display(description=_("tables"), ordering="tables_here")
    def tables_here(self, stage: Any) -> int:
        return int(stage.tables_here)

    @admin.display(description=_("results"), ordering="results_here")
    def results_here(self, stage: Any) -> int:
        return int(stage.results_here)

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


class KindAdmin(StageAdmin):
    """Stages of one kind, for events that play it."""

    kind: Stage.Kind
    list_display = ("__str__", "tournament", "starts_on", "state", "tables_here", "results_here")
    list_filter = ("state", ("tournament", admin.RelatedOnlyFieldListFilter))
    shows = ("tournament", "number", "state", "uid")
    add_form = modelform_factory(Stage, StageForm, ("tournament", "name", "settings"))

    @admin.display(description=_("date"), ordering="tournament__starts_on")
    def starts_on(self, stage: Stage) -> Any:
        return stage.tournament.starts_on

    def events(self, request: HttpRequest) -> QuerySet[Tournament]:
        played = [one for one, ruleset in RULESETS.items() if ruleset.scores(SHEET_KINDS[self.kind])]
        return super().events(request).filter(ruleset__in=played)

    def add(self, command: Command, uid: UUID, cleaned: dict[str, Any]) -> None:
        super().add(command, uid, {**cleaned, "kind": self.kind})


@admin.register(Session)
class SessionAdmin(KindAdmin):
    kind = Stage.Kind.SESSION


@admin.register(Heats)
class HeatsAdmin(KindAdmin):
    kind = Stage.Kind.HEATS


@admin.register(Match)
class MatchAdmin(KindAdmin):
    kind = Stage.Kind.MATCH


@admin.register(Final)
class FinalAdmin(KindAdmin):
    kind = Stage.Kind.FINAL


@admin.register(Race)
class RaceAdmin(KindAdmin):
    kind = Stage.Kind.RACE


@admin.register(Races)
class RacesAdmin(KindAdmin):
    kind = Stage.Kind.RACES
