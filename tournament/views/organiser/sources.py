"""Chains of stages: add one, say where its players come from, and have a tie-break hand played."""

from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament import actions
from tournament.forms.sources import NewStageForm, SourceForm
from tournament.models import Stage, Tournament
from tournament.views import (
    Attempt,
    attempt_action,
    attempt_form,
    get_stage,
    get_tournament,
    new_uid,
    page,
    signed_in_form,
)
from tournament.views.organiser.stages import stage_answer


@signed_in_form
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a stage to the chain."""
    tournament = get_tournament(request, slug)
    uid = new_uid(request, "stage")
    form = NewStageForm(tournament, _others(tournament), request.POST if request.method == "POST" else None)
    attempt = attempt_form(
        request,
        form,
        actions.plan_stage,
        tournament.uid,
        lambda: {
            "stage": uid,
            "kind": form.cleaned_data["kind"],
            "name": form.cleaned_data["name"],
            "source": form.source(),
        },
    )
    return attempt.answer(
        reverse("organise-stage", args=[uid]),
        lambda: _page(request, tournament, attempt, form, title=_("Add a stage")),
    )


@signed_in_form
def source(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Where a stage's players come from, until it starts."""
    row = get_stage(request, stage)
    form = SourceForm(
        [other for other in _others(row.tournament) if other != row],
        row.source,
        request.POST if request.method == "POST" else None,
    )
    attempt = attempt_form(
        request,
        form,
        actions.set_stage_settings,
        row.tournament.uid,
        lambda: {"stage": row.uid, "source": form.source()},
    )
    return attempt.answer(
        reverse("organise-stage", args=[row.uid]),
        lambda: _page(request, row.tournament, attempt, form, title=_("Who plays"), stage=row),
    )


@signed_in_form
def tie_break(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Have those who share a place at the cut play a hand."""
    row, uid = get_stage(request, stage), new_uid(request, "tie-break")
    attempt = attempt_action(
        request, actions.plan_tie_break, row.tournament.uid, stage=row.uid, tie_break=uid
    )
    if attempt.receipt:
        return attempt.answer(reverse("organise-stage", args=[uid]), HttpResponse)
    return stage_answer(request, row, attempt)


def _others(tournament: Tournament) -> list[Stage]:
    return list(Stage.objects.filter(tournament=tournament).order_by("number"))


def _page(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, form: SourceForm, **more: Any
) -> HttpResponse:
    return page(
        request,
        "organiser/source.html",
        tournament,
        status=attempt.status,
        section="events",
        form=form,
        command=uuid4(),
        **more,
    )
