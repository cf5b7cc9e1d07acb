"""The programme: levels, times, tables, publishing, delays."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from rulesets import RULESETS
from tournament import actions
from tournament.forms.events import EveningForm
from tournament.forms.programme import ProgrammeForm
from tournament.models import Stage, Tournament
from tournament.pages.errors import problems
from tournament.queries.programme import Late, late, programme as programme_of
from tournament.views import (
    Attempt,
    asks_for_part,
    attempt_action,
    attempt_call,
    command_of,
    get_tournament,
    page,
    receipt_of,
    refused,
    signed_in_form,
    unchanged,
)


@signed_in_form
def programme(request: HttpRequest, slug: str) -> HttpResponse:
    """The programme; POST stores changed parts."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return _page(request, tournament, Attempt())
    form = ProgrammeForm.read(programme_of(tournament).parts, tournament.zone, request.POST.dict())
    if not form.valid:
        return _page(request, tournament, refused(), form)
    if not form.plans:
        return unchanged(request).answer(_address(tournament), HttpResponse)
    attempt = attempt_action(request, actions.set_programme, tournament.uid, stages=form.plans)
    return attempt.answer(_address(tournament), lambda: _page(request, tournament, attempt, form))


@signed_in_form
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = get_tournament(request, slug)
    attempt = attempt_action(request, actions.publish_programme, tournament.uid)
    return attempt.answer(_address(tournament), lambda: _page(request, tournament, attempt))


@signed_in_form
def levels(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview levels and times, as typed (POST `look`) or in the address; another POST stores them."""
    tournament = get_tournament(request, slug)
    if not plays_levels(tournament):
        return page(request, "organiser/levels_none.html", tournament, section="events")
    data = request.POST if request.method == "POST" else request.GET
    form = EveningForm(tournament, data.dict())
    attempt = _planned(request, tournament, form)

    def again() -> HttpResponse:
        whole = not asks_for_part(request)
        context = {
            "section": "events",
            "form": form,
            "planned": form.planned,
            "errors": problems(attempt.faults, {}),
            "command": uuid4(),
        }
        template = "organiser/levels.html" if whole else "organiser/_levels_plan.html"
        return page(request, template, tournament, status=attempt.status, **context)

    return attempt.answer(_address(tournament), again)


def plays_levels(tournament: Tournament) -> bool:
    """Whether the ruleset has heats."""
    return "heats" in RULESETS[tournament.ruleset].kinds


def _planned(request: HttpRequest, tournament: Tournament, form: EveningForm) -> Attempt:
    valid = form.is_valid()  # sets `planned`, also on a GET
    if request.method != "POST" or "look" in request.POST:
        return Attempt()
    if not valid:
        return refused()
    return attempt_call(
        lambda: actions.set_levels(
            command_of(request), tournament.uid, levels=form.arguments(command_of(request).id)
        )
    )


def _address(tournament: Tournament) -> str:
    return reverse("organise-programme", args=[tournament.slug])


def _page(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, form: ProgrammeForm | None = None
) -> HttpResponse:
    now = programme_of(tournament)
    runs = late(now.parts, timezone.now())
    return page(
        request,
        "organiser/programme.html",
        tournament,
        status=attempt.status,
        section="events",
        programme=now,
        form=form or ProgrammeForm.of(now.parts, tournament.zone),
        along=request.method != "POST" or "along" in request.POST,
        late=runs,
        over=all(part.stage.state == Stage.State.FINISHED for part in now.parts),
        moves=moves_of(runs) if runs else [],
        levels=plays_levels(tournament),
        errors=problems(attempt.faults, {}),
        command=uuid4(),
        at=receipt_of(request, tournament),
    )


def moves_of(runs: Late) -> list[tuple[str, str]]:
    """Form fields that move late parts."""
    fields: list[tuple[str, str]] = []
    for part, plan in runs.moves:
        assert plan.starts_at  # only timed parts are late
        fields.append((f"starts_at-{part.stage.uid}", plan.starts_at.isoformat(timespec="seconds")))
        if plan.minutes is not None:
            fields.append((f"minutes-{part.stage.uid}", str(plan.minutes)))
    return fields
