"""Pairs who must not share a table; organisers only."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournament import actions
from tournament.forms.seats import ApartForm
from tournament.models import Apart, Entry, Tournament
from tournament.views import (
    Attempt,
    attempt_action,
    attempt_form,
    get_row,
    get_tournament,
    page,
    receipt_of,
    signed_in_form,
)
from tournament.words.text import in_alphabet


@signed_in_form
def apart(request: HttpRequest, slug: str) -> HttpResponse:
    """List pairs; POST adds one."""
    tournament = get_tournament(request, slug)
    people = _people(tournament)
    form = ApartForm(people, request.POST if request.method == "POST" else None)
    attempt = attempt_form(
        request,
        form,
        actions.keep_apart,
        tournament.uid,
        lambda: dict(zip(("first", "second"), form.pair(), strict=True)),
    )
    return attempt.answer(
        reverse("organise-apart", args=[slug]), lambda: _page(request, tournament, attempt, people, form)
    )


@signed_in_form
def no_more(request: HttpRequest, pair: UUID) -> HttpResponse:
    """Remove a pair."""
    tournament = get_row(request, Apart.objects.select_related("tournament"), uid=pair).tournament
    attempt = attempt_action(request, actions.no_longer_apart, tournament.uid, pair=pair)
    return attempt.answer_button(
        request,
        reverse("organise-apart", args=[tournament.slug]),
        lambda: _page(request, tournament, attempt, _people(tournament)),
    )


def _people(tournament: Tournament) -> list[Entry]:
    rows = Entry.objects.filter(tournament=tournament).to_seat().order_by("start_number")
    return sorted(rows, key=lambda row: in_alphabet(row.public_name, tournament.language))


def _page(
    request: HttpRequest,
    tournament: Tournament,
    attempt: Attempt,
    people: list[Entry],
    form: ApartForm | None = None,
) -> HttpResponse:
    pairs = Apart.objects.filter(tournament=tournament).select_related("first", "second")
    return page(
        request,
        "organiser/apart.html",
        tournament,
        status=attempt.status,
        section="events",
        pairs=[(pair, uuid4()) for pair in pairs],
        form=form or ApartForm(people),
        people=len(people),
        command=uuid4(),
        at=receipt_of(request, tournament),
        **attempt.context(),
    )
