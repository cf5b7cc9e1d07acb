"""Who goes through: seat a stage from its heats, choose what a corrected heat means for it, name and call reserves."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.forms.through import FillForm, read_reserves
from tournament.models import Stage
from tournament.queries.advancing import level_of
from tournament.results.faults import Fault
from tournament.results.typed import Typed, uuid_or_none
from tournament.views._access import get_stage, signed_in
from tournament.views._answer import Attempt, attempt_action, reason_of, refused
from tournament.views.organiser._stage_page import stage_answer, to_stage

NO_HEATS = Fault("heats_not_finished", "/stage")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def fill(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Seat those who go through from the heats, and those whom people let through."""
    row = get_stage(request, stage)
    level = level_of(row)
    if request.method != "POST":
        return to_stage(row)
    if level is None:
        return stage_answer(request, row, refused(NO_HEATS))
    form = FillForm.read(level, request.POST)
    if form.faults:
        return stage_answer(request, row, refused(*form.faults), form)
    attempt = attempt_action(request, actions.fill_stage, row.tournament.uid, stage=row.uid, **form.arguments)
    form.faults = list(attempt.faults)
    return stage_answer(request, row, attempt, form)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest, stage: UUID) -> HttpResponse:
    """What a corrected heat means for who sits here. `choice` is `keep`, or `swap` or `anew` with who goes out and who
    enters behind colons: `swap:<entry>:<entry>`."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return to_stage(row)
    what, *who = request.POST.get("choice", "").split(":")
    uids = [uuid_or_none(text) if text else None for text in who]
    if what == "keep":
        attempt = attempt_action(
            request, actions.keep_finalists, row.tournament.uid, stage=row.uid, reason=reason_of(request)
        )
    elif what in {"swap", "anew"} and len(uids) == 2 and uids[0]:
        attempt = attempt_action(
            request,
            actions.swap_finalist,
            row.tournament.uid,
            stage=row.uid,
            out=uids[0],
            enters=uids[1],
            reason=reason_of(request),
            anew=what == "anew",
        )
    else:
        attempt = refused(Fault("malformed", "/choice"))
    return stage_answer(request, row, attempt)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def call(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Give a free seat to the player chosen."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return to_stage(row)
    return stage_answer(request, row, _call(request, row))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def reserves(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Say who is in reserve, in the order of the numbers typed."""
    row = get_stage(request, stage)
    level = level_of(row)
    if request.method != "POST":
        return to_stage(row)
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


def _call(request: HttpRequest, row: Stage) -> Attempt:
    entry = uuid_or_none(request.POST.get("entry", ""))
    if entry is None:
        return refused(Fault("nobody_chosen", "/entry"))
    return attempt_action(
        request,
        actions.call_reserve,
        row.tournament.uid,
        stage=row.uid,
        entry=entry,
        reason=reason_of(request),
    )
