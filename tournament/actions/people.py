"""Players who are removed, who leave and who come back, at every table they sit at."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from tournament.actions._plays import store_departures, store_moved, with_departures
from tournament.actions._waiting import move_up_before_play
from tournament.actions._work import Work, action
from tournament.bridge import COUNTS, Contest, contest_of
from tournament.faults import Fault, Refused
from tournament.models import Entry, Play, Result, Seat, Stage, Table
from tournament.settle import settle

OUT = {
    Entry.State.DISQUALIFIED: Seat.OutAs.REMOVED,
    Entry.State.LEFT: Seat.OutAs.WITHDRAWN,
    Entry.State.NO_SHOW: Seat.OutAs.WITHDRAWN,
}


@action
def remove_player(work: Work, *, entry: UUID, reason: str, table: UUID | None = None) -> None:
    """The referees remove a player from the event: listed last without a place, as disqualified.

    It holds from the next play of each running table where they sit; a match that was over keeps its result,
    and so does a heat. `table` is where the referee stands, for a table referee's rights: the player sits there.
    Raises Refused `missing_reason`, `already_out`, `not_seated`, and `in_running_game` (a running KPGUT game needs
    an ejection of its own).
    """
    _refuse_elsewhere(entry, table)
    work.because(reason)
    _out(work, entry_named(work, entry), Entry.State.DISQUALIFIED)


@action
def player_leaves(work: Work, *, entry: UUID, reason: str = "", table: UUID | None = None) -> None:
    """A player leaves the event: listed as withdrawn in a running match, nothing lost in a session. See
    `remove_player`."""
    _refuse_elsewhere(entry, table)
    work.note = reason
    _out(work, entry_named(work, entry), Entry.State.LEFT)


@action
def readmit_player(work: Work, *, entry: UUID, table: UUID | None = None) -> None:
    """Take a removal or a leaving back: the player is in again at every running table they sit at.

    Raises Refused `not_out`, `ejected_in_game` for who was ejected in a session that goes on, and scoring's
    `missing_hand` when rounds were played without them.
    """
    _refuse_elsewhere(entry, table)
    row = entry_named(work, entry)
    if row.state not in OUT:
        raise Refused(Fault("not_out", f"/entries/{entry}"))
    ejected = row.results.filter(
        outcome=Result.Outcome.EJECTED, play__table__stage__state=Stage.State.RUNNING
    )
    if ejected.exclude(play__state=Play.State.SET_ASIDE).exists():
        raise Refused(Fault("ejected_in_game", f"/entries/{entry}"))
    row.state = Entry.State.CHECKED_IN
    row.save(update_fields=["state"])
    work.changed(row)
    for seat in _running_seats(row):
        contest = contest_of(seat.table)
        after = replace(
            contest,
            seats=tuple(
                replace(other, out_as="", out_from=None)
                if (other.table, other.entry) == (seat.table.number, row.uid)
                else other
                for other in contest.seats
            ),
        )
        _settle_seats(work, seat, contest, after)


@action
def check_in(work: Work, *, entries: Sequence[UUID]) -> None:
    """These players are here. Raises Refused `unknown_player`; who is out stays out (`readmit_player`)."""
    for uid in entries:
        row = entry_named(work, uid)
        if row.state in Entry.EXPECTED:
            row.state = Entry.State.CHECKED_IN
            row.save(update_fields=["state"])
            work.changed(row)


def entry_named(work: Work, uid: UUID) -> Entry:
    """The entry of this tournament with that uid; Refused `unknown_player` otherwise."""
    row = Entry.objects.select_related("player").filter(tournament=work.tournament, uid=uid).first()
    if row is None:
        raise Refused(Fault("unknown_player", f"/entries/{uid}", {"player": str(uid)}))
    return row


def _refuse_elsewhere(entry: UUID, table: UUID | None) -> None:
    """A referee at a table speaks for who sits there; Refused `not_seated` for anybody else."""
    if table and not Seat.objects.filter(table__uid=table, entry__uid=entry).exists():
        raise Refused(Fault("not_seated", "/table", {"player": str(entry)}))


def _running_seats(entry: Entry) -> list[Seat]:
    seats = Seat.objects.filter(entry=entry, table__stage__state=Stage.State.RUNNING)
    return list(seats.select_related("table__stage__tournament", "entry"))


def _out(work: Work, row: Entry, state: Entry.State) -> None:
    if row.state in OUT:
        raise Refused(Fault("already_out", f"/entries/{row.uid}", {"player": str(row.uid)}))
    row.state = state
    row.save(update_fields=["state"])
    work.changed(row)
    for seat in _running_seats(row):
        contest = contest_of(seat.table)
        at_table = [play for play in contest.plays if play.table == seat.table.uid]
        for play in at_table:
            if play.state == Play.State.RUNNING and play.result_of(row.uid):
                raise Refused(Fault("in_running_game", f"/entries/{row.uid}", {"player": str(row.uid)}))
        work.readers_of(seat.table.stage)
        if _is_over(contest, seat):
            continue
        number = max((play.number for play in at_table), default=0) + 1
        after = with_departures(contest, seat.table, number, {row.uid: OUT[state]}, editing=False)
        _settle_seats(work, seat, contest, after)
    for seat in Seat.objects.filter(entry=row, table__stage__state=Stage.State.PLANNED).select_related(
        "table__stage"
    ):
        work.deleted(seat)
        work.readers_of(seat.table.stage)
        seat.delete()
        _give_up_roles(work, seat.table, row)
    move_up_before_play(work)


def _give_up_roles(work: Work, table: Table, entry: Entry) -> None:
    """Who has no seat at the table any more is neither its oldest, youngest nor starter."""
    roles = [role for role in ("oldest", "youngest", "starter") if getattr(table, role) == entry]
    for role in roles:
        setattr(table, role, None)
    if roles:
        table.save(update_fields=roles)
        work.changed(table)


def _is_over(contest: Contest, seat: Seat) -> bool:
    """Whether the heat at this table was played or its match stopped, so that leaving is no part of it.

    Leaving after the round that ended a match is noted all the same: it changes nothing (tournament/settle.py),
    until a correction says that the match was not over yet.
    """
    if contest.kind == "heats":
        return any(play.state in COUNTS for play in contest.plays if play.table == seat.table.uid)
    return contest.stopped


def _settle_seats(work: Work, seat: Seat, before: Contest, after: Contest) -> None:
    settled = settle(after)
    store_departures(work, seat.table, before, after)
    store_moved(work, settled)
    work.readers_of(seat.table.stage)
