"""Attendance, at every table of a player."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import F, Max
from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import (
    Work,
    action,
    entries_named,
    entry_fault,
    entry_named,
    follow_removal,
    move_up_before_play,
    refuse,
    refuse_if,
    say_why,
    store_departures,
    store_moved,
)
from tournament.models import ENTRY, Entry, Play, Result, Seat, Stage, Table, can, leads_to
from tournament.queries.consequences import ejections_of
from tournament.results import (
    IN_PLAY,
    OUT_AS,
    Contest,
    Fault,
    Refused,
    Settled,
    contest_now,
    settle,
    settle_back,
    with_leaving,
)

__all__ = [
    "check_in",
    "comes_late",
    "mark_paid",
    "no_show",
    "player_leaves",
    "readmit_player",
    "remove_player",
    "take_back_check_in",
]

State = Entry.State


@action(least="table_referee", says=_("removed a player"), undo="come_back")
def remove_player(work: Work, *, entry: UUID, reason: str, table: UUID | None = None, code: str = "") -> None:
    """Disqualify a player, last without a place, with an incident of penalty `code`, from the next play of each
    running table on. A table referee acts at `table`, where the player must sit; without it the incident is of their
    only running table. Refused `not_in_event`, `already_out`, `not_seated`, `in_running_game` (KPGUT: eject instead).
    """
    _refuse_elsewhere(entry, table)
    work.because(reason)
    row = _in_event(work, entry)
    tables = Table.objects.filter(uid=table) if table else {seat.table for seat in _running_seats([row])}
    follow_removal(work, next(iter(tables)) if len(tables) == 1 else None, row, removed=True)
    take_out(work, [row], "remove")
    say_why(work, entry, None, code=code, text=reason)


@action(least="table_referee", says=_("marked a player as left"), undo="come_back")
def player_leaves(work: Work, *, entry: UUID, reason: str = "", table: UUID | None = None) -> None:
    """Mark a player as left: withdrawn in a running match, without loss in a session. As `remove_player`."""
    _refuse_elsewhere(entry, table)
    work.note = reason
    take_out(work, [_in_event(work, entry)], "leave")


@action(least="table_referee", says=_("let a player back in"), undo="come_back")
def readmit_player(work: Work, *, entry: UUID, table: UUID | None = None) -> None:
    """Readmit a player at all running tables, not to unstarted stages. Refused `not_out`, `ejected_in_game` (correct
    that game), scoring's `missing_hand` if rounds were missed."""
    _refuse_elsewhere(entry, table)
    row = entry_named(work, entry)
    refuse_if(not can(ENTRY, row.state, "readmit"), Fault("not_out", f"/entries/{entry}"))
    if ejected := ejections_of([row]).select_related("play").first():
        raise Refused(Fault("ejected_in_game", f"/plays/{ejected.play.uid}"))
    work.update(row, state=leads_to(ENTRY, row.state, "readmit"))
    follow_removal(work, None, row, removed=False)
    _tell_stages(work, [row])
    for seat in _running_seats([row]):
        contest = contest_now(seat.table)
        after = replace(
            contest,
            seats=tuple(
                replace(other, **IN_PLAY)
                if (other.table, other.entry) == (seat.table.number, row.uid)
                else other
                for other in contest.seats
            ),
        )
        _store_seats(work, seat, contest, settle_back(after, [row.uid]))


@action(least="head_referee", says=_("checked players in"), undo="ledger")
def check_in(work: Work, *, entries: Sequence[UUID]) -> None:
    """Check players in, except those out (`readmit_player`)."""
    _into(
        work,
        [row for row in entries_named(work, entries) if can(ENTRY, row.state, "check_in")],
        State.CHECKED_IN,
    )


@action(least="head_referee", says=_("undid a check-in"), undo="ledger")
def take_back_check_in(work: Work, *, entries: Sequence[UUID]) -> None:
    """Undo check-in or lateness, not of players who are out. Refused `has_played`."""
    rows = [row for row in entries_named(work, entries) if can(ENTRY, row.state, "take_back_check_in")]
    _refuse_played(rows)
    _into(work, rows, State.REGISTERED)


@action(least="head_referee", says=_("marked a player as late"), undo="ledger")
def comes_late(work: Work, *, entry: UUID) -> None:
    """Mark an expected player as late; seats stay. Refused `not_expected`."""
    comes_late_entry(work, entry_named(work, entry))


@action(least="head_referee", says=_("marked no-shows"), undo="ledger")
def no_show(work: Work, *, entries: Sequence[UUID]) -> None:
    """Mark no-shows: unseated in unstarted stages, out at running tables from the next play. `readmit_player` undoes
    it. Refused `not_expected`, `has_played`."""
    rows = entries_named(work, entries)
    refuse(entry_fault("not_expected", row.uid) for row in rows if not can(ENTRY, row.state, "no_show"))
    _refuse_played(rows)
    take_out(work, rows, "no_show")


@action(least="head_referee", says=_("noted who has paid"), undo="ledger")
def mark_paid(work: Work, *, entries: Sequence[UUID], paid: bool = True) -> None:
    """Record fees as paid or not. Refused `nobody_chosen`."""
    rows = entries_named(work, entries)
    refuse_if(not rows, Fault("nobody_chosen", "/entries"))
    work.update_all((row, {"paid": paid}) for row in rows)


def check_in_entry(work: Work, row: Entry) -> None:
    """See `check_in`."""
    if can(ENTRY, row.state, "check_in"):
        _into(work, [row], State.CHECKED_IN)


def comes_late_entry(work: Work, row: Entry) -> None:
    """See `comes_late`."""
    refuse_if(not can(ENTRY, row.state, "come_late"), entry_fault("not_expected", row.uid))
    _into(work, [row], State.LATE)


def _in_event(work: Work, uid: UUID) -> Entry:
    row = entry_named(work, uid)
    refuse_if(not row.is_in, entry_fault("not_in_event", row.uid))
    return row


def _refuse_played(rows: Sequence[Entry]) -> None:
    played = set(Result.objects.filter(entry__in=rows).values_list("entry_id", flat=True))
    refuse(entry_fault("has_played", row.uid) for row in rows if row.pk in played)


def _into(work: Work, rows: Sequence[Entry], state: Entry.State) -> None:
    work.update_all((row, {"state": state}) for row in rows)


def _refuse_elsewhere(entry: UUID, table: UUID | None) -> None:
    """Refused `not_seated`: table referees act at their own table."""
    refuse_if(
        table and not Seat.objects.filter(table__uid=table, entry__uid=entry).exists(),
        Fault("not_seated", "/table", {"player": str(entry)}),
    )


def _running_seats(entries: Sequence[Entry]) -> list[Seat]:
    seats = Seat.objects.filter(entry__in=entries, table__stage__state=Stage.State.RUNNING)
    return list(
        seats.select_related("table__stage__tournament", "entry").order_by("entry__start_number", "pk")
    )


def take_out(work: Work, rows: Sequence[Entry], move: str) -> None:
    """Take players out by this move (models/states.py): at running tables from the next play, unseated in unstarted
    stages. Refused `already_out`, `in_running_game`."""
    refuse(entry_fault("already_out", row.uid) for row in rows if not can(ENTRY, row.state, move))
    work.update_all((row, {"state": leads_to(ENTRY, row.state, move)}) for row in rows)
    _sit_where_they_played(work, rows)
    _tell_stages(work, rows)
    for seat in _running_seats(rows):
        uid, contest = seat.entry.uid, contest_now(seat.table)
        at_table = [play for play in contest.plays if play.table == seat.table.uid]
        refuse_if(
            any(play.state == Play.State.RUNNING and play.result_of(uid) for play in at_table),
            entry_fault("in_running_game", uid),
        )
        # Also noted after a heat or match, which may be replayed.
        out_as = OUT_AS[Entry.State(seat.entry.state)]
        _store_seats(work, seat, contest, settle(with_leaving(contest, seat.table, {uid: out_as}, work.at)))
    gone = {row.pk for row in rows}
    freed = Seat.objects.filter(entry__in=rows, table__stage__state=Stage.State.PLANNED)
    tables = Table.objects.filter(seats__in=freed).select_related("stage", *Table.ROLES).distinct()
    work.update_all(
        (table, {role: None for role in Table.ROLES if getattr(table, f"{role}_id") in gone})
        for table in list(tables)
        if gone & {getattr(table, f"{role}_id") for role in Table.ROLES}
    )
    work.deleted(*freed)
    freed.delete()
    move_up_before_play(work)


def _sit_where_they_played(work: Work, rows: Sequence[Entry]) -> None:
    """Players of a running race who sit out get a seat at their last table, for the departure."""
    played = Result.objects.filter(
        entry__in=rows,
        play__table__stage__state=Stage.State.RUNNING,
        play__table__stage__kind=Stage.Kind.RACE,
    ).exclude(entry__seats__table__stage=F("play__table__stage"))
    last = {row.entry: row.play.table for row in played.select_related("entry", "play__table").order_by("pk")}
    for entry, table in last.items():
        position = table.seats.aggregate(last=Max("position"))["last"] or 0
        work.changed(Seat.objects.create(table=table, entry=entry, position=position + 1))


def _store_seats(work: Work, seat: Seat, before: Contest, settled: Settled) -> None:
    store_departures(work, seat.table, before, settled.contest)
    store_moved(work, settled)


def _tell_stages(work: Work, rows: Sequence[Entry]) -> None:
    work.readers_of(*Stage.objects.filter(tables__seats__entry__in=rows).distinct())
