"""A season's page, print and workbook; an organiser's seasons."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from tournament import actions
from tournament.extras.season.actions import put_in_season, remove_season, set_season, start_season
from tournament.extras.season.forms import SeasonForm, StartForm
from tournament.extras.season.pages import season_page
from tournament.extras.season.queries.seasons import SeasonTable, season_table
from tournament.live.pages import published_page
from tournament.models import Season, SeasonEvening, Tournament, User
from tournament.permissions import runs_organiser
from tournament.views import (
    attempt_action,
    attempt_form,
    get_tournament,
    new_uid,
    page,
    receipt_of,
    signed_in_form,
    signed_in_page,
    user_of,
)

# Size of letters, most rows and evenings of a page.
PRINT_SIZES = {"large": (18, 4), "medium": (30, 7), "small": (45, 11)}
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_safe
def season(request: HttpRequest, organiser: UUID, season: UUID, template: str) -> HttpResponse:
    """Standings with each evening's result; published if public."""
    found = _found(request, organiser, season)
    shown = season_page(found, organises=not found.season.public)
    rows, columns = len(shown.lines), len(shown.evenings)
    fits = (size for size, (high, wide) in PRINT_SIZES.items() if rows <= high and columns <= wide)
    context = {"shown": shown, "organiser": found.season.organiser, "size": next(fits, "tiny")}
    if not found.season.public:
        return render(request, template, context)
    return published_page(
        request, template, context, scope=str(found.season.organiser.uid), version=found.version
    )


@require_safe
def workbook(request: HttpRequest, organiser: UUID, season: UUID) -> HttpResponse:
    """Standings in Excel."""
    found = _found(request, organiser, season)
    from tournament.extras.season.files import write_season  # imports XlsxWriter

    file = BytesIO()
    write_season(found, file)
    name = slugify(found.season.name) or "season"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.xlsx"',
        "Cache-Control": "private, no-cache",
    }
    return HttpResponse(file.getvalue(), content_type=XLSX, headers=headers)


def _found(request: HttpRequest, organiser: UUID, season: UUID) -> SeasonTable:
    """The season. Raises Http404 if the reader may not see it."""
    found = season_table(season)
    if found is None or found.season.organiser.uid != organiser:
        raise Http404
    # A public page is published: it may not ask who reads it.
    if not found.season.public and not (
        isinstance(request.user, User) and runs_organiser(request.user, found.season.organiser)
    ):
        raise Http404
    return found


# ---- Organisers ----


@signed_in_form
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """Seasons of the event's organiser; POST starts one."""
    tournament = _own(request, slug)
    form = StartForm(request.POST or None)
    uid = new_uid(request, "season")
    attempt = attempt_form(
        request, form, start_season, tournament.uid, lambda: {**form.cleaned_data, "season": uid}
    )
    return attempt.answer(
        reverse("organise-season", args=[slug, uid]), partial(_list, request, tournament, form, attempt)
    )


@signed_in_form
def change(request: HttpRequest, slug: str, season: UUID) -> HttpResponse:
    """The season's rule and evenings."""
    tournament = _own(request, slug)
    row = get_object_or_404(Season, uid=season, organiser=tournament.organiser_id)
    events = list(
        Tournament.objects.visible()
        .filter(organiser=tournament.organiser_id, rehearsal=False)
        .order_by("-starts_on", "-pk")
    )
    form = SeasonForm(row, events, request.POST or None)
    attempt = attempt_form(
        request, form, set_season, tournament.uid, lambda: {**form.cleaned_data, "season": row.uid}
    )
    return attempt.answer(
        request.path, lambda: _season(request, tournament, row, form=form, status=attempt.status)
    )


@signed_in_form
def put_in(request: HttpRequest, slug: str, season: UUID) -> HttpResponse:
    """Make the event an evening of the season, or no longer one (POST `belongs`)."""
    return _act(request, slug, put_in_season, season=season, belongs=bool(request.POST.get("belongs")))


@signed_in_form
def remove(request: HttpRequest, slug: str, season: UUID) -> HttpResponse:
    """Remove the season, once asked."""
    if request.method == "POST":
        return _act(request, slug, remove_season, season=season)
    tournament = _own(request, slug)
    row = get_object_or_404(Season, uid=season, organiser=tournament.organiser_id)
    return page(request, "season/remove.html", tournament, section="events", season=row, command=uuid4())


@signed_in_page
def next_evening(request: HttpRequest, organiser: UUID, season: UUID) -> HttpResponse:
    """Redirect to copying the season's newest evening. Raises Http404 without one."""
    newest = (
        Tournament.objects.visible()
        .filter(seasons__uid=season, organiser__uid=organiser)
        .order_by("starts_on", "pk")
        .last()
    )
    if newest is None or not runs_organiser(user_of(request), newest.organiser):
        raise Http404
    return redirect("organise-copy", newest.slug)


def _own(request: HttpRequest, slug: str) -> Tournament:
    """The organiser's event. Raises PermissionDenied for organisers of this event alone."""
    tournament = get_tournament(request, slug)
    if not runs_organiser(user_of(request), tournament.organiser):
        raise PermissionDenied
    return tournament


def _act(
    request: HttpRequest, slug: str, action: Callable[..., actions.Receipt], **arguments: Any
) -> HttpResponse:
    tournament = _own(request, slug)
    attempt = attempt_action(request, action, tournament.uid, **arguments)
    again = partial(_list, request, tournament, StartForm(), attempt)
    return attempt.answer_button(request, reverse("organise-seasons", args=[slug]), again)


def _list(request: HttpRequest, tournament: Tournament, form: StartForm, attempt: Any) -> HttpResponse:
    belongs = set(SeasonEvening.objects.filter(tournament=tournament).values_list("season", flat=True))
    rows = Season.objects.filter(organiser=tournament.organiser_id).select_related("organiser")
    return page(
        request,
        "season/seasons.html",
        tournament,
        status=attempt.status,
        section="events",
        seasons=[(row, row.pk in belongs, uuid4()) for row in rows],
        form=form,
        errors=attempt.context()["errors"],
        command=uuid4(),
        at=receipt_of(request, tournament),
    )


def _season(
    request: HttpRequest, tournament: Tournament, row: Season, *, form: SeasonForm, status: int
) -> HttpResponse:
    found = season_table(row.uid)
    return page(
        request,
        "season/change.html",
        tournament,
        status=status,
        section="events",
        season=row,
        form=form,
        notes=season_page(found, organises=True).notes if found else [],
        evenings=len(found.evenings) if found else 0,
        command=uuid4(),
        at=receipt_of(request, tournament),
    )
