"""One stage: its settings, start, finish, open it again."""

import re
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.forms.events import CARD_TEXTS, StageForm
from tournament.forms.fields import add_faults
from tournament.views._access import get_stage, signed_in
from tournament.views._answer import UNPROCESSABLE, attempt_action, reason_of, saved
from tournament.views.organiser._stage_page import stage_answer, stage_page, to_stage

NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def stage(request: HttpRequest, stage: UUID) -> HttpResponse:
    """The stage; POST changes its name and, until it starts, its settings."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return stage_page(request, row)
    form = StageForm(row, request.POST)
    if not form.is_valid():
        return stage_page(request, row, form=form, status=UNPROCESSABLE)
    attempt = attempt_action(
        request,
        actions.set_stage_settings,
        row.tournament.uid,
        stage=row.uid,
        settings=form.settings() if form.open else row.settings,
        card_texts=form.card_texts() if form.open else None,
        name=form.cleaned_data["name"],
    )
    if attempt.receipt:
        return saved(reverse("organise-stage", args=[row.uid]), attempt.receipt)
    add_faults(form, attempt.faults, fields=CARD_TEXTS)
    return stage_page(request, row, form=form, status=attempt.status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Start play; the settings lock."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return to_stage(row)
    return stage_answer(
        request, row, attempt_action(request, actions.start_stage, row.tournament.uid, stage=row.uid)
    )


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Finish the stage: what was entered becomes official. `without` names heats that have no result."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return to_stage(row)
    without = [int(number) for number in request.POST.getlist("without") if NUMBER.fullmatch(number)]
    attempt = attempt_action(
        request,
        actions.finish_stage,
        row.tournament.uid,
        stage=row.uid,
        without=without,
        reason=reason_of(request) if without else "",
    )
    return stage_answer(request, row, attempt)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def second_look(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Whether a second person accepts each result (`wanted`), or no longer, with a reason."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return to_stage(row)
    attempt = attempt_action(
        request,
        actions.ask_second_look,
        row.tournament.uid,
        stage=row.uid,
        wanted=request.POST.get("wanted") == "1",
        reason=reason_of(request),
    )
    return stage_answer(request, row, attempt)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def reopen(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Open a finished stage again, with a reason."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return to_stage(row)
    attempt = attempt_action(
        request,
        actions.reopen_stage,
        row.tournament.uid,
        stage=row.uid,
        reason=reason_of(request),
    )
    return stage_answer(request, row, attempt)
