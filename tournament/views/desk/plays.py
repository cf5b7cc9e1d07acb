"""A play with its versions, voiding, and a table's history."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext, pgettext

from tournament import actions
from tournament.actions.table.plays import fits, preview_void
from tournament.ledger.past import entry_of
from tournament.ledger.undoing import UNDO
from tournament.models import LedgerRow, Play, Result, Stage, Table
from tournament.pages.desk.play import Line, did_text, lines_of, notes_of
from tournament.pages.desk.standings_changes import Back, following, ways_back
from tournament.pages.desk.table import Scene
from tournament.permissions import may
from tournament.queries.incidents import look_of, seen_text
from tournament.results import SHEET_KINDS, PlayFacts, Refused, Typed, stage_contests, uuid_or_none
from tournament.views import (
    Attempt,
    attempt_action,
    page,
    play_at,
    plays_of,
    reason_of,
    scene_at,
    signed_in_desk,
    signed_in_page,
    user_of,
)
from tournament.views.desk._page import after_correction, confirm_page, not_done_page
from tournament.views.entry.rounds import answer_at_table
from tournament.words.faults import table_text
from tournament.words.text import inside, listed

MOST_ROWS = 300  # rows of a history


@dataclass(frozen=True, slots=True)
class Event:
    """An accepted command."""

    sequence: int
    at: datetime
    by: str
    what: str
    about: str
    reason: str
    lines: list[Line]
    notes: list[tuple[str, str]]
    state: str
    back: Back | None = None


@signed_in_page
def play(request: HttpRequest, play: UUID) -> HttpResponse:
    """A play's versions, each with a button to revert to it."""
    scene, _row, current = play_at(request, play)
    return _show(request, scene, current, Attempt())


def _show(request: HttpRequest, scene: Scene, current: PlayFacts, attempt: Attempt) -> HttpResponse:
    events = _events(scene, [current.uid], in_full=True)
    back = ways_back(scene, current, [event.sequence for event in events])
    correctable = scene.open and current.state != Play.State.RUNNING
    user, row = user_of(request), entry_of(scene.stage.tournament_id, current)
    return page(
        request,
        "desk/play.html",
        scene.tournament,
        status=attempt.status,
        **scene.context(),
        **attempt.context(scene.names),
        play=current,
        look=look_of(current),
        may_accept=scene.open and not (row and row.actor_id == user.pk),
        may_ask=scene.open
        and may(user, "ask_second_look_at", scene.tournament, scene.table.uid)
        and current.state in {Play.State.ENTERED, Play.State.RUNNING},
        label=scene.label(current),
        lines=scene.lines(current),
        notes=notes_of(current, scene),
        starts=scene.starts(current),
        events=[replace(event, back=back.get(event.sequence)) for event in events],
        correctable=correctable,
        voidable=scene.open and current.state != Play.State.VOID,
        movable=correctable and current.state != Play.State.VOID,
    )


@signed_in_desk
def revert(request: HttpRequest, play: UUID) -> HttpResponse:
    """Revert to an earlier version."""
    scene, row, current = play_at(request, play)
    if request.method == "GET":
        return HttpResponseRedirect(reverse("play", args=[row.uid]))
    typed = Typed(request.POST.dict())
    attempt = attempt_action(
        request,
        actions.revert_play,
        scene.tournament.uid,
        typed=typed,
        play=row.uid,
        version=typed.sequence("version"),
        to=typed.sequence("to"),
        reason=reason_of(request),
    )
    return answer_at_table(
        request,
        scene,
        attempt,
        lambda: _show(request, scene, current, attempt),
        corrected=str(row.uid),
    )


@signed_in_page
def history(request: HttpRequest, table: UUID) -> HttpResponse:
    """All entries of this table, newest first."""
    scene = scene_at(request, table)
    return page(
        request,
        "desk/history.html",
        scene.tournament,
        **scene.context(),
        plays=[(play, scene.label(play), look_of(play)) for play in scene.plays],
        events=_events(scene, [play.uid for play in scene.plays], in_full=False),
    )


@signed_in_desk
def void(request: HttpRequest, play: UUID) -> HttpResponse:
    """Void a play, with a reason."""
    scene, _row, current = play_at(request, play)
    typed, reason = Typed(request.POST.dict()), reason_of(request)
    attempt = attempt_action(
        request,
        actions.void_play,
        scene.tournament.uid,
        typed=typed,
        play=current.uid,
        version=typed.sequence("version"),
        reason=reason,
    )
    if attempt.receipt:
        return after_correction(request, scene, attempt.receipt, current.uid)
    ejects = current.with_outcome(Result.Outcome.EJECTED)
    return answer_at_table(
        request,
        scene,
        attempt,
        lambda: confirm_page(
            request,
            scene,
            attempt,
            question=_("Void %(what)s?") % {"what": inside(scene.label(current))},
            follows=[
                _("It can still be read but counts for nobody. Correcting it makes it count again."),
                *([_("Any ejection in it still holds.")] if ejects else []),
                *when_void(scene, current),
            ],
            action=pgettext("button", "Void"),
            danger=True,
            reason_wanted=True,
            quick_reasons=True,
            just_started=current.state == Play.State.RUNNING,
            reason=reason or request.GET.get("reason", ""),
            hidden=[("version", str(request.POST.get("version", current.version)))],
        ),
    )


@signed_in_desk
def leave_out(request: HttpRequest, table: UUID) -> HttpResponse:
    """Leave out all undecided plays of this table."""
    scene = scene_at(request, table)
    attempt = attempt_action(
        request,
        actions.leave_out_plays,
        scene.tournament.uid,
        table=scene.table.uid,
        plays=plays_of(request),
        reason=reason_of(request),
    )
    waiting = [play for play, *_more in scene.undecided]
    if not waiting:
        return attempt.answer(scene.url, lambda: HttpResponseRedirect(scene.url))
    words = {"n": len(waiting), "what": scene.undecided_label}
    return attempt.answer(
        scene.url,
        lambda: confirm_page(
            request,
            scene,
            attempt,
            question=ngettext("Leave it out?", "Leave out all %(n)d?", len(waiting)) % words,
            follows=[
                ngettext(
                    "%(what)s can still be read but counts for nobody.",
                    "%(what)s can still be read but count for nobody.",
                    len(waiting),
                )
                % words,
                _("One tap undoes this."),
            ],
            action=ngettext("Leave this out", "Leave out all %(n)d", len(waiting)) % words,
            reason_wanted=True,
            reason=request.POST.get("reason", _("It could not have been played")),
            hidden=[("play", seen_text(play)) for play in waiting],
        ),
    )


@signed_in_desk
def undo(request: HttpRequest, table: UUID, row: int) -> HttpResponse:
    """Undo the last decision for several plays."""
    scene = scene_at(request, table)
    attempt = attempt_action(
        request, actions.undo_at_table, scene.tournament.uid, table=scene.table.uid, row=row
    )
    return attempt.answer_button(request, scene.url, lambda: not_done_page(request, scene, attempt))


def when_void(scene: Scene, play: PlayFacts) -> list[str]:
    """Consequences for the standings, if any."""
    if play.state in {Play.State.VOID, Play.State.RUNNING} or not scene.open:
        return []
    try:
        return following(scene, preview_void(scene.contest, play), play.uid)
    except Refused:
        return []


def _events(scene: Scene, plays: list[UUID], *, in_full: bool) -> list[Event]:
    if not plays:
        return []
    wanted = [str(uid) for uid in plays]
    rows = (
        LedgerRow.objects.filter(tournament=scene.tournament, payload__play__has_any_keys=wanted)
        .select_related("actor", "note")
        .order_by("-sequence")[:MOST_ROWS]
    )
    undone = _undone(scene, rows)
    events = []
    for row in rows:
        written = [
            PlayFacts.from_json(uid, facts) for uid, facts in row.payload["play"].items() if uid in wanted
        ]
        note = getattr(row, "note", None)
        events.append(
            Event(
                sequence=row.sequence,
                at=row.at,
                by=row.actor.display_name(),
                what=did_text(row.action, row.replaces, undone),
                about=listed([scene.label(play) for play in written]),
                reason=note.text if note else "",
                lines=lines_of(written[0], scene.names, scene.ruleset) if in_full else [],
                notes=notes_of(written[0], scene) if in_full else [],
                state=written[0].state,
            )
        )
    return events


def _undone(scene: Scene, rows: Iterable[LedgerRow]) -> dict[int, tuple[str, int | None]]:
    if not any(row.action == UNDO for row in rows):
        return {}
    ledger = LedgerRow.objects.filter(tournament=scene.tournament)
    undos = ledger.filter(action=UNDO).order_by()
    found = ledger.filter(sequence__in=undos.values("replaces")).values_list("sequence", "action", "replaces")
    return {sequence: (action, replaces) for sequence, action, replaces in found}


# ---- A play at the wrong table ----


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another table; `here`: players of the play who sit there."""

    table: Table
    here: int
    fits: bool

    @property
    def name(self) -> str:
        return table_text(self.table.stage, self.table.number)


@signed_in_desk
def elsewhere(request: HttpRequest, play: UUID) -> HttpResponse:
    """Move the play elsewhere and void it here. If it fits no table, void it and open the table."""
    scene, row, current = play_at(request, play)
    if not scene.open or current.state in {Play.State.VOID, Play.State.RUNNING}:
        return HttpResponseRedirect(reverse("play", args=[row.uid]))
    tables = _tables(request, scene, current)
    fitting = [each for each in tables if each.fits]
    chosen = request.POST.get("to", str(fitting[0].table.uid) if len(fitting) == 1 else "")
    typed = Typed(request.POST.dict())
    # without a choice an unknown uid, which the action refuses
    unknown = uuid4() if fitting else scene.table.uid
    target = next((each.table.uid for each in fitting or tables if str(each.table.uid) == chosen), unknown)
    move = {"to": target, "new": uuid_or_none(typed.text("new")) or uuid4()}
    attempt = attempt_action(
        request,
        actions.move_play if fitting else actions.void_play,
        scene.tournament.uid,
        typed=typed,
        play=current.uid,
        version=typed.sequence("version"),
        reason=reason_of(request),
        **(move if fitting else {}),
    )
    return answer_at_table(
        request,
        scene,
        attempt,
        lambda: page(
            request,
            "desk/elsewhere.html",
            scene.tournament,
            status=attempt.status,
            **scene.context(),
            **attempt.context(scene.names),
            play=current,
            label=scene.label(current),
            fitting=fitting,
            lines=scene.lines(current),
            follows=[] if fitting else when_void(scene, current),
            others=tables,
            players=len(current.results),
            chosen=chosen,
            reason=request.POST.get("reason", _("Wrong table")),
            version=request.POST.get("version", str(current.version)),
            new=request.POST.get("new") or uuid4(),
            command=request.POST.get("command") or uuid4(),
        ),
        reverse("table", args=[target]),
    )


def _tables(request: HttpRequest, scene: Scene, play: PlayFacts) -> list[Elsewhere]:
    """The user's other tables of this stage, and of its sheet with its players; best fit first."""
    running = Stage.objects.filter(
        tournament=scene.tournament,
        state=Stage.State.RUNNING,
        kind__in=[kind for kind in Stage.Kind if SHEET_KINDS[kind] == SHEET_KINDS[scene.stage.kind]],
    ).select_related("tournament")
    players = {row.entry for row in play.results}
    found = []
    for stage in running.order_by("number"):
        tables = {table.uid: table for table in Table.objects.filter(stage=stage).select_related("stage")}
        for contest in stage_contests(stage):
            for uid, number in contest.table_numbers.items():
                if uid == scene.table.uid or not may(user_of(request), "move_play", scene.tournament, uid):
                    continue
                here = sum(seat.table == number and seat.entry in players for seat in contest.seats)
                found.append(Elsewhere(tables[uid], here, fits(play, contest, tables[uid])))
    found = [each for each in found if each.here or each.table.stage_id == scene.stage.pk]
    return sorted(
        found, key=lambda each: (not each.fits, -each.here, each.table.stage.number, each.table.number)
    )
