"""Undo a ledger row, after a preview."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve, reverse

from tournament import actions
from tournament.ledger.undoing import History, may_undo, undoing_of
from tournament.models import Entry, LedgerNote, LedgerRow, Membership, Stage
from tournament.pages.components import errors_context
from tournament.pages.organiser.undo import consequences, names_lost
from tournament.results import Fault
from tournament.views import (
    attempt_action,
    get_tournament,
    page,
    reason_of,
    saved,
    signed_in_form,
    user_of,
)
from tournament.words.faults import action_name, drawn_text

# objects that an undo may delete: then the board
MAY_BE_GONE = {"stage": Stage, "entry": Entry}


@signed_in_form
def undo(request: HttpRequest, slug: str, row: int) -> HttpResponse:
    """Preview what undoing a row restores; POST undoes it."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    done = get_object_or_404(LedgerRow.objects.select_related("actor"), tournament=tournament, sequence=row)
    attempt = attempt_action(request, actions.undo, tournament.uid, row=row, reason=reason_of(request))
    if attempt.receipt:
        back = _organisers_page(request.POST.get("back", ""))
        return saved(back or reverse("organise-board", args=[tournament.slug]), attempt.receipt)
    undoing = undoing_of(History(tournament), done.sequence)
    assert undoing is not None
    faults = attempt.faults or ((undoing.fault,) if undoing.fault else ())
    if not faults and not may_undo(user_of(request), undoing.action, tournament):
        faults = (Fault("forbidden"),)
    note = LedgerNote.objects.filter(row=done).values_list("text", flat=True).first() or ""
    drawn = drawn_text(done.action, note)
    return page(
        request,
        "organiser/undo.html",
        tournament,
        status=attempt.status,
        section="events",
        row=done,
        did=action_name(done.action),
        first_did=action_name(undoing.action) if done.action != undoing.action else "",
        drawn=drawn,
        note="" if drawn else note,
        follows=[] if faults else consequences(undoing, tournament),
        kept=not names_lost(undoing, tournament),
        command=uuid4(),
        reason=request.POST.get("reason", ""),
        back=_organisers_page(request.POST.get("back", request.GET.get("back", ""))),
        possible=not undoing.fault,
        **errors_context(faults),
    )


def _organisers_page(path: str) -> str:
    """The path if an organiser's page whose object exists."""
    try:
        match = resolve(path)
    except Resolver404:
        return ""
    if not (match.url_name or "").startswith("organise-") or match.url_name == "organise-undo":
        return ""
    for name, model in MAY_BE_GONE.items():
        if name in match.kwargs and not model._default_manager.filter(uid=match.kwargs[name]).exists():
            return ""
    return path
