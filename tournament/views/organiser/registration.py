"""Registration: settings, applicants, waiting list, poster, badges."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from tournament import actions
from tournament.forms.fields import add_faults
from tournament.forms.registration import QuestionsForm, RegistrationForm
from tournament.models import Entry, Tournament
from tournament.permissions import may
from tournament.queries.people import erased_among
from tournament.queries.registration import answered, check_in_off_day, is_open, places_taken, registration_of
from tournament.results import uuid_or_none
from tournament.server.venue import public_address, qr_svg
from tournament.views import (
    Attempt,
    Role,
    attempt_action,
    attempt_form,
    get_entry,
    get_tournament,
    page,
    reason_of,
    receipt_of,
    refused,
    signed_in_form,
    signed_in_page,
    unchanged,
    user_of,
)
from tournament.views.organiser.on_paper import paper_context
from tournament.views.organiser.players import names_of

State = Entry.State


@signed_in_form
def registration(request: HttpRequest, slug: str) -> HttpResponse:
    """Requests, also for head referees; POST stores settings (organisers)."""
    tournament = get_tournament(
        request, slug, Role.ORGANISER if request.method == "POST" else Role.HEAD_REFEREE
    )
    with timezone.override(tournament.zone):
        form = RegistrationForm(registration_of(tournament), request.POST or None)
        attempt = attempt_form(request, form, actions.set_registration, tournament.uid)
    typed = form if request.method == "POST" else None
    return attempt.answer(_address(tournament), lambda: _page(request, tournament, attempt, typed))


@signed_in_form
def approve(request: HttpRequest, slug: str) -> HttpResponse:
    """Approve one applicant or all shown."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    return _answer(
        request,
        tournament,
        actions.approve_entries,
        entries=[uid for text in request.POST.getlist("entry") if (uid := uuid_or_none(text))],
    )


@signed_in_form
def decline(request: HttpRequest, entry: UUID) -> HttpResponse:
    """Decline an applicant, with an optional reason."""
    row = get_entry(request, entry)
    return _answer(request, row.tournament, actions.decline_entry, entry=row.uid, reason=reason_of(request))


@signed_in_form
def take(request: HttpRequest, entry: UUID) -> HttpResponse:
    """Let a player in from the waiting list, or after a cancellation."""
    row = get_entry(request, entry)
    return _answer(request, row.tournament, actions.take_from_waiting, entry=row.uid)


@signed_in_form
def renew(request: HttpRequest, entry: UUID) -> HttpResponse:
    """Revoke a player's links; their page shows the new one."""
    row = get_entry(request, entry)
    attempt = attempt_action(request, actions.renew_link, row.tournament.uid, entry=row.uid)
    for problem in attempt.context(names_of([row]))["errors"]:
        messages.error(request, problem.text)
    url = reverse("organise-player", args=[row.uid])
    return attempt.answer(url, lambda: redirect(url))


@signed_in_page
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    row = registration_of(tournament)
    return page(
        request,
        "organiser/registration_poster.html",
        tournament,
        **paper_context(request, tournament),
        registration=row,
        open=is_open(row, timezone.now()),
        **_join_address(request, tournament),
    )


@signed_in_page
def badges(request: HttpRequest, slug: str) -> HttpResponse:
    """Badges; the code holds only the public id."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    entries = Entry.objects.filter(tournament=tournament).to_seat().order_by("start_number")
    erased = erased_among(tournament, entries)
    return page(
        request,
        "organiser/badges.html",
        tournament,
        **paper_context(request, tournament),
        badges=[
            (entry, qr_svg(public_address(request, reverse("short-badge", args=[entry.uid]))))
            for entry in entries
            if str(entry.uid) not in erased
        ],
    )


def _answer(
    request: HttpRequest, tournament: Tournament, action: Callable[..., actions.Receipt], **arguments: Any
) -> HttpResponse:
    attempt = attempt_action(request, action, tournament.uid, **arguments)
    return attempt.answer_button(request, _address(tournament), lambda: _page(request, tournament, attempt))


def _address(tournament: Tournament) -> str:
    return reverse("organise-registration", args=[tournament.slug])


def _page(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, form: RegistrationForm | None = None
) -> HttpResponse:
    user = user_of(request)
    row = registration_of(tournament)
    asking = list(
        Entry.objects.filter(tournament=tournament, state__in=Entry.ASKING).order_by("start_number")
    )
    organises = may(user, "set_registration", tournament)
    if form is None and organises:
        with timezone.override(tournament.zone):
            form = RegistrationForm.of(row, user)
    return page(
        request,
        "organiser/registration.html",
        tournament,
        status=attempt.status,
        section="events",
        registration=row,
        open=is_open(row, timezone.now()),
        off_day=check_in_off_day(row),
        questions=len(row.questions),
        taken=places_taken(tournament),
        organises=organises,
        form=form if organises else None,
        applied=[(entry, uuid4()) for entry in asking if entry.state == State.APPLIED],
        line=[(entry, uuid4()) for entry in asking if entry.state == State.WAITING],
        cancelled=[(entry, uuid4()) for entry in asking if entry.state == State.CANCELLED],
        command=(form and form.is_bound and uuid_or_none(request.POST.get("command", ""))) or uuid4(),
        at=receipt_of(request, tournament),
        **_join_address(request, tournament),
        **attempt.context(names_of(asking)),
    )


def _join_address(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    address = public_address(request, reverse("short-join", args=[tournament.slug]))
    return {
        "address": address,
        "shown_address": address.partition("://")[2].rstrip("/"),
        "address_steps": address.partition("://")[2].rstrip("/").split("/"),
        "qr": qr_svg(address),
    }


# ---- Organisers' questions for registration ----


@signed_in_form
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    """Up to three questions; POST stores them."""
    tournament = get_tournament(request, slug)
    rows = registration_of(tournament).questions
    form = QuestionsForm(tournament, rows, request.POST or None)
    attempt = Attempt() if request.method != "POST" else refused()
    if form.is_valid() and not form.has_changed():
        attempt = unchanged(request)
    elif form.is_valid():
        attempt = attempt_action(request, actions.set_questions, tournament.uid, **form.arguments())
        add_faults(form, [replace(fault, path=f"/{form.field_of(fault.path)}") for fault in attempt.faults])
    counts = answered(tournament, [row["id"] for row in rows])
    return attempt.answer(
        reverse("organise-questions", args=[slug]),
        lambda: page(
            request,
            "organiser/questions.html",
            tournament,
            status=attempt.status,
            section="events",
            form=form,
            answered=max(counts.values(), default=0),
            command=uuid_or_none(request.POST.get("command", "")) or uuid4(),
            at=receipt_of(request, tournament),
        ),
    )
