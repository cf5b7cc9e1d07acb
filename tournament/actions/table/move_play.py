"""Move a play that was entered at the wrong table."""

from dataclasses import replace
from uuid import UUID, uuid4

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import (
    Work,
    action,
    open_table,
    play_named,
    refuse_if,
    refuse_second,
    refuse_stale,
    settle_and_store,
)
from tournament.models import Play, Result, Stage, Table
from tournament.permissions import may
from tournament.results import SHEET_KINDS, Contest, Fault, Forbidden, PlayFacts, contest_now

__all__ = ["move_play"]

Outcome = Result.Outcome
State = Play.State


@action(least="table_referee", says=_("moved a game, round or heat to another table"), undo="at_table")
def move_play(work: Work, *, play: UUID, version: int, to: UUID, new: UUID, reason: str) -> None:
    """Void a play and re-enter it as `new` at table `to`, with its ejections.

    Refused `other_players` (not seated there), faults of voiding and entering; Forbidden without rights there;
    Conflict.
    """
    here, contest, current = play_named(work, play)
    if not may(work.command.actor, work.action, work.tournament, to):
        raise Forbidden(work.action)
    there = open_table(
        work, to, *[kind for kind in Stage.Kind if SHEET_KINDS[kind] == SHEET_KINDS[here.stage.kind]]
    )
    refuse_if(
        not fits(current, contest_now(there), there) or there.pk == here.pk, Fault("other_players", "/to")
    )
    refuse_if(current.state == State.RUNNING, Fault("game_running", "/play"))
    voided = replace(
        current,
        state=State.VOID,
        results=tuple(
            replace(row, outcome=Outcome.REMAINING) if row.outcome == Outcome.EJECTED else row
            for row in current.results
        ),
    )
    refuse_stale(work, current, voided, version)
    refuse_if(current.state == State.VOID, Fault("already_void", "/play"))
    refuse_if(Play.objects.filter(uid=new).exists(), Fault("play_exists", "/new"))
    work.because(reason)
    settle_and_store(work, here, contest, voided)
    target = contest_now(there)
    moved = replace(
        current,
        uid=new,
        table=there.uid,
        number=max((other.number for other in target.plays if other.table == there.uid), default=0) + 1,
        state=State.ENTERED,
        results=tuple(replace(row, uid=uuid4()) for row in current.results),
    )
    refuse_second(target, moved, "/play")
    settle_and_store(work, there, target, moved)


def fits(play: PlayFacts, contest: Contest, table: Table) -> bool:
    """Whether all players of the play sit at this table."""
    here = {seat.entry for seat in {*contest.seats} - {*contest.out} if seat.table == table.number}
    return bool(play.results) and all(row.entry in here for row in play.results)
