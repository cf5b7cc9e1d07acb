"""How players register: set up, opened and closed; who asks, who waits, who cancelled; the sheet with the code to
project or print; badges."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from tournament import actions
from tournament.actions import Receipt
from tournament.forms.fields import add_faults
from tournament.forms.registration import RegistrationForm
from tournament.models import Entry, Membership, Tournament
from tournament.permissions import may
from tournament.queries.registration import is_open, places_taken, registration_of
from tournament.results.typed import uuid_or_none
from tournament.server.venue import public_address, qr_svg
from tournament.views._access import get_entry, get_tournament, signed_in, user_of
from tournament.views._answer import (
    OK,
    UNPROCESSABLE,
    Attempt,
    attempt_action,
    page,
    reason_of,
    receipt_of,
    saved,
)
from tournament.views._paper_size import paper_context
from tournament.views.organiser.players import names_of

Role = Membership.Role
State = Entry.State


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def registration(request: HttpRequest, slug: str) -> HttpResponse:
    """Who asks and waits, for head referees too; how players register, for organisers. POST sets it; the button that
    was pressed says whether it is open."""
    least = Role.ORGANISER if request.method == "POST" else Role.HEAD_REFEREE
    tournament = get_tournament(request, slug, least)
    if request.method != "POST":
        return _page(request, tournament)
    with timezone.override(tournament.zone):
        form = RegistrationForm(request.POST)
        valid = form.is_valid()
    if not valid:
        return _page(request, tournament, form=form, status=UNPROCESSABLE)
    attempt = attempt_action(
        request,
        actions.set_registration,
        tournament.uid,
        opened=request.POST.get("opened") == "1",
        **form.cleaned_data,
    )
    if attempt.receipt:
        return saved(reverse("organise-registration", args=[slug]), attempt.receipt)
    add_faults(form, attempt.faults)
    return _page(request, tournament, form=form, status=attempt.status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def approve(request: HttpRequest, slug: str) -> HttpResponse:
    """Yes to the player of the form, or to everybody whom the page showed as asking."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    entries = [uid for text in request.POST.getlist("entry") if (uid := uuid_or_none(text))]
    return _answer(request, tournament, actions.approve_entries, entries=entries)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def decline(request: HttpRequest, entry: UUID) -> HttpResponse:
    """No to one who asks or waits, with a reason if there is one to keep."""
    row = get_entry(request, entry)
    return _answer(request, row.tournament, actions.decline_entry, entry=row.uid, reason=reason_of(request))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def take(request: HttpRequest, entry: UUID) -> HttpResponse:
    """One of the waiting list, or who cancelled, takes part now."""
    row = get_entry(request, entry)
    return _answer(request, row.tournament, actions.take_from_waiting, entry=row.uid)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def renew(request: HttpRequest, entry: UUID) -> HttpResponse:
    """End the own links of one player that were given out; the player's page shows the new one."""
    row = get_entry(request, entry)
    if request.method == "POST":
        attempt = attempt_action(request, actions.renew_link, row.tournament.uid, entry=row.uid)
        if attempt.receipt:
            return saved(reverse("organise-player", args=[row.uid]), attempt.receipt)
        for problem in attempt.context(names_of([row]))["errors"]:
            messages.error(request, problem.text)
    return redirect("organise-player", entry=row.uid)


@signed_in
@require_safe
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """The short address and its code, large: to project or to print."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    row = registration_of(tournament)
    context = {
        "section": "events",
        "registration": row,
        "open": is_open(row, timezone.now()),
        **_join_address(request, tournament),
    }
    return page(request, "organiser/registration_poster.html", context, tournament)


@signed_in
@require_safe
def badges(request: HttpRequest, slug: str) -> HttpResponse:
    """A badge for everybody who takes part, several a sheet; its code carries the public id alone."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    entries = Entry.objects.filter(tournament=tournament).to_seat().order_by("start_number")
    rows = [
        (entry, qr_svg(public_address(request, reverse("short-badge", args=[entry.uid]))))
        for entry in entries
    ]
    context = {**paper_context(request, tournament), "badges": rows}
    return page(request, "organiser/badges.html", context, tournament)


def _answer(
    request: HttpRequest, tournament: Tournament, action: Callable[..., Receipt], **arguments: Any
) -> HttpResponse:
    url = reverse("organise-registration", args=[tournament.slug])
    if request.method != "POST":
        return redirect(url)
    attempt = attempt_action(request, action, tournament.uid, **arguments)
    if attempt.receipt:
        return saved(url, attempt.receipt)
    return _page(request, tournament, attempt=attempt, status=attempt.status)


def _page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    form: RegistrationForm | None = None,
    attempt: Attempt | None = None,
    status: int = OK,
) -> HttpResponse:
    user = user_of(request)
    row = registration_of(tournament)
    asking = list(
        Entry.objects.filter(tournament=tournament, state__in=Entry.ASKING).order_by("start_number")
    )
    organises = may(user, "set_registration", tournament)
    if form is None and organises:
        form = RegistrationForm(initial=RegistrationForm.of(row, user))
    context = {
        "section": "events",
        "registration": row,
        "open": is_open(row, timezone.now()),
        "taken": places_taken(tournament),
        "organises": organises,
        "form": form if organises else None,
        "applied": [(entry, uuid4()) for entry in asking if entry.state == State.APPLIED],
        "line": [(entry, uuid4()) for entry in asking if entry.state == State.WAITING],
        "cancelled": [(entry, uuid4()) for entry in asking if entry.state == State.CANCELLED],
        "command": uuid_or_none(request.POST.get("command", "")) if form and form.is_bound else None,
        "at": receipt_of(request, tournament),
        **_join_address(request, tournament),
        **(attempt.context(names_of(asking)) if attempt else {}),
    }
    context["command"] = context["command"] or uuid4()
    return page(request, "organiser/registration.html", context, tournament, status=status)


def _join_address(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """The short address of the form, and its code."""
    address = public_address(request, reverse("short-join", args=[tournament.slug]))
    return {
        "address": address,
        "shown_address": address.partition("://")[2].rstrip("/"),
        "address_steps": address.partition("://")[2].rstrip("/").split("/"),
        "qr": qr_svg(address),
    }
