"""Put events away, bring back, delete; rehearse a copy."""

from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from tournament import actions
from tournament.files.workbook.cache import take_away_all
from tournament.models import Tournament
from tournament.permissions import may
from tournament.results import Refused
from tournament.views import (
    Attempt,
    attempt_action,
    attempt_call,
    command_of,
    get_tournament,
    page,
    refused,
    saved,
    signed_in_form,
    user_of,
)


@signed_in_form
def rehearse(request: HttpRequest, slug: str) -> HttpResponse:
    """Rehearse a copy with its people."""
    source = get_tournament(request, slug)
    if request.method != "POST":
        return _to_event(source)
    attempt = attempt_call(
        lambda: actions.copy_event(
            command_of(request),
            source.uid,
            name=source.name,
            starts_on=source.starts_on,
            players=True,
            roles=True,
            rehearsal=True,
        )
    )
    if attempt.receipt:
        made = Tournament.objects.get(uid=command_of(request).id)
        return saved(reverse("organise-board", args=[made.slug]), attempt.receipt)
    return _refused(request, source, attempt)


@signed_in_form
def put_away(request: HttpRequest, tournament: UUID) -> HttpResponse:
    """Put away: listed below my events."""
    row = _own(request, tournament)
    if request.method != "POST":
        return _to_event(row)
    attempt = attempt_action(request, actions.put_away, row.uid)
    done = reverse("organise") + "#put-away"
    return redirect(done) if attempt.receipt else _refused(request, row, attempt)


@signed_in_form
def bring_back(request: HttpRequest, tournament: UUID) -> HttpResponse:
    row = _own(request, tournament)
    if request.method != "POST":
        return _to_event(row)
    attempt = attempt_action(request, actions.bring_back, row.uid)
    row.refresh_from_db()
    return attempt.answer(reverse("organise-board", args=[row.slug]), lambda: _refused(request, row, attempt))


@signed_in_form
def delete(request: HttpRequest, tournament: UUID) -> HttpResponse:
    """Preview; POST deletes an unplayed event. A deleted one redirects, so a repeated POST is harmless."""
    row = Tournament.objects.filter(uid=tournament).first()
    if row is None:
        return redirect("organise")
    if not may(user_of(request), "put_away", row):
        raise Http404
    if request.method == "POST":
        try:
            actions.delete_event(command_of(request), row)
        except Refused as played:
            return _refused(request, row, refused(*played.faults))
        take_away_all(row.uid)
        return redirect("organise")
    return page(
        request,
        "organiser/delete.html",
        row,
        section="events",
        command=uuid4(),
        was_played=row.was_played(),
        goes={
            "players": row.entries.count(),
            "stages": row.stages.count(),
            "roles": row.memberships.exclude(user=user_of(request)).count(),
        },
    )


def _own(request: HttpRequest, uid: UUID) -> Tournament:
    """The tournament, also if put away, which changes its address."""
    row = Tournament.objects.filter(uid=uid).first()
    if row is None or not may(user_of(request), "bring_back", row):
        raise Http404
    return row


def _to_event(row: Tournament) -> HttpResponse:
    """Redirect a GET of a POST address (reload, sign-in)."""
    return redirect("organise") if row.put_away else redirect("organise-board", slug=row.slug)


def _refused(request: HttpRequest, tournament: Tournament, attempt: Attempt) -> HttpResponse:
    return page(
        request,
        "organiser/put_away_refused.html",
        tournament,
        status=attempt.status,
        section="events",
        command=uuid4(),
        **attempt.context(),
    )
