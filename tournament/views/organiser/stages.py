"""One stage: its settings, start, finish, open it again, and who goes through to it from the heats before."""

from dataclasses import dataclass
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from scoring import HeatsAnswer
from tournament import actions
from tournament.forms.events import CARD_TEXTS, StageForm
from tournament.forms.faults import add_faults
from tournament.forms.reading import Typed, uuid_or_none
from tournament.models import Decision, Entry, Stage
from tournament.results import stage_results
from tournament.rules_set import rules_set
from tournament.seating import MOST_TABLES, tables_for
from tournament.views._access import get_stage, signed_in
from tournament.views._answer import (
    OK,
    UNPROCESSABLE,
    Attempt,
    attempt_action,
    page,
    receipt_of,
    refused,
    saved,
)
from tournament.views.organiser._problems import names_in, problems
from tournament.views.organiser._stage_state import stage_view


@dataclass(frozen=True, slots=True)
class Through:
    """Somebody who may sit in the next stage: `goes` by the heats' results, `decided` by people."""

    entry: Entry
    goes: bool
    decided: bool

    @property
    def key(self) -> str:
        return str(self.entry.uid)

    @property
    def out(self) -> bool:
        return self.entry.is_out


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def stage(request: HttpRequest, stage: UUID) -> HttpResponse:
    """The stage; POST changes its name and, until it starts, its settings."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return _page(request, row)
    form = StageForm(row, request.POST)
    if not form.is_valid():
        return _page(request, row, form=form, status=UNPROCESSABLE)
    planned = row.state == Stage.State.PLANNED
    attempt = attempt_action(
        request,
        actions.set_stage_settings,
        row.tournament.uid,
        stage=row.uid,
        settings=form.settings() if planned else row.settings,
        card_texts=form.card_texts() if planned else None,
        name=form.cleaned_data["name"],
    )
    if attempt.receipt:
        return saved(reverse("organise-stage", args=[row.uid]), attempt.receipt)
    add_faults(form, attempt.faults, fields=CARD_TEXTS)
    return _page(request, row, form=form, status=attempt.status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Start play; the settings lock."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return _to_stage(row)
    return _answer(
        request, row, attempt_action(request, actions.start_stage, row.tournament.uid, stage=row.uid)
    )


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Finish the stage: what was entered becomes official."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return _to_stage(row)
    return _answer(
        request, row, attempt_action(request, actions.finish_stage, row.tournament.uid, stage=row.uid)
    )


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def reopen(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Open a finished stage again, with a reason."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return _to_stage(row)
    attempt = attempt_action(
        request,
        actions.reopen_stage,
        row.tournament.uid,
        stage=row.uid,
        reason=request.POST.get("reason", ""),
    )
    return _answer(request, row, attempt)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def fill(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Seat those who go through from the heats, and those whom people let through."""
    row = get_stage(request, stage)
    if request.method != "POST":
        return _to_stage(row)
    typed = Typed(request.POST)
    tables = typed.whole("tables", "/tables", least=1, most=MOST_TABLES) or 1
    decided = [uuid_or_none(text) for text in request.POST.getlist("decided")]
    if typed.faults:
        return _answer(request, row, refused(*typed.faults))
    attempt = attempt_action(
        request,
        actions.fill_stage,
        row.tournament.uid,
        stage=row.uid,
        tables=tables,
        decided=[uid for uid in decided if uid],
        reason=request.POST.get("reason", "") if any(decided) else "",
    )
    return _answer(request, row, attempt)


def _to_stage(row: Stage) -> HttpResponse:
    """For an address that only takes a POST, opened after signing in again or by a reload."""
    return redirect("organise-stage", stage=row.uid)


def _answer(request: HttpRequest, row: Stage, attempt: Attempt) -> HttpResponse:
    if attempt.receipt:
        return saved(reverse("organise-stage", args=[row.uid]), attempt.receipt)
    return _page(request, row, attempt=attempt, status=attempt.status)


def _page(
    request: HttpRequest,
    row: Stage,
    *,
    form: StageForm | None = None,
    attempt: Attempt | None = None,
    status: int = OK,
) -> HttpResponse:
    heats = _heats_before(row)
    through = through_to(row, heats) if heats and row.state == Stage.State.PLANNED else []
    going = [one for one in through if (one.goes or one.decided) and not one.out]
    with timezone.override(ZoneInfo(row.tournament.time_zone)):
        view = stage_view(row)
    context = {
        "section": "events",
        "stage": row,
        "view": view,
        "form": form or StageForm(row),
        "rules": rules_set(row.tournament, [row])[row.uid],
        "heats": heats,
        "heats_over": heats is not None and heats.state == Stage.State.FINISHED,
        "going": [one for one in through if one.goes],
        "others": [one for one in through if not one.goes and not one.out],
        "decided": set(request.POST.getlist("decided")),
        "suggested_tables": tables_for(len(going), row.kind),
        "last": not Stage.objects.filter(tournament=row.tournament, number__gt=row.number).exists(),
        "reason": request.POST.get("reason", ""),
        "command": uuid4(),
        "at": receipt_of(request, row.tournament),
        "errors": problems(attempt.faults, names_in(row.tournament)) if attempt else [],
    }
    return page(request, "organiser/stage.html", context, row.tournament, status=status)


def _heats_before(row: Stage) -> Stage | None:
    """The heats that this stage is filled from."""
    before = Stage.objects.select_related("tournament").filter(
        tournament=row.tournament, number=row.number - 1, kind=Stage.Kind.HEATS
    )
    return before.first()


def through_to(row: Stage, heats: Stage) -> list[Through]:
    """Everybody seated in the heats: those who go through first, heat by heat; then the others by start number."""
    finalists: list[str] = []
    for results in stage_results(heats):
        if isinstance(results.answer, HeatsAnswer):
            finalists += results.answer.finalists
    decided = set(Decision.objects.filter(stage=row).values_list("entry__uid", flat=True))
    entries = {
        str(entry.uid): entry
        for entry in Entry.objects.filter(seats__table__stage=heats).distinct().order_by("start_number")
    }
    goes = [Through(entries[uid], goes=True, decided=False) for uid in finalists if uid in entries]
    others = [
        Through(entry, goes=False, decided=entry.uid in decided)
        for uid, entry in entries.items()
        if uid not in finalists
    ]
    return [*goes, *others]
