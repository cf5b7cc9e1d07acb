"""Freezing what everybody sees of a stage, and revealing it: by a tap on the phone of whoever stands on the stage."""

from collections.abc import Callable
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament import actions, live
from tournament.actions import Receipt
from tournament.models import Stage
from tournament.pages.organiser.freezing import freeze_of, revealing
from tournament.results.typed import Typed
from tournament.views._access import get_stage, signed_in
from tournament.views._answer import OK, Attempt, attempt_action, page, receipt_of, saved
from tournament.views.organiser._stage_page import stage_answer, to_stage

MOST = 30_000  # steps, more than there can be places
EVERY, USUAL = (5, 8, 10, 15, 20, 30, 60), 10  # seconds, where the reveal goes on by itself


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def freeze(request: HttpRequest, stage: UUID) -> HttpResponse:
    """From now on everybody sees the stage, and those after it, as they are now."""
    return _change(request, stage, actions.freeze_standings)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Begin the reveal."""
    return _change(request, stage, actions.begin_reveal)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def lift(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Show everything at once."""
    return _change(request, stage, actions.lift_freeze)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def reveal(request: HttpRequest, stage: UUID) -> HttpResponse:
    """The page for the phone on the stage: the next step with who it is about, and what the hall has seen. POST shows
    that step to everybody; `left` is how many steps were left on the phone."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return _page(request, row)
    typed = Typed(request.POST.dict())
    left = typed.whole("left", "/left", most=MOST, least=1)
    attempt = attempt_action(
        request, actions.reveal_next, row.tournament.uid, typed=typed, stage=row.uid, left=left
    )
    if attempt.receipt:
        return saved(reverse("organise-reveal", args=[row.uid]), attempt.receipt)
    return _page(request, row, attempt)


def _change(request: HttpRequest, uid: UUID, action: Callable[..., Receipt]) -> HttpResponse:
    row = get_stage(request, uid)
    if request.method != "POST":
        return to_stage(row)
    attempt = attempt_action(request, action, row.tournament.uid, stage=row.uid)
    if request.POST.get("back") != "reveal":
        return stage_answer(request, row, attempt)
    if attempt.receipt:
        return saved(reverse("organise-reveal", args=[row.uid]), attempt.receipt)
    return _page(request, row, attempt)


def _page(request: HttpRequest, row: Stage, attempt: Attempt | None = None) -> HttpResponse:
    version = row.tournament.version
    live.announce({str(row.tournament.uid): version})  # so that there is a stream for it
    context = {
        "section": "events",
        "scope": str(row.tournament.uid),
        "version": version,
        "stage": row,
        "freeze": freeze_of(row),
        "revealing": revealing(row),
        "every": EVERY,
        "usual": USUAL,
        "command": uuid4(),
        "at": receipt_of(request, row.tournament),
        **(attempt or Attempt()).context(),
    }
    status = attempt.status if attempt else OK
    return page(request, "organiser/reveal.html", context, row.tournament, status=status)
