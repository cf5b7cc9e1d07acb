"""Plan the evening: the levels from the number of players, with their times; stored when somebody uses the plan."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from rulesets import RULESETS
from tournament import actions
from tournament.actions import Receipt
from tournament.forms.evening import EveningForm
from tournament.models import Tournament
from tournament.pages.errors import problems
from tournament.views._access import get_tournament, signed_in
from tournament.views._answer import OK, UNPROCESSABLE, Attempt, attempt_call, command_of, page, saved


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def levels(request: HttpRequest, slug: str) -> HttpResponse:
    """GET shows the plan that follows from what is typed; POST makes it the event's."""
    tournament = get_tournament(request, slug)
    if not plays_levels(tournament):
        return page(request, "organiser/levels_none.html", {"section": "events"}, tournament)
    if request.method != "POST":
        return _page(request, tournament, EveningForm(tournament, request.GET.dict()))
    form = EveningForm(tournament, request.POST.dict())
    if not form.is_valid():
        return _page(request, tournament, form, status=UNPROCESSABLE)
    attempt = _planned(request, tournament, form)
    if attempt.receipt:
        return saved(reverse("organise-programme", args=[tournament.slug]), attempt.receipt)
    return _page(request, tournament, form, attempt=attempt, status=attempt.status)


def plays_levels(tournament: Tournament) -> bool:
    """Whether the ruleset has heats that lead to a final."""
    return "heats" in RULESETS[tournament.ruleset].kinds


def _planned(request: HttpRequest, tournament: Tournament, form: EveningForm) -> Attempt:
    def call() -> Receipt:
        command = command_of(request)
        return actions.set_levels(command, tournament.uid, levels=form.arguments(command.id))

    return attempt_call(call)


def _page(
    request: HttpRequest,
    tournament: Tournament,
    form: EveningForm,
    *,
    attempt: Attempt | None = None,
    status: int = OK,
) -> HttpResponse:
    form.is_valid()  # cleaning makes `planned`
    context = {
        "section": "events",
        "form": form,
        "planned": form.planned,
        "errors": problems(attempt.faults, {}) if attempt else [],
        "command": uuid4(),
    }
    template = "organiser/_levels_plan.html" if request.headers.get("HX-Request") else "organiser/levels.html"
    return page(request, template, context, tournament, status=status)
