"""The evening's programme: times and tables of each part, published with changes marked, moved when it runs late."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.forms.fields import local_time
from tournament.forms.programme import ProgrammeForm
from tournament.models import Tournament
from tournament.pages.errors import problems
from tournament.queries.programme import Late, late
from tournament.queries.programme import programme as programme_of
from tournament.views._access import get_tournament, signed_in
from tournament.views._answer import OK, UNPROCESSABLE, Attempt, attempt_action, page, receipt_of, saved
from tournament.views.organiser.levels import plays_levels


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def programme(request: HttpRequest, slug: str) -> HttpResponse:
    """The programme; POST changes what was typed anew, and writes nothing where that is nothing."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return _page(request, tournament)
    form = ProgrammeForm.read(programme_of(tournament).parts, tournament.zone, request.POST.dict())
    if not form.valid:
        return _page(request, tournament, form=form, status=UNPROCESSABLE)
    if not form.plans:
        return redirect("organise-programme", slug=tournament.slug)
    attempt = attempt_action(request, actions.set_programme, tournament.uid, stages=form.plans)
    return _answer(request, tournament, attempt, form)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the programme to everybody."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return _page(request, tournament)
    return _answer(request, tournament, attempt_action(request, actions.publish_programme, tournament.uid))


def _answer(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, form: ProgrammeForm | None = None
) -> HttpResponse:
    if attempt.receipt:
        return saved(reverse("organise-programme", args=[tournament.slug]), attempt.receipt)
    return _page(request, tournament, form=form, attempt=attempt, status=attempt.status)


def _page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    form: ProgrammeForm | None = None,
    attempt: Attempt | None = None,
    status: int = OK,
) -> HttpResponse:
    now = programme_of(tournament)
    runs = late(now.parts, timezone.now())
    context = {
        "section": "events",
        "programme": now,
        "form": form or ProgrammeForm.of(now.parts, tournament.zone),
        "along": request.method != "POST" or "along" in request.POST,
        "late": runs,
        "moves": moves_of(runs, tournament) if runs else [],
        "levels": plays_levels(tournament),
        "errors": problems(attempt.faults, {}) if attempt else [],
        "command": uuid4(),
        "at": receipt_of(request, tournament),
    }
    return page(request, "organiser/programme.html", context, tournament, status=status)


def moves_of(runs: Late, tournament: Tournament) -> list[tuple[str, str]]:
    """The fields of the form above for the moved parts."""
    fields: list[tuple[str, str]] = []
    for part, plan in runs.moves:
        fields.append((f"starts_at-{part.stage.uid}", local_time(plan.starts_at, tournament.zone)))
        if plan.minutes is not None:
            fields.append((f"minutes-{part.stage.uid}", str(plan.minutes)))
    return fields
