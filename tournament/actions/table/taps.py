"""Taps in a running KPGUT game: out, give-up, ejection, undo, start. Without version check, so that two referees can
tap different players at once; same taps within SAME_S merge into the earlier."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from math import floor
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import (
    Work,
    action,
    check_elapsed,
    check_start,
    conflict,
    elapsed_of,
    length_s,
    moved,
    or_refuse,
    play_named,
    refuse,
    refuse_if,
    say_why,
    settle_and_store,
    store,
)
from tournament.actions.table.games import busy_in, ended_before, plays_at
from tournament.models import PLAY, LedgerRow, Play, Result, Stage, can
from tournament.results import Agreed, Fault, PlayFacts, ResultFacts, given, starts_of

__all__ = ["choose_start", "eject_player", "record_give_up", "record_out", "set_game_start", "take_back"]

Outcome = Result.Outcome
State = Play.State
SOON_S = 10  # seconds until queued taps follow a start
SAME_S = 5  # seconds between two equal taps
LEFT = {Outcome.OUT, Outcome.GAVE_UP, Outcome.EJECTED}
LEAVING = {"record_out", "record_give_up", "eject_player"}


@action(least="table_referee", says=_("recorded that a player went out"), undo="at_table")
def record_out(
    work: Work, *, play: UUID, entry: UUID, elapsed_s: int | None = None, reason: str = ""
) -> None:
    """Record a player out after `elapsed_s` seconds (None: now); `reason` for late entry. The last player left ends
    the game. Conflict if already out (Agreed: same tap) or over (`game_over`), Refused `elapsed_over_limit` after the
    hour."""
    work.note = reason
    _leave_game(work, play, entry, Outcome.OUT, elapsed_s)


@action(least="table_referee", says=_("recorded that a player gave up"), undo="at_table")
def record_give_up(
    work: Work, *, play: UUID, entry: UUID, elapsed_s: int | None = None, reason: str = ""
) -> None:
    """Record that a player gives up, as `record_out`."""
    work.note = reason
    _leave_game(work, play, entry, Outcome.GAVE_UP, elapsed_s)


@action(least="table_referee", says=_("ejected a player"), undo="at_table")
def eject_player(
    work: Work, *, play: UUID, entry: UUID, reason: str, elapsed_s: int | None = None, code: str = ""
) -> None:
    """Eject a player, after a warning, from game and session, as `record_out`. An incident notes penalty `code`."""
    work.because(reason)
    _leave_game(work, play, entry, Outcome.EJECTED, elapsed_s)
    say_why(work, entry, play, code=code, text=reason)


@action(least="table_referee", says=_("undid a tap"), undo="at_table")
def take_back(work: Work, *, play: UUID, entry: UUID) -> None:
    """Undo a tap; a game that it ended resumes. Refused `nothing_to_take_back` (also for games entered whole),
    `next_game_began`, `player_in_game`."""
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    result = current.result_of(entry)
    by_tap = can(PLAY, current.state, "go_on") or (
        can(PLAY, current.state, "run_again")
        and current.ended == Play.Ended.LAST
        and LedgerRow.objects.filter(
            tournament=work.tournament, action="start_game", payload__play__has_key=str(play)
        ).exists()
    )
    refuse_if(
        not by_tap or result is None or result.outcome not in LEFT,
        Fault("nothing_to_take_back", f"/results/{entry}"),
    )
    at_table = [each.uid for each in plays_at(contest, row) if each.state != State.VOID]
    refuse_if(at_table[-1] != play, Fault("next_game_began", "/play"))
    again = {entry} | {other.entry for other in current.with_outcome(Outcome.LAST)}
    busy = busy_in(contest, but=current.uid)
    refuse(
        Fault("player_in_game", f"/results/{row.entry}", {"player": str(row.entry)})
        for row in current.results
        if row.entry in busy
    )
    work.replaces = current.version
    offered = replace(
        current,
        state=State.RUNNING,
        ended="",
        duration_s=None,
        results=tuple(
            replace(other, outcome=Outcome.PLAYING, elapsed_s=None) if other.entry in again else other
            for other in current.results
        ),
    )
    settle_and_store(work, row, contest, offered)


@action(least="table_referee", says=_("corrected a game’s start time"), undo="at_table")
def set_game_start(
    work: Work, *, play: UUID, elapsed_s: int | None = None, earlier_s: int | None = None, reason: str
) -> None:
    """Correct a running game's start: `elapsed_s` seconds ago, or `earlier_s` seconds earlier (may be negative).
    Players out keep their time of day. Refused `game_not_running`, `not_a_time` (neither), `elapsed_over_limit`
    (clock, or a player)."""
    work.because(reason)
    row, _contest, current = play_named(work, play, Stage.Kind.SESSION)
    began = or_refuse(
        current.started_at if can(PLAY, current.state, "go_on") else None, Fault("game_not_running", "/play")
    )
    so_far = work.at - began
    if earlier_s is None:
        ago_s = or_refuse(elapsed_s, Fault("not_a_time", "/elapsed_s"))
        check_elapsed(work, ago_s, "/elapsed_s")
        earlier = timedelta(seconds=ago_s) - so_far
    else:
        check_elapsed(
            work, floor(so_far.total_seconds()) + given.whole(earlier_s, "/earlier_s"), "/elapsed_s"
        )
        earlier = timedelta(seconds=earlier_s)
    started_at, later_s = began - earlier, round(earlier.total_seconds())
    check_start(row.stage, started_at, work.at, "/elapsed_s")
    results = _moved(work, current, later_s, [each.entry for each in current.results])
    work.replaces = current.version
    store(work, row, replace(current, started_at=started_at, other_start=None, results=results))


@action(least="table_referee", says=_("chose when a game began"), undo="at_table")
def choose_start(work: Work, *, play: UUID, started_at: datetime) -> None:
    """Choose between two possible starts. Players out before the start arrived keep their seconds, others their time
    of day. Refused `start_not_asked`, `elapsed_over_limit`."""
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    possible = starts_of(current) if current.other_start else []
    meant = [at for at in possible if abs((at - started_at).total_seconds()) < 1]  # clients truncate seconds
    refuse_if(not meant, Fault("start_not_asked", "/started_at"))
    work.replaces = current.version
    earlier_s = round((possible[0] - meant[0]).total_seconds())
    results = _moved(work, current, earlier_s, _out_later(work, current))
    offered = replace(current, started_at=meant[0], other_start=None, results=results)
    if current.duration_s is not None and results != current.results:
        played_s = 0 if current.ended == Play.Ended.LAST else current.duration_s
        offered = replace(offered, duration_s=length_s(replace(offered, duration_s=played_s)))
    if current.state == State.RUNNING:
        store(work, row, offered)
    else:
        settle_and_store(work, row, contest, offered)


def _out_later(work: Work, play: PlayFacts) -> set[UUID]:
    """Players not out when the queued taps had arrived."""
    soon = (play.entered_at or work.at) + timedelta(seconds=SOON_S)
    rows = LedgerRow.objects.filter(
        tournament=work.tournament, at__lte=soon, payload__play__has_key=str(play.uid)
    )
    row = rows.order_by("sequence").last()
    then = row and PlayFacts.from_json(str(play.uid), row.payload["play"][str(play.uid)])
    out = {each.entry for each in then.results if each.outcome in LEFT} if then else set()
    return {each.entry for each in play.results} - out


def _moved(work: Work, play: PlayFacts, earlier_s: int, who: Collection[UUID]) -> tuple[ResultFacts, ...]:
    results = moved(play, earlier_s, who)
    for each in results:
        check_elapsed(work, each.elapsed_s or 0, f"/results/{each.entry}/elapsed_s")
    return results


def _leave_game(work: Work, play: UUID, entry: UUID, outcome: str, elapsed_s: int | None) -> None:
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    result = or_refuse(
        current.result_of(entry), Fault("unknown_player", f"/results/{entry}", {"player": str(entry)})
    )
    path = f"/results/{entry}/elapsed_s"
    elapsed = elapsed_of(work, current, elapsed_s, path)
    results = tuple(
        replace(other, outcome=outcome, elapsed_s=elapsed) if other.entry == entry else other
        for other in current.results
    )
    offered = replace(current, results=results)
    if (
        result.outcome == outcome
        and result.elapsed_s is not None
        and abs(elapsed - result.elapsed_s) <= SAME_S
    ):
        # the earlier tap wins, unless the play was corrected or voided
        last = LedgerRow.objects.filter(tournament=work.tournament, sequence=current.version).first()
        ended_so = current.state == State.ENTERED and last is not None and last.action in LEAVING
        if elapsed >= result.elapsed_s or not (current.state == State.RUNNING or ended_so):
            raise Agreed.of(conflict(work, current, offered))
    elif not can(PLAY, current.state, "go_on"):
        raise ended_before(work, current, offered)
    elif result.outcome != Outcome.PLAYING:
        raise conflict(work, current, offered)
    check_elapsed(work, elapsed, path)
    work.replaces = current.version
    latest_s = max(other.elapsed_s or 0 for other in results)
    if current.state != State.RUNNING:  # same tap, an earlier second
        settle_and_store(work, row, contest, replace(offered, duration_s=latest_s))
        return
    if len(offered.with_outcome(Outcome.PLAYING)) > 1:
        store(work, row, offered)
        return
    offered = replace(
        offered,
        state=State.ENTERED,
        ended=Play.Ended.LAST,
        duration_s=latest_s,
        results=tuple(
            replace(other, outcome=Outcome.LAST) if other.outcome == Outcome.PLAYING else other
            for other in results
        ),
    )
    settle_and_store(work, row, contest, offered)
