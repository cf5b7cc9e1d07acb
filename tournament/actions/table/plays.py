"""Plays of any kind: void, leave out, revert to a ledger version; `preview_...` settle without storing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import (
    Faults,
    Work,
    action,
    check_start,
    length_s,
    open_table,
    or_refuse,
    play_named,
    plays_seen,
    refuse,
    refuse_if,
    refuse_second,
    refuse_stale,
    settle_and_store,
    store_departures,
)
from tournament.actions.table.games import entries_named, with_newcomers
from tournament.models import PLAY, Entry, LedgerRow, Play, Result, Seat, Stage, Table, can
from tournament.permissions import may
from tournament.results import (
    IN_PLAY,
    OUT_AS,
    SHEET_KINDS,
    Contest,
    Fault,
    Forbidden,
    PlayEntry,
    PlayFacts,
    Settled,
    contest_now,
    in_start_order,
    kind_of,
    players_in,
    settle,
    values_in,
    with_departures,
)
from tournament.server.clock import now
from tournament.words.text import clean

__all__ = ["leave_out_plays", "move_play", "revert_play", "void_play"]


State = Play.State


@action(least="table_referee", says=_("voided a game, round or heat"), undo="at_table")
def void_play(work: Work, *, play: UUID, version: int, reason: str) -> None:
    """Void a play; its ejections stand (KPGUT), and a correction makes it count again. Refused `already_void`;
    Conflict."""
    row, contest, current = play_named(work, play)
    offered = replace(current, state=State.VOID)
    refuse_stale(work, current, offered, version)
    refuse_if(not can(PLAY, current.state, "void"), Fault("already_void", "/play"))
    work.because(reason)
    settle_and_store(work, row, contest, offered)


@action(least="table_referee", says=_("left out results on hold"), undo="ledger")
def leave_out_plays(work: Work, *, table: UUID, plays: Sequence[Mapping[str, Any]], reason: str) -> None:
    """Void plays of a table that are on hold, all or none. Refused as `plays_seen`."""
    row = open_table(work, table)
    work.because(reason)
    for play in plays_seen(row, plays, lambda play: play.state == State.SET_ASIDE):
        settle_and_store(work, row, contest_now(row), replace(play, state=State.VOID))


@action(least="table_referee", says=_("restored an earlier version"), undo="at_table")
def revert_play(work: Work, *, play: UUID, version: int, to: int, reason: str = "") -> None:
    """Restore a play as ledger row `to` left it, with departures. Later plays made impossible are put on hold. Refused
    as `back_to`, with scoring's faults; Conflict."""
    row, contest, current = play_named(work, play)
    after, offered = back_to(row, contest, current, to)
    refuse_stale(work, current, offered, version)
    work.note = clean(reason) or str(to)
    entries_now = Entry.objects.filter(uid__in=[player.entry for player in contest.players])
    before = dict(entries_now.values_list("uid", "state"))
    if kind_of(row.stage.kind).timed:
        entries = entries_named(work, [result.entry for result in offered.results])
        settle_and_store(work, row, with_newcomers(work, row, contest, entries), offered)
    else:
        settle_and_store(work, row, after, offered)
        store_departures(work, row, contest, after)
    # Departures do not tell a no-show from one who left: restore each entry's exact state
    players = Entry.objects.filter(tournament=work.tournament, uid__in=before)
    moved = [entry for entry in players if entry.state != before[entry.uid]]
    then = _latest(row, "entry", to) if moved else {}
    for entry in moved:
        was = then[str(entry.uid)]["state"] if str(entry.uid) in then else entry.state
        if was != entry.state and _out_as(was) == _out_as(entry.state):
            work.update(entry, state=Entry.State(was))


def _out_as(state: str) -> str:
    return OUT_AS.get(Entry.State(state), "")


def back_to(table: Table, contest: Contest, current: PlayFacts, to: int) -> tuple[Contest, PlayFacts]:
    """Contest and play as of ledger row `to`, with its departures; the second look stays. Refused `unknown_version`
    (row without this play), `version_running`, `same_version`, `game_running`, `heat_recorded`."""
    refuse_if(not can(PLAY, current.state, "revert"), Fault("game_running", "/play"))
    rows = LedgerRow.objects.filter(tournament=table.stage.tournament, sequence=to)
    payload = rows.values_list("payload", flat=True).first() or {}
    facts = or_refuse(payload.get("play", {}).get(str(current.uid)), Fault("unknown_version", "/to"))
    then = PlayFacts.from_json(str(current.uid), facts)
    refuse_if(then.state == State.RUNNING, Fault("version_running", "/to"))
    offered = replace(
        then,
        table=current.table,
        number=current.number,
        state=State.VOID if then.state == State.VOID else State.ENTERED,
        second_look=current.second_look,
        version=current.version,
    )
    if offered.state != State.VOID:
        refuse_second(contest, current, "/play")
    after = contest
    if not kind_of(contest.kind).timed:  # in sessions, players leave between games
        out = {
            UUID(seat["entry"]): {name: values_in(Seat, seat)[name] for name in IN_PLAY}
            for seat in _latest(table, "seat", to).values()
            if seat["table"] == str(table.uid) and seat["out_from"] == current.number
        }
        departures = {entry: seat["out_as"] for entry, seat in out.items()}
        after = with_departures(contest, table, current.number, departures, editing=True)
        now_in = {seat.entry for seat in contest.seats if seat.out_from == current.number} - out.keys()
        out |= {entry: seat for entry, seat in _otherwise(table, current.number).items() if entry in now_in}
        after = replace(after, seats=tuple(replace(seat, **out.get(seat.entry, {})) for seat in after.seats))
    refuse_if(_said(offered) == _said(current) and after.seats == contest.seats, Fault("same_version", "/to"))
    missing = {row.entry for row in offered.results} - {player.entry for player in after.players}
    if missing and kind_of(contest.kind).seats_change:
        found = players_in(Entry.objects.filter(uid__in=missing))
        after = replace(after, players=in_start_order([*after.players, *found.values()]))
    return after, offered


def _otherwise(table: Table, number: int) -> dict[UUID, dict[str, Any]]:
    """For each player at this table, the last seat facts in the ledger that do not depart at `number`: the play that is
    reverted may have overwritten a later departure."""
    rows = LedgerRow.objects.filter(tournament=table.stage.tournament, payload__has_key="seat")
    seats = (seat for row in rows.order_by("sequence") for seat in row.payload["seat"].values() if seat)
    return {
        UUID(seat["entry"]): {name: values_in(Seat, seat)[name] for name in IN_PLAY}
        for seat in seats
        if seat["table"] == str(table.uid) and seat["out_from"] != number
    }


def _latest(table: Table, kind: str, to: int) -> Mapping[str, Any]:
    rows = LedgerRow.objects.filter(
        tournament=table.stage.tournament, sequence__lte=to, payload__has_key=kind
    ).order_by("sequence")
    latest: dict[str, Any] = {}
    for payload in rows.values_list("payload", flat=True):
        latest |= payload[kind]
    return {uid: facts for uid, facts in latest.items() if facts is not None}


def _said(play: PlayFacts) -> Any:
    state = State.VOID if play.state == State.VOID else State.ENTERED
    facts = replace(play, state=state, second_look="").as_json()
    return facts | {"results": {row["entry"]: row | {"uid": ""} for row in facts["results"]}}


def preview_play(
    table: Table, entry: PlayEntry, *, play: UUID, number: int, contest: Contest | None = None
) -> Settled:
    """Settle the contest with a new or replaced play, storing nothing. Refused as when storing."""
    contest = contest or contest_now(table)
    stored = contest.play(play)
    before = stored or PlayFacts(play, table.uid, number, State.ENTERED, entered_at=now())
    faults = Faults()
    with faults:
        offered = entry.facts(contest, replace(before, state=State.ENTERED), faults)
        if offered.started_at != before.started_at:
            check_start(table.stage, offered.started_at, now(), over_s=length_s(offered))
        if not kind_of(contest.kind).timed:  # in sessions, players leave between games
            contest = with_departures(
                contest, table, number, entry.departures(contest, offered), editing=stored is not None
            )
        settled = settle(contest.with_play(offered), changed=play)
    refuse(faults)
    return settled


def preview_revert(table: Table, contest: Contest, play: PlayFacts, to: int) -> Settled:
    """Settle the contest with the play as of row `to`, storing nothing. Refused as `revert_play`."""
    after, offered = back_to(table, contest, play, to)
    return settle(after.with_play(offered), changed=play.uid)


def preview_void(contest: Contest, play: PlayFacts) -> Settled:
    """Settle the contest as if the play were void, storing nothing. Refused with scoring's faults."""
    return settle(contest.with_play(replace(play, state=State.VOID)), changed=play.uid)


# ---- Move a play that was entered at the wrong table ----

Outcome = Result.Outcome


@action(least="table_referee", says=_("moved a game, round or heat to another table"), undo="at_table")
def move_play(work: Work, *, play: UUID, version: int, to: UUID, new: UUID, reason: str) -> None:
    """Void a play and re-enter it as `new` at table `to`, with its ejections. Refused `other_players` (not seated
    there), or as voiding and entering; Forbidden without rights there; Conflict."""
    work.because(reason)
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
