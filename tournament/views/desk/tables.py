"""A table's page; entry of whole plays, new or corrected."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from rulesets import ByKind
from tournament.models import Play, Stage, Table
from tournament.pages.desk.table import Scene, finished_lists
from tournament.permissions import may
from tournament.results import Conflict, Fault, Refused, Settled, contest_now, kind_of
from tournament.views import (
    UNPROCESSABLE,
    Attempt,
    Sent,
    get_scene,
    get_table,
    page,
    play_at,
    refused,
    saved,
    scene_at,
    signed_in_desk,
    signed_in_page,
    user_of,
)
from tournament.views.desk._page import after_correction, receipt_context
from tournament.views.entry.games import EnteringGame, show_clock
from tournament.views.entry.rounds import Entering, EnteringHeat, EnteringRound, conflict_page, look, preview

NOT_KEPT = {"csrfmiddlewaretoken", "step"}
FORMS: ByKind[type[Entering]] = ByKind(
    "views/desk/tables.py",
    {
        Stage.Kind.SESSION: EnteringGame,
        Stage.Kind.HEATS: EnteringHeat,
        Stage.Kind.MATCH: EnteringRound,
        Stage.Kind.FINAL: EnteringRound,
        Stage.Kind.RACE: EnteringRound,
        Stage.Kind.RACES: EnteringRound,
    },
)


@signed_in_page
def table(request: HttpRequest, table: UUID) -> HttpResponse:
    """A table's page, with its next step largest."""
    scene = scene_at(request, table)
    if not scene.open:
        return page(
            request,
            "desk/closed.html",
            scene.tournament,
            **scene.context(),
            **receipt_context(request, scene),
            **finished_lists(scene),
            players=scene.named(scene.seated),
            may_start=bool(scene.seated) and may(user_of(request), "start_stage", scene.tournament),
        )
    if kind_of(scene.stage.kind).timed:
        return show_clock(request, scene)
    return new_play(scene, {}).show(request)


@signed_in_desk
def record(request: HttpRequest, table: UUID) -> HttpResponse:
    """Enter a whole play. `step=look` previews, `save` stores, `edit` returns the filled form, `preview` the preview as
    a fragment. Refusals show at the fields, conflicts as both versions."""
    row = get_table(request, table)
    url = reverse("table", args=[row.uid])
    if row.stage.state != Stage.State.RUNNING or (
        request.method == "GET" and not kind_of(row.stage.kind).timed
    ):
        return HttpResponseRedirect(url)
    attempt = attempt_record(Sent.by(request), row) if request.POST.get("step") == "save" else None
    if attempt and attempt.receipt:
        return saved(url, attempt.receipt)
    return _answer(request, new_play(get_scene(row), request.POST.dict()), attempt)


def new_play(scene: Scene, data: Mapping[str, str]) -> Entering:
    """The form for a new play."""
    return FORMS[scene.stage.kind](scene, None, data)


def attempt_record(sent: Sent, table: Table) -> Attempt:
    """Store a new play; needs no standings."""
    try:
        contest = contest_now(table, as_read=True)
    except Refused as gone:
        return refused(*gone.faults)
    return attempt_play(
        replace(sent, table=table),
        FORMS[table.stage.kind](Scene(table, contest, None), None, sent.fields),
    )


@signed_in_desk
def correct(request: HttpRequest, play: UUID) -> HttpResponse:
    """Replace a play's stored version."""
    scene, _row, current = play_at(request, play)
    entering = FORMS[scene.stage.kind](scene, current, request.POST.dict())
    attempt = attempt_play(Sent.by(request), entering) if request.POST.get("step") == "save" else None
    if attempt and attempt.receipt:
        return after_correction(request, scene, attempt.receipt, entering.play)
    return _answer(request, entering, attempt)


def _answer(request: HttpRequest, entering: Entering, attempt: Attempt | None) -> HttpResponse:
    step = request.POST.get("step")
    if attempt and attempt.conflict:
        mine = {name: value for name, value in _hidden_fields(entering) if name not in {"command", "play"}}
        return conflict_page(
            request, entering.scene, attempt.conflict, mine, _in_its_place(entering, attempt.conflict, mine)
        )
    if attempt:
        return entering.show(request, attempt.faults, attempt.status)
    if request.method != "POST" or step == "edit":
        return entering.show(request)
    if step == "preview":
        return preview(request, entering)
    entry, faults = entering.entry, tuple(entering.typed.faults)
    if not faults:
        try:
            return look(request, entering, entering.settled(entry), _hidden_fields(entering))
        except Refused as refusal:
            faults = refusal.faults
    return entering.show(request, faults, UNPROCESSABLE)


def attempt_play(sent: Sent, entering: Entering) -> Attempt:
    """Store a new or corrected play."""
    arguments, uid = entering.entry.arguments(), entering.scene.table.stage.tournament.uid
    if entering.current:
        return sent.attempt(
            type(entering).correct,
            uid,
            typed=entering.typed,
            play=entering.play,
            version=entering.version,
            reason=entering.reason,
            **arguments,
        )
    if not str(entering.data.get("play", "")).strip():
        entering.typed.faults.append(Fault("malformed", "/play"))
    return sent.attempt(
        type(entering).record,
        uid,
        typed=entering.typed,
        table=entering.scene.table.uid,
        play=entering.play,
        number=entering.number,
        **(sent.late if kind_of(entering.scene.table.stage.kind).timed else {"late_s": sent.late_s}),
        **arguments,
    )


def _hidden_fields(entering: Entering) -> list[tuple[str, str]]:
    """Fields for the next step; an emptied `began` unsets a stored start."""
    emptied = {"began"} if entering.current else frozenset()
    return [
        (name, value)
        for name, value in entering.data.items()
        if name not in NOT_KEPT and (value or name in emptied)
    ]


def _in_its_place(entering: Entering, conflict: Conflict, mine: Mapping[str, str]) -> Settled | None:
    current = conflict.current.play
    if current.state == Play.State.RUNNING:
        return None
    again = type(entering)(
        get_scene(entering.scene.table), current, {**mine, "version": str(current.version)}
    )
    try:
        settled = again.settled(again.read())
    except Refused:
        return None
    return None if again.typed.faults else settled
