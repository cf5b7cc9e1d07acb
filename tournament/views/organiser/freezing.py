"""Freeze a stage's public standings; reveal them on stage."""

from collections.abc import Callable
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournament import actions, live
from tournament.models import Stage
from tournament.pages.organiser.freezing import freeze_of, revealing
from tournament.results import Typed
from tournament.views import Attempt, attempt_action, get_stage, page, receipt_of, signed_in_form
from tournament.views.organiser.stages import stage_answer

MOST = 30_000  # steps
EVERY, USUAL = (5, 8, 10, 15, 20, 30, 60), 10  # seconds


@signed_in_form
def freeze(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Freeze this stage and later ones for the public."""
    return _change(request, stage, actions.freeze_standings)


@signed_in_form
def begin(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Begin the reveal."""
    return _change(request, stage, actions.begin_reveal)


@signed_in_form
def lift(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Reveal everything."""
    return _change(request, stage, actions.lift_freeze)


@signed_in_form
def reveal(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Remote for the reveal: next step, seen steps. POST reveals it; `left`: remaining steps on the phone (optimistic
    lock)."""
    row = get_stage(request, stage)
    typed = Typed(request.POST.dict())
    left = typed.whole("left", "/left", most=MOST, least=1)
    attempt = attempt_action(
        request, actions.reveal_next, row.tournament.uid, typed=typed, stage=row.uid, left=left
    )
    return attempt.answer(reverse("organise-reveal", args=[row.uid]), lambda: _page(request, row, attempt))


def _change(request: HttpRequest, uid: UUID, action: Callable[..., actions.Receipt]) -> HttpResponse:
    row = get_stage(request, uid)
    attempt = attempt_action(request, action, row.tournament.uid, stage=row.uid)
    if request.POST.get("back") != "reveal":
        return stage_answer(request, row, attempt)
    return attempt.answer(reverse("organise-reveal", args=[row.uid]), lambda: _page(request, row, attempt))


def _page(request: HttpRequest, row: Stage, attempt: Attempt) -> HttpResponse:
    version = row.tournament.version
    live.announce({str(row.tournament.uid): version})  # starts the stream
    return page(
        request,
        "organiser/reveal.html",
        row.tournament,
        status=attempt.status,
        section="events",
        scope=str(row.tournament.uid),
        version=version,
        stage=row,
        freeze=freeze_of(row),
        revealing=revealing(row),
        every=EVERY,
        usual=USUAL,
        command=uuid4(),
        at=receipt_of(request, row.tournament),
        **attempt.context(),
    )
