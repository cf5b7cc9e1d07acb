"""The page of one stage, as its views show it: after a GET, or with what was refused and everything typed."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from tournament.forms.events import StageForm
from tournament.forms.through import FillForm, reserve_rows
from tournament.models import LedgerNote, LedgerRow, Stage, Table
from tournament.pages.errors import names_in, problems
from tournament.pages.organiser.freezing import freeze_of, true_board
from tournament.pages.organiser.stages import stage_view
from tournament.pages.public.stage import play_label
from tournament.queries.advancing import Level, difference_lines, level_of
from tournament.queries.second_look import waiting_in
from tournament.queries.stage_rules import rules_set
from tournament.results.answer import stage_results
from tournament.results.bridge import COUNTS
from tournament.results.kinds import kind_of
from tournament.views._answer import OK, Attempt, page, receipt_of, saved


def to_stage(row: Stage) -> HttpResponse:
    """For an address that only takes a POST, opened after signing in again or by a reload."""
    return redirect("organise-stage", stage=row.uid)


def stage_answer(
    request: HttpRequest, row: Stage, attempt: Attempt, fill: FillForm | None = None
) -> HttpResponse:
    """The stage after a command, or the page with what is wrong."""
    if attempt.receipt:
        page_of_stage = reverse("organise-stage", args=[row.uid])
        board = reverse("organise-board", args=[row.tournament.slug])
        return saved(board if request.POST.get("back") == "board" else page_of_stage, attempt.receipt)
    return stage_page(request, row, attempt=attempt, fill=fill, status=attempt.status)


def stage_page(
    request: HttpRequest,
    row: Stage,
    *,
    form: StageForm | None = None,
    attempt: Attempt | None = None,
    fill: FillForm | None = None,
    status: int = OK,
) -> HttpResponse:
    """The page; `fill` is the form of who goes through as it was typed."""
    level = fill.level if fill else level_of(row)
    with timezone.override(row.tournament.zone):
        view = stage_view(row)
    faults = attempt.faults if attempt else ()
    missing = heats_missing(row)
    freeze = freeze_of(row)
    before = _finished_before(row) if missing and "reason" not in request.POST else Unfinished()
    context = {
        "section": "events",
        "stage": row,
        "view": view,
        "form": form or StageForm(row),
        "rules": rules_set(row.tournament, [row])[row.uid],
        "last": not Stage.objects.filter(tournament=row.tournament, number__gt=row.number).exists(),
        "followed": kind_of(row.kind).one_play,
        "missing": missing,
        "freeze": freeze,
        "true_board": true_board(row) if freeze else None,
        "unaccepted": _unaccepted(row),
        "without": set(request.POST.getlist("without")) or {str(number) for number in before.without},
        "reason": request.POST.get("reason", before.reason),
        "command": uuid4(),
        "at": receipt_of(request, row.tournament),
        "errors": problems(faults, names_in(row.tournament)) if attempt else [],
        "apart_asked": any(fault.code == "cannot_keep_apart" for fault in faults),
        **(_through(request, level, fill) if level else {}),
    }
    return page(request, "organiser/stage.html", context, row.tournament, status=status)


def _through(request: HttpRequest, level: Level, fill: FillForm | None) -> dict[str, object]:
    """What templates/organiser/_through.html and its parts need."""
    typed = "reserves" in request.POST
    return {
        "level": level,
        "fill": fill or FillForm(level),
        "lines": difference_lines(level),
        "reserve_rows": reserve_rows(level, request.POST.dict() if typed else None),
        "reserves_typed": typed,
    }


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Numbers of the tables without whose heat the stage was finished, and why."""

    without: frozenset[int] = frozenset()
    reason: str = ""


def _finished_before(row: Stage) -> Unfinished:
    """What was said when the stage was finished, before it was opened again: the ledger's row made the result of every
    other heat official."""
    finishes = LedgerRow.objects.filter(
        tournament=row.tournament, action="finish_stage", payload__stage__has_key=str(row.uid)
    )
    finish = finishes.order_by("-sequence").first()
    if finish is None:
        return Unfinished()
    played = {facts["table"] for facts in finish.payload.get("play", {}).values()}
    tables = Table.objects.filter(stage=row).exclude(uid__in=played)
    note = LedgerNote.objects.filter(row=finish).first()
    return Unfinished(frozenset(tables.values_list("number", flat=True)), note.text if note else "")


def _unaccepted(row: Stage) -> list[tuple[UUID, str, str]]:
    """What waits for a second person before the stage can be finished: the play's uid, its name and second look."""
    return [
        (play.uid, play_label(contest, play), play.second_look)
        for contest, play in waiting_in([results.contest for results in stage_results(row)])
    ]


def heats_missing(row: Stage) -> list[int]:
    """Numbers of the tables of running heats that have no result yet."""
    if not kind_of(row.kind).one_play or row.state != Stage.State.RUNNING:
        return []
    return [
        number
        for results in stage_results(row)
        for table, number in sorted(results.contest.table_numbers.items(), key=lambda item: item[1])
        if not any(play.state in COUNTS for play in results.contest.plays if play.table == table)
    ]
