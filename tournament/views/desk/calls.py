"""Calls for the head referee."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse

from tournament import actions
from tournament.models import Call
from tournament.views import Attempt, attempt_action, get_table, saved, scene_at, see_other, signed_in_desk
from tournament.views.desk._page import not_done_page

# already done by another person
SAID_ALREADY = {"called_already", "answered_already", "unknown_call"}


@signed_in_desk
def call(request: HttpRequest, table: UUID) -> HttpResponse:
    """Call the head referee."""
    row = get_table(request, table)
    attempt = attempt_action(request, actions.call_referee, row.stage.tournament.uid, table=row.uid)
    return _answer(request, row.uid, attempt, reverse("table", args=[row.uid]))


@signed_in_desk
def take_back(request: HttpRequest, call: UUID) -> HttpResponse:
    """Take the call back."""
    row = _called(request, call)
    attempt = attempt_action(request, actions.take_back_call, row.table.stage.tournament.uid, call=row.uid)
    return _answer(request, row.table.uid, attempt, reverse("table", args=[row.table.uid]))


@signed_in_desk
def answer(request: HttpRequest, call: UUID) -> HttpResponse:
    """Answer that a referee comes; return to board or desk."""
    row = _called(request, call)
    board = request.POST.get("back") == "board"
    event = row.table.stage.tournament
    url = reverse("organise-board", args=[event.slug]) if board else reverse("desk")
    return _answer(
        request, row.table.uid, attempt_action(request, actions.answer_call, event.uid, call=row.uid), url
    )


def _called(request: HttpRequest, uid: UUID) -> Call:
    row = get_object_or_404(Call.objects.select_related("table__stage__tournament"), uid=uid)
    get_table(request, row.table.uid)
    return row


def _answer(request: HttpRequest, table: UUID, attempt: Attempt, url: str) -> HttpResponse:
    if request.method == "GET":
        return HttpResponseRedirect(reverse("table", args=[table]))
    if attempt.receipt:
        return saved(url, attempt.receipt)
    if all(fault.code in SAID_ALREADY for fault in attempt.faults):
        return see_other(url)
    return not_done_page(request, scene_at(request, table), attempt)
