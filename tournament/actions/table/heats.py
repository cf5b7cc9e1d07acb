"""Heats without points: record and correct in which order the players went out."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import given
from tournament.actions.kernel.plays import (
    open_table,
    play_named,
    refuse_stale,
    refuse_taken,
    settle_and_store,
    store_departures,
)
from tournament.actions.kernel.work import Work, action
from tournament.actions.table.rounds import departures
from tournament.models import Play, Result, Stage, Table
from tournament.results.bridge import COUNTS, Contest
from tournament.results.contests import contest_now
from tournament.results.departures import with_departures
from tournament.results.facts import PlayFacts, ResultFacts
from tournament.results.faults import Fault, Refused

Outcome = Result.Outcome


@action(least="table_referee", says=_("entered a heat"), undo="at_table")
def record_heat(
    work: Work,
    *,
    table: UUID,
    play: UUID,
    number: int,
    finish_order: Sequence[UUID],
    removed: Sequence[UUID] = (),
    withdrawn: Sequence[UUID] = (),
    advance: int | None = None,
) -> None:
    """Enter a heat: who went out, first to last, at least as many as go through.

    `advance` players go through from this heat (the stage's setting where None). Raises Refused with
    scoring's faults, `heat_recorded` when this table has a heat that counts, or Conflict.
    """
    row = open_table(work, table, Stage.Kind.HEATS)
    contest = contest_now(row)
    offered = PlayFacts(play, row.uid, number, Play.State.ENTERED)
    offered = heat_facts(contest, row, offered, finish_order, advance)
    refuse_taken(work, row, contest, offered)
    if any(other.state in COUNTS for other in contest.plays if other.table == row.uid):
        raise Refused(Fault("heat_recorded", "/number"))
    after = with_departures(contest, row, number, departures(removed, withdrawn), editing=False)
    settle_and_store(work, row, after, offered)
    store_departures(work, row, contest, after)


@action(least="table_referee", says=_("corrected a heat"), undo="at_table")
def correct_heat(
    work: Work,
    *,
    play: UUID,
    version: int,
    reason: str,
    finish_order: Sequence[UUID],
    removed: Sequence[UUID] = (),
    withdrawn: Sequence[UUID] = (),
    advance: int | None = None,
) -> None:
    """Enter a heat anew in its stored version's place; a void heat counts again. See `record_heat`."""
    row, contest, current = play_named(work, play, Stage.Kind.HEATS)
    offered = replace(current, state=Play.State.ENTERED)
    offered = heat_facts(contest, row, offered, finish_order, advance)
    refuse_stale(work, current, offered, version)
    refuse_second_heat(contest, current)
    work.because(reason)
    after = with_departures(contest, row, current.number, departures(removed, withdrawn), editing=True)
    settle_and_store(work, row, after, offered)
    store_departures(work, row, contest, after)


def refuse_second_heat(contest: Contest, heat: PlayFacts) -> None:
    """A table has one heat that counts; Refused `heat_recorded` where that is another than this one."""
    rivals = [other for other in contest.plays if other.table == heat.table and other.uid != heat.uid]
    if any(other.state in COUNTS for other in rivals):
        raise Refused(Fault("heat_recorded", "/play"))


def heat_facts(
    contest: Contest, table: Table, play: PlayFacts, finish_order: Sequence[UUID], advance: int | None
) -> PlayFacts:
    """The heat with one row for everybody seated; raises Refused `unknown_player`, `duplicate_player`,
    and `malformed` where more should go through than sit there."""
    seated = [seat.entry for seat in contest.seats if seat.table == table.number]
    finish_order = given.ids(finish_order, "/finish_order")
    faults = [
        Fault("unknown_player" if entry not in seated else "duplicate_player", f"/finish_order/{entry}")
        for index, entry in enumerate(finish_order)
        if entry not in seated or entry in finish_order[:index]
    ]
    if faults:
        raise Refused(*faults)
    if advance is not None and not 1 <= given.whole(advance, "/advance") <= len(seated):
        raise Refused(Fault("malformed", "/advance", {"advance": advance, "most": len(seated)}))
    place = {entry: index for index, entry in enumerate(finish_order, 1)}

    def row(entry: UUID) -> ResultFacts:
        before = play.result_of(entry)
        uid = before.uid if before else uuid4()
        outcome = Outcome.FINISHED if entry in place else Outcome.PLAYING
        return ResultFacts(uid, entry, outcome, finish=place.get(entry))

    return replace(play, results=tuple(row(entry) for entry in seated), advance=advance)
