"""Organisers' questions for registration."""

from dataclasses import replace
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournament import actions
from tournament.forms.fields import add_faults
from tournament.forms.questions import QuestionsForm
from tournament.queries.questions import answered
from tournament.queries.registration import registration_of
from tournament.results import uuid_or_none
from tournament.views import (
    Attempt,
    attempt_action,
    get_tournament,
    page,
    receipt_of,
    refused,
    signed_in_form,
    unchanged,
)


@signed_in_form
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    """Up to three questions, with counts of answers; POST stores them."""
    tournament = get_tournament(request, slug)
    rows = registration_of(tournament).questions
    form = QuestionsForm(tournament, rows, request.POST or None)
    attempt = Attempt() if request.method != "POST" else refused()
    if form.is_valid() and not form.has_changed():
        attempt = unchanged(request)
    elif form.is_valid():
        attempt = attempt_action(request, actions.set_questions, tournament.uid, **form.arguments())
        faults = [replace(fault, path=f"/{form.field_of(fault.path)}") for fault in attempt.faults]
        add_faults(form, faults)
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
