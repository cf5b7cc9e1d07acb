"""A rehearsal is put away when it is over, and brought back from my events."""

from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.models import Tournament
from tournament.permissions import may
from tournament.views._access import signed_in, user_of
from tournament.views._answer import Attempt, attempt_action, page, saved


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def put_away(request: HttpRequest, tournament: UUID) -> HttpResponse:
    """Put the rehearsal away; my events lists it then below the others."""
    row = _own(request, tournament)
    if request.method != "POST":
        return _to_event(row)
    attempt = attempt_action(request, actions.put_away, row.uid)
    if attempt.receipt:
        return redirect(reverse("organise") + "#put-away")
    return refused(request, row, attempt)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def bring_back(request: HttpRequest, tournament: UUID) -> HttpResponse:
    """Show a rehearsal again that was put away."""
    row = _own(request, tournament)
    if request.method != "POST":
        return _to_event(row)
    attempt = attempt_action(request, actions.bring_back, row.uid)
    if attempt.receipt:
        row.refresh_from_db()
        return saved(reverse("organise-board", args=[row.slug]), attempt.receipt)
    return refused(request, row, attempt)


def _own(request: HttpRequest, uid: UUID) -> Tournament:
    """The tournament of that uid, also one that was put away, whose address is another by then."""
    row = Tournament.objects.filter(uid=uid).first()
    if row is None or not may(user_of(request), "bring_back", row):
        raise Http404
    return row


def _to_event(row: Tournament) -> HttpResponse:
    """For an address that only takes a POST, opened after signing in again or by a reload."""
    return redirect("organise") if row.put_away else redirect("organise-board", slug=row.slug)


def refused(request: HttpRequest, tournament: Tournament, attempt: Attempt) -> HttpResponse:
    """Why a button did nothing, with the way back."""
    context = {"section": "events", "command": uuid4(), **attempt.context()}
    return page(request, "organiser/put_away_refused.html", context, tournament, status=attempt.status)
