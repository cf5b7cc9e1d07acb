"""Advancing: fill a stage from heats, resolve corrected heats, reserves."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse

from tournament import actions
from tournament.forms.through import FillForm, read_reserves
from tournament.queries.advancing import level_of
from tournament.results import Fault, Typed, uuid_or_none
from tournament.views import attempt_action, get_stage, reason_of, refused, signed_in_form
from tournament.views.organiser.stages import change_stage, stage_answer

NO_HEATS = Fault("no_heats", "/stage")


@signed_in_form
def fill(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Seat the advancing players."""
    row = get_stage(request, stage)
    level = level_of(row)
    if level is None:
        return stage_answer(request, row, refused(NO_HEATS))
    form = FillForm.read(level, request.POST)
    if form.faults:
        return stage_answer(request, row, refused(*form.faults), form)
    attempt = attempt_action(request, actions.fill_stage, row.tournament.uid, stage=row.uid, **form.arguments)
    form.faults = list(attempt.faults)
    return stage_answer(request, row, attempt, form)


@signed_in_form
def choose(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Resolve a corrected heat. `choice`: `keep`, `swap:<out>:<in>` or `anew:<out>:<in>` (entry uids)."""
    row, reason = get_stage(request, stage), reason_of(request)
    what, *who = request.POST.get("choice", "").split(":")
    uids = [uuid_or_none(text) if text else None for text in who]
    if what == "keep":
        return change_stage(request, row, actions.keep_finalists, reason=reason)
    if what in {"swap", "anew"} and len(uids) == 2 and uids[0]:
        out, enters = uids
        return change_stage(
            request, row, actions.swap_finalist, out=out, enters=enters, reason=reason, anew=what == "anew"
        )
    return stage_answer(request, row, refused(Fault("malformed", "/choice")))


@signed_in_form
def call(request: HttpRequest, stage: UUID) -> HttpResponse:
    row = get_stage(request, stage)
    entry = uuid_or_none(request.POST.get("entry", ""))
    if entry is None:
        return stage_answer(request, row, refused(Fault("nobody_chosen", "/entry")))
    return change_stage(request, row, actions.call_reserve, entry=entry, reason=reason_of(request))


@signed_in_form
def reserves(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Store reserves in the typed order."""
    row = get_stage(request, stage)
    level = level_of(row)
    if level is None:
        return stage_answer(request, row, refused(NO_HEATS))
    typed = Typed(request.POST.dict())
    attempt = attempt_action(
        request,
        actions.name_reserves,
        row.tournament.uid,
        stage=row.uid,
        entries=read_reserves(level, typed),
        reason=reason_of(request),
        typed=typed,
    )
    return stage_answer(request, row, attempt)
