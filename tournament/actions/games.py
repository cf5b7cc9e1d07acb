"""A KPGUT game as it runs on the server: each tap at the table is a command of its own.

Taps say what they expect (the player is still in the game) instead of a version: two referees may tap two
players in the same second, and two taps on one player are a conflict that shows both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

from rulesets import RULESETS
from scoring import decks_for
from tournament.actions import _given as given
from tournament.actions._plays import (
    conflict,
    open_table,
    play_named,
    refuse_stale,
    refuse_taken,
    settle_and_store,
    store,
)
from tournament.actions._whole_game import whole_game
from tournament.actions._work import Work, action
from tournament.bridge import Contest, contest_of
from tournament.facts import Hand, PlayFacts, ResultFacts
from tournament.faults import Fault, Refused
from tournament.models import Entry, Play, Result, Seat, Stage, Table

Outcome = Result.Outcome
State = Play.State
MOST_DECKS = 99


@action
def start_game(
    work: Work,
    *,
    table: UUID,
    play: UUID,
    number: int,
    entries: Sequence[UUID] | None = None,
    decks: int | None = None,
    elapsed_s: int = 0,
) -> None:
    """Start a game with these players (everybody seated and not out, where None); the clock began `elapsed_s`
    seconds ago.

    Raises Refused `too_few_players`, `player_in_game` for somebody who is in a running game,
    `elapsed_over_limit`, or Conflict when this number was started already.
    """
    row = open_table(work, table, Stage.Kind.SESSION)
    contest = contest_of(row)
    chosen = given.ids(entries, "/entries") if entries is not None else who_may_play(row)
    _check_elapsed(work, elapsed_s, "/elapsed_s")
    _check_decks(decks)
    offered = PlayFacts(
        play,
        row.uid,
        number,
        State.RUNNING,
        tuple(ResultFacts(uuid4(), entry) for entry in chosen),
        started_at=work.at - timedelta(seconds=elapsed_s),
        decks=decks,
    )
    refuse_taken(work, row, contest, offered)
    if any(other.state == State.RUNNING for other in _at(contest, row)):
        raise Refused(Fault("another_game_running", "/play"))
    entries_by_uid = _fit_players(work, contest, chosen)
    if len(chosen) < 2:
        raise Refused(Fault("too_few_players", "/results", {"least": 2}))
    _give_seats(work, row, contest, entries_by_uid)
    store(work, row, offered)


@action
def record_out(work: Work, *, play: UUID, entry: UUID, elapsed_s: int | None = None) -> None:
    """The player has played every card, `elapsed_s` seconds after the start (now, where None).

    When one player is left, the game ends and that player is last. Raises Conflict when the player is not in
    the game any more, Refused `elapsed_over_limit` after the hour.
    """
    _leave_game(work, play, entry, Outcome.OUT, elapsed_s)


@action
def record_give_up(work: Work, *, play: UUID, entry: UUID, elapsed_s: int | None = None) -> None:
    """The player gives up; see `record_out`."""
    _leave_game(work, play, entry, Outcome.GAVE_UP, elapsed_s)


@action
def eject_player(work: Work, *, play: UUID, entry: UUID, reason: str, elapsed_s: int | None = None) -> None:
    """The player is ejected after a warning: out of this game and of the rest of the session; see
    `record_out`."""
    work.because(reason)
    _leave_game(work, play, entry, Outcome.EJECTED, elapsed_s)


@action
def take_back(work: Work, *, play: UUID, entry: UUID) -> None:
    """Undo the tap that took the player out of the game; a game that had ended with it runs again.

    Raises Refused `nothing_to_take_back` (also for a game that was entered whole), `next_game_began`, and
    `player_in_game` for somebody who is in a running game elsewhere.
    """
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    result = current.result_of(entry)
    by_tap = current.state == State.RUNNING or (
        current.state == State.ENTERED and current.ended == Play.Ended.LAST
    )
    by_tap = by_tap and current.started_at is not None
    if not by_tap or result is None or result.outcome not in {Outcome.OUT, Outcome.GAVE_UP, Outcome.EJECTED}:
        raise Refused(Fault("nothing_to_take_back", f"/results/{entry}"))
    if any(play.number > current.number and play.state != State.VOID for play in _at(contest, row)):
        raise Refused(Fault("next_game_began", "/play"))
    again = {entry} | {other.entry for other in current.with_outcome(Outcome.LAST)}
    busy = _busy(contest, but=current.uid)
    faults = [
        Fault("player_in_game", f"/results/{row.entry}", {"player": str(row.entry)})
        for row in current.results
        if row.entry in busy
    ]
    if faults:
        raise Refused(*faults)
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


@action
def join_game(work: Work, *, play: UUID, entry: UUID) -> None:
    """A latecomer joins with the oldest player's leave, while nobody has gone out; they draw nine cards.

    Somebody without a seat at this table gets one. Raises Refused `joined_too_late`, `player_in_game`.
    """
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    if current.state != State.RUNNING:
        raise Refused(Fault("game_not_running", "/play"))
    if current.with_outcome(Outcome.OUT):
        raise Refused(Fault("joined_too_late", f"/results/{entry}", {"player": str(entry)}))
    _give_seats(work, row, contest, _fit_players(work, contest, [entry]))
    work.replaces = current.version
    # The decks on the table stay what they are, also where one player more would have had another.
    ruleset = RULESETS[work.tournament.ruleset]
    decks = current.decks or row.stage.settings.get("decks") or decks_for(ruleset, len(current.results))
    store(work, row, replace(current, decks=decks, results=(*current.results, ResultFacts(uuid4(), entry))))


@action
def end_game(
    work: Work,
    *,
    play: UUID,
    version: int,
    ended: str,
    hands: Mapping[str, Hand],
    elapsed_s: int | None = None,
) -> None:
    """End a running game with several players left: `ended` is `time` (the hour is up) or `early` (no cards
    left to draw, time needed); `hands` of the remaining, keyed by the entry's uid as text, are cards by id.

    A player who is alone is `last`. Raises Refused with scoring's faults (`missing_hand`, `deck_exceeded`),
    Conflict.
    """
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    held = given.hands(hands)
    strangers = [entry for entry in held if current.result_of(entry) is None]
    faults = [Fault("unknown_player", f"/hands/{entry}", {"player": str(entry)}) for entry in strangers]
    if ended not in Play.Ended.values:
        faults.append(Fault("malformed", "/ended"))
    if faults:
        raise Refused(*faults)
    alone = len(current.with_outcome(Outcome.PLAYING)) == 1

    def final(result: ResultFacts) -> ResultFacts:
        if result.outcome != Outcome.PLAYING:
            return result
        if alone:
            return replace(result, outcome=Outcome.LAST)
        return replace(result, outcome=Outcome.REMAINING, hand=held.get(result.entry, {}))

    elapsed = _elapsed(work, current, elapsed_s, "/elapsed_s") if ended == Play.Ended.EARLY else None
    offered = replace(
        current,
        state=State.ENTERED,
        ended=Play.Ended.LAST if alone else ended,
        duration_s=None if elapsed is None else min(elapsed, 3600),
        results=tuple(final(result) for result in current.results),
    )
    if current.state != State.RUNNING:
        raise conflict(work, current, offered)
    refuse_stale(work, current, offered, version)
    settle_and_store(work, row, contest, offered)


@action
def record_game(
    work: Work,
    *,
    table: UUID,
    play: UUID,
    number: int,
    ended: str,
    results: Sequence[Mapping[str, object]],
    duration_s: int | None = None,
    decks: int | None = None,
) -> None:
    """Enter a whole game, as from paper. `results` are `{"entry", "outcome", "elapsed_s", "hand"}` as a score
    sheet has them; `ended` is last, time or early. Raises Refused with scoring's faults, or Conflict."""
    row = open_table(work, table, Stage.Kind.SESSION)
    contest = contest_of(row)
    _check_decks(decks)
    offered = PlayFacts(play, row.uid, number, State.ENTERED, decks=decks)
    offered = whole_game(offered, ended, results, duration_s)
    refuse_taken(work, row, contest, offered)
    players = [result.entry for result in offered.results]
    entries = _fit_players(work, contest, players, from_paper=True)
    settle_and_store(work, row, _with_newcomers(work, row, contest, entries), offered)


@action
def correct_game(
    work: Work,
    *,
    play: UUID,
    version: int,
    reason: str,
    ended: str,
    results: Sequence[Mapping[str, object]],
    duration_s: int | None = None,
    decks: int | None = None,
) -> None:
    """Enter a game anew in its stored version's place; a void game counts again. See `record_game`.

    Later games of somebody whom this one ejects are set aside.
    """
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    _check_decks(decks)
    offered = replace(current, state=State.ENTERED, decks=decks)
    offered = whole_game(offered, ended, results, duration_s)
    refuse_stale(work, current, offered, version)
    work.because(reason)
    entries = _entries(work, [result.entry for result in offered.results])
    settle_and_store(work, row, _with_newcomers(work, row, contest, entries), offered)


def who_may_play(table: Table) -> tuple[UUID, ...]:
    """The players seated at this table who are neither out nor disqualified, in the order of the seats."""
    seats = Seat.objects.filter(table=table, out_as="").exclude(entry__state=Entry.State.DISQUALIFIED)
    return tuple(seats.order_by("position").values_list("entry__uid", flat=True))


def _leave_game(work: Work, play: UUID, entry: UUID, outcome: str, elapsed_s: int | None) -> None:
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    result = current.result_of(entry)
    if result is None:
        raise Refused(Fault("unknown_player", f"/results/{entry}", {"player": str(entry)}))
    path = f"/results/{entry}/elapsed_s"
    elapsed = _elapsed(work, current, elapsed_s, path)
    results = tuple(
        replace(other, outcome=outcome, elapsed_s=elapsed) if other.entry == entry else other
        for other in current.results
    )
    offered = replace(current, results=results)
    if current.state != State.RUNNING or result.outcome != Outcome.PLAYING:
        raise conflict(work, current, offered)
    _check_elapsed(work, elapsed, path)
    work.replaces = current.version
    left = offered.with_outcome(Outcome.PLAYING)
    if len(left) > 1:
        store(work, row, offered)
        return
    offered = replace(
        offered,
        state=State.ENTERED,
        ended=Play.Ended.LAST,
        duration_s=max(other.elapsed_s or 0 for other in results),
        results=tuple(
            replace(other, outcome=Outcome.LAST) if other.outcome == Outcome.PLAYING else other
            for other in results
        ),
    )
    settle_and_store(work, row, contest, offered)


def _elapsed(work: Work, play: PlayFacts, elapsed_s: int | None, path: str) -> int:
    """Full seconds since the game began, as said or by the server's clock."""
    if elapsed_s is not None:
        return given.whole(elapsed_s, path)
    if play.started_at is None:
        return 0
    return max(0, int((work.at - play.started_at).total_seconds()))


def _check_elapsed(work: Work, elapsed_s: int, path: str) -> None:
    hour_s = RULESETS[work.tournament.ruleset].hour_s
    if not 0 <= given.whole(elapsed_s, path) <= hour_s:
        raise Refused(Fault("elapsed_over_limit", path, {"limit_s": hour_s, "elapsed_s": elapsed_s}))


def _check_decks(decks: int | None) -> None:
    """One deck at least, and no more than a table could hold."""
    if decks is not None and not 1 <= given.whole(decks, "/decks") <= MOST_DECKS:
        raise Refused(Fault("malformed", "/decks", {"decks": decks, "most": MOST_DECKS}))


def _at(contest: Contest, table: Table) -> list[PlayFacts]:
    return [play for play in contest.plays if play.table == table.uid]


def _busy(contest: Contest, but: UUID | None = None) -> set[UUID]:
    """Who is in a running game of the session; `but` one."""
    running = (play for play in contest.plays if play.state == State.RUNNING and play.uid != but)
    return {row.entry for play in running for row in play.results}


def _entries(work: Work, players: Sequence[UUID]) -> dict[UUID, Entry]:
    """The entries of these players; Refused `unknown_player` for somebody of another tournament."""
    found = {entry.uid: entry for entry in Entry.objects.filter(tournament=work.tournament, uid__in=players)}
    strangers = [uid for uid in players if uid not in found]
    if strangers:
        raise Refused(
            *(Fault("unknown_player", f"/results/{uid}", {"player": str(uid)}) for uid in strangers)
        )
    return found


def _fit_players(
    work: Work, contest: Contest, chosen: Sequence[UUID], *, from_paper: bool = False
) -> dict[UUID, Entry]:
    """The entries of those who play, who must be in this tournament and in no running game (that does not matter for
    a game from paper), and not disqualified."""
    entries = _entries(work, chosen)
    busy = set() if from_paper else _busy(contest)
    faults = [
        Fault(code, f"/results/{uid}", {"player": str(uid)})
        for uid in chosen
        for code in [_unfit(entries[uid], busy=uid in busy, again=chosen.count(uid) > 1)]
        if code
    ]
    if faults:
        raise Refused(*faults)
    return entries


def _unfit(entry: Entry, *, busy: bool, again: bool) -> str:
    if again:
        return "duplicate_player"
    if busy:
        return "player_in_game"
    return "disqualified_plays" if entry.state == Entry.State.DISQUALIFIED else ""


def _give_seats(work: Work, table: Table, contest: Contest, entries: Mapping[UUID, Entry]) -> None:
    """Seat those of them who have no seat at this table."""
    here = [seat for seat in contest.seats if seat.table == table.number]
    seated = {seat.entry for seat in here}
    position = max((seat.position for seat in here), default=0)
    for uid, entry in entries.items():
        if uid not in seated:
            position += 1
            work.changed(Seat.objects.create(table=table, entry=entry, position=position))


def _with_newcomers(work: Work, table: Table, contest: Contest, entries: Mapping[UUID, Entry]) -> Contest:
    """The contest in which those of them who had no part in the session yet have a seat at this table."""
    known = {player.entry for player in contest.players}
    newcomers = {uid: entry for uid, entry in entries.items() if uid not in known}
    if not newcomers:
        return contest
    _give_seats(work, table, contest, newcomers)
    return contest_of(table)
