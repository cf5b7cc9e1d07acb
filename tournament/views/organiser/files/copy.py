"""Another event like one that exists: next year's, or a rehearsal of one that is planned."""

import re
from datetime import date, timedelta
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.forms.events import CopyForm
from tournament.forms.fields import add_faults
from tournament.models import Tournament
from tournament.views._access import get_tournament, signed_in
from tournament.views._answer import OK, UNPROCESSABLE, attempt_call, command_of, page, saved
from tournament.views.organiser.rehearsal import refused
from tournament.words.zones import home_today

YEAR = timedelta(weeks=52)  # the same day of the week


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Copy this event: its name, date, and whether its people come along."""
    source = get_tournament(request, slug)
    status = OK
    if request.method == "POST":
        form = CopyForm(request.POST)
        status = UNPROCESSABLE
        if form.is_valid():
            attempt = attempt_call(
                lambda: actions.copy_event(command_of(request), source.uid, **form.cleaned_data)
            )
            if attempt.receipt:
                made = Tournament.objects.get(uid=command_of(request).id)
                return saved(reverse("organise-board", args=[made.slug]), attempt.receipt)
            add_faults(form, attempt.faults)
            status = attempt.status
    else:
        form = CopyForm(initial=_next_time(source))
    context = {"section": "events", "form": form, "command": uuid4()}
    return page(request, "organiser/copy.html", context, source, status=status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def rehearse(request: HttpRequest, slug: str) -> HttpResponse:
    """Rehearse this event in one tap: a copy of it, with its people, that is put away afterwards."""
    source = get_tournament(request, slug)
    if request.method != "POST":  # opened after signing in again, or by a reload
        return redirect("organise-board", slug=slug)
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
    return refused(request, source, attempt)


def _next_time(source: Tournament) -> dict[str, object]:
    """A year later on the same day of the week, and in time to come; the year in the name goes along."""
    day = source.starts_on + YEAR
    while day < home_today():
        day += YEAR
    return {"name": _with_year(source.name, source.starts_on, day), "starts_on": day}


def _with_year(name: str, was: date, now: date) -> str:
    return re.sub(rf"(?<!\d){was.year}(?!\d)", str(now.year), name)
