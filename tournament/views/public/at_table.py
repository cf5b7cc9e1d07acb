"""A table's own page, for whoever scanned its code: who sits here, what waits for the players, and what they propose.

Players need no account. The actions check again what they may do (tournament/actions/table/at_table.py). The page goes
on while standings are frozen: whoever sits here knows what was played here. It shows no standings and no other table.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from tournament import actions
from tournament.actions.people.roles import own_link_user
from tournament.links import holds, uid_in
from tournament.models import Call, LedgerRow, Proposal, Stage, Table
from tournament.pages.desk.table import Scene
from tournament.pages.errors import errors_context
from tournament.pages.public.at_table import answered_at, asked_at, last_plays
from tournament.queries.visible import freezing
from tournament.results.faults import Fault, Refused
from tournament.results.kinds import kind_of
from tournament.results.typed import Typed, uuid_or_none
from tournament.views._access import NOT_FOUND, by_link, device_of, get_scene
from tournament.views._answer import Attempt, attempt_call, page, refused, sequence_of
from tournament.views.desk.second_look import proposed
from tournament.views.desk.tables import new_play
from tournament.views.entry._entering import Entering

KEPT_OUT = {"csrfmiddlewaretoken", "command", "play", "number", "version", "step", "proposal", "reason"}


@by_link
@require_safe
def table(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the players here are asked, and what they can do now."""
    row = table_of(token)
    return _page(request, get_scene(row), token, Attempt()) if row else _unknown(request)


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def move(request: HttpRequest, token: str, what: str) -> HttpResponse:
    """POST: `right` or `contest` for a play, `call` a referee, `withdraw` what was proposed."""
    row = table_of(token)
    if row is None or what not in {"right", "contest", "call", "withdraw"}:
        return _unknown(request)
    if request.method != "POST":
        return redirect("at-table", token=token)
    typed = Typed(request.POST.dict())
    play = {"play": typed.uid("play", "/play"), "version": typed.sequence("version")}
    moves: dict[str, tuple[Callable[..., actions.Receipt], dict[str, Any]]] = {
        "right": (actions.accept_play_at_table, play),
        "contest": (actions.contest_play_at_table, play),
        "call": (actions.call_at_table, {}),
        "withdraw": (actions.withdraw_proposal, {"proposal": typed.uid("proposal", "/proposal")}),
    }
    action, arguments = moves[what]
    attempt = _attempt(request, row, action, typed, token=token, **arguments)
    return attempt.answer(
        reverse("at-table", args=[token]), lambda: _page(request, get_scene(row), token, attempt)
    )


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest, token: str) -> HttpResponse:
    """Show the referee's form for the next result here; POST proposes it and shows mistakes at their fields."""
    row = table_of(token)
    if row is None:
        return _unknown(request)
    scene = get_scene(row)
    if not may_propose(scene):
        return redirect("at-table", token=token)
    waiting = _waiting(row)
    if request.method != "POST":
        data = dict(waiting.fields) if waiting and waiting.number == scene.next_number else {}
        return _form(request, new_play(scene, data), token, Attempt())
    entering = new_play(scene, request.POST.dict())
    attempt = _proposed(request, entering, token)
    return attempt.answer(reverse("at-table", args=[token]), lambda: _form(request, entering, token, attempt))


def table_of(token: str) -> Table | None:
    """The table whose code has this token; None for any other, and for a rehearsal that was put away."""
    uid = uid_in(token)
    tables = Table.objects.select_related("stage__tournament", *Table.ROLES)
    row = tables.filter(uid=uid, stage__tournament__put_away=False).first() if uid else None
    return row if row and holds(token, "table", row.uid, row.link_number) else None


def may_propose(scene: Scene) -> bool:
    """Tell whether a result comes next here: not while a game runs, nor once the heat or match is over."""
    if not scene.open or scene.running or len(scene.seated) < 2:
        return False
    return not (scene.complete or (kind_of(scene.stage.kind).one_play and scene.counting))


def _proposed(request: HttpRequest, entering: Entering, token: str) -> Attempt:
    """Propose what the form holds, if the result is possible."""
    scene, typed = entering.scene, entering.typed
    entry = entering.entry
    if not typed.faults:
        try:
            entering.settled(entry, scene.contest)
        except Refused as impossible:
            return refused(*impossible.faults)
    return _attempt(
        request,
        scene.table,
        actions.propose_result,
        typed,
        token=token,
        proposal=uuid_or_none(request.POST.get("proposal", "")) or uuid4(),
        play=entering.play,
        number=entering.number,
        fields={name: value.strip() for name, value in typed.data.items() if name not in KEPT_OUT},
    )


def _attempt(
    request: HttpRequest, table: Table, action: Callable[..., actions.Receipt], typed: Typed, **arguments: Any
) -> Attempt:
    """Call an action of the table's code with the form's command."""
    uid = uuid_or_none(request.POST.get("command", ""))
    faults = [*typed.faults, *(() if uid else [Fault("malformed", "/command")])]
    if uid is None or faults or None in arguments.values():
        return refused(*(faults or [Fault("malformed")]))
    command = actions.Command(uid, own_link_user(), device_of(request))
    return attempt_call(lambda: action(command, table.stage.tournament.uid, **arguments))


def _page(request: HttpRequest, scene: Scene, token: str, attempt: Attempt) -> HttpResponse:
    row = _waiting(scene.table) if scene.open else None
    return page(
        request,
        "public/at_table.html",
        scene.tournament,
        status=attempt.status,
        **scene.context() | {"section": ""},
        **errors_context(attempt.faults, scene.names),
        token=token,
        players=scene.named(scene.seated) if _may_be_named(scene.stage) else [],
        asked=asked_at(scene),
        proposed=proposed(scene, row) if row else None,
        answered=None if row else answered_at(scene),
        plays=last_plays(scene),
        called=Call.objects.filter(table=scene.table, kind=Call.Kind.HELP, answered_at=None).exists(),
        may_propose=may_propose(scene),
        at=_stored_at(request, scene),
        scope=str(scene.tournament.uid),
        version=scene.tournament.version,
        new_command=uuid4,
    )


def _may_be_named(stage: Stage) -> bool:
    """Tell whether visitors may see who sits here: not before play if an earlier stage is frozen, since it would tell
    who advanced. Once it is played, the hall sees them sit there."""
    return freezing(stage) in {None, stage} or stage.state != Stage.State.PLANNED


def _form(request: HttpRequest, entering: Entering, token: str, attempt: Attempt) -> HttpResponse:
    return page(
        request,
        "public/propose.html",
        entering.scene.tournament,
        status=attempt.status,
        **entering.form(attempt.faults) | {"section": ""},
        token=token,
        fields_template=entering.fields_template,
        matches=kind_of(entering.scene.contest.kind).sheet_each_table,
        proposal=uuid4(),
    )


def _waiting(table: Table) -> Proposal | None:
    return Proposal.objects.filter(table=table, state=Proposal.State.WAITING).first()


def _stored_at(request: HttpRequest, scene: Scene) -> datetime | None:
    """When the server stored what was done on the previous page by this table's code."""
    sequence = sequence_of(request)
    if sequence is None:
        return None
    row = LedgerRow.objects.filter(
        tournament=scene.tournament, sequence=sequence, actor=own_link_user()
    ).first()
    return row.at if row else None


def _unknown(request: HttpRequest) -> HttpResponse:
    return render(request, "public/table_unknown.html", status=NOT_FOUND)
