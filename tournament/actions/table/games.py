"""KPGUT games: start, latecomers, end, entry from paper, correction. Taps: `taps`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from types import EllipsisType
from uuid import UUID, uuid4

from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from scoring import decks_for
from tournament.actions.event.registration import is_taken
from tournament.actions.kernel import (
    Work,
    action,
    check_elapsed,
    check_start,
    conflict,
    do_within,
    elapsed_of,
    first_wrong,
    length_s,
    live_moments,
    moments_of_entry,
    moved,
    open_table,
    play_named,
    refuse,
    refuse_if,
    refuse_stale,
    refuse_taken,
    settle_and_store,
    store,
)
from tournament.actions.people.players import walk_in
from tournament.models import PLAY, Entry, Incident, Play, Result, Seat, Stage, Table, can
from tournament.results import (
    Agreed,
    Conflict,
    Contest,
    Fault,
    GameEntry,
    Hand,
    PlayFacts,
    Refused,
    ResultFacts,
    contest_now,
    given,
)

__all__ = ["correct_game", "end_game", "join_game", "record_game", "start_game"]

Outcome = Result.Outcome
State = Play.State
MOST_DECKS = 99
SAME_START_S = 30  # seconds between two starts of one game


@action(least="table_referee", says=_("started a game"), undo="at_table")
def start_game(
    work: Work,
    *,
    table: UUID,
    play: UUID,
    number: int,
    entries: Sequence[UUID] | None = None,
    decks: int | None = None,
    elapsed_s: int = 0,
    late_s: int = 0,
    other_late_s: int | None = None,
) -> None:
    """Start a game with `entries` (None: all seated and not out).

    The clock began `elapsed_s` seconds before the tap, which was `late_s` seconds ago (offline phone), or
    `other_late_s` if its clock was reset: then the start is ambiguous and awaits `choose_start`. Two starts of one
    game within SAME_START_S merge into the earlier.

    Refused `too_few_players`, `player_in_game`, `elapsed_over_limit`; Conflict if the number is taken (Agreed: same
    start, not earlier).
    """
    row = open_table(work, table, Stage.Kind.SESSION)
    contest = contest_now(row)
    chosen = given.ids(entries, "/entries") if entries is not None else who_may_play(row)
    _check_decks(work, decks)
    check_elapsed(work, elapsed_s, "/elapsed_s")
    started_at, other_start = live_moments(work, row, contest, late_s, other_late_s, elapsed_s=elapsed_s)
    starts = [at - timedelta(seconds=elapsed_s) for at in moments_of_entry(work, late_s, other_late_s)]
    if started := _started_alike(plays_at(contest, row), number, chosen, starts):
        _keep_the_earlier(work, row, started, None if other_start else started_at)
        return
    offered = PlayFacts(
        play,
        row.uid,
        number,
        State.RUNNING,
        tuple(ResultFacts(uuid4(), entry) for entry in chosen),
        started_at=started_at,
        other_start=other_start,
        entered_at=work.at if other_start else started_at + timedelta(seconds=elapsed_s),
        decks=decks,
    )
    refuse_taken(work, row, contest, offered)
    refuse_if(
        any(other.state == State.RUNNING for other in plays_at(contest, row)),
        Fault("another_game_running", "/play"),
    )
    entries_by_uid = _fit_players(work, contest, chosen)
    refuse_if(len(chosen) < 2, Fault("too_few_players", "/results", {"least": 2}))
    _give_seats(work, row, contest, entries_by_uid)
    store(work, row, offered, new=True)


@action(least="table_referee", says=_("let a player join mid-game"), undo="at_table")
def join_game(
    work: Work, *, play: UUID, entry: UUID, name: str | None = None, public_name_is_right: bool = False
) -> None:
    """Add a latecomer before anyone is out, by the oldest player's permission; they draw nine cards. `name` enters an
    outsider as `entry`, as `walk_in` does.

    Refused `joined_too_late`, `player_in_game`, `entered_already` (name).
    """
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    refuse_if(not can(PLAY, current.state, "go_on"), Fault("game_not_running", "/play"))
    refuse_if(
        current.with_outcome(Outcome.OUT),
        Fault("joined_too_late", f"/results/{entry}", {"player": str(entry)}),
    )
    if name is not None and not Entry.objects.filter(tournament=work.tournament, uid=entry).exists():
        refuse_if(
            is_taken(Entry(tournament=work.tournament, uid=entry, public_name=name)),
            Fault("entered_already", "/name"),
        )
        do_within(work, walk_in, entry=entry, name=name, public_name_is_right=public_name_is_right)
    _give_seats(work, row, contest, _fit_players(work, contest, [entry]))
    work.replaces = current.version
    # one player more needs no other deck
    ruleset = RULESETS[work.tournament.ruleset]
    decks = current.decks or row.stage.settings.get("decks") or decks_for(ruleset, len(current.results))
    store(work, row, replace(current, decks=decks, results=(*current.results, ResultFacts(uuid4(), entry))))


@action(least="table_referee", says=_("ended a game"), undo="at_table")
def end_game(
    work: Work,
    *,
    play: UUID,
    ended: str,
    hands: Mapping[str, Hand],
    version: int | None = None,
    remaining: Sequence[UUID] | None = None,
    elapsed_s: int | None = None,
) -> None:
    """End a game with players left: `ended` is `time` (the hour is up) or `early` (no cards, or time needed). `hands`
    maps entry uids as text to numbers by card id.

    Optimistic lock: `version` or, with taps in transit, the players `remaining`. Refused `field_required` without
    either, scoring's faults (`missing_hand`, `deck_exceeded`); Conflict, `game_over` of an ended game.
    """
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    over = not can(PLAY, current.state, "end")
    held = given.hands(hands, work.faults)
    work.faults.add_if(ended not in Play.Ended.values, Fault("malformed", "/ended"))
    work.faults.add_if(version is None and remaining is None, Fault("field_required", "/remaining"))
    work.faults += [
        Fault("unknown_player", f"/hands/{entry}", {"player": str(entry)})
        for entry in held
        if current.result_of(entry) is None
    ]
    if not over:
        refuse(work.faults)
    playing = {result.entry for result in current.with_outcome(Outcome.PLAYING)}
    counted = playing | held.keys() if over else playing  # ended elsewhere: the other version
    elapsed = elapsed_of(work, current, elapsed_s, "/elapsed_s") if ended == Play.Ended.EARLY else None
    offered = replace(
        current,
        state=State.ENTERED,
        ended=ended,
        duration_s=None if elapsed is None else min(elapsed, RULESETS[work.tournament.ruleset].hour_s),
        results=tuple(
            replace(result, outcome=Outcome.REMAINING, hand=held.get(result.entry, {}))
            if result.entry in counted
            else result
            for result in current.results
        ),
    )
    if over:
        raise ended_before(work, current, offered)
    as_seen = remaining is not None and playing == set(given.ids(remaining, "/remaining"))
    refuse_stale(work, current, offered, current.version if as_seen else version or 0)
    settle_and_store(work, row, contest, offered)


@action(least="table_referee", says=_("entered a game"), undo="at_table")
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
    started_at: datetime | None = None,
    late_s: int = 0,
    other_late_s: int | None = None,
) -> None:
    """Enter a whole game. `results` are `{"entry", "outcome", "elapsed_s", "hand"}` as in a score sheet; `ended` is
    last, time or early; `late_s`, `other_late_s` as in `start_game`.

    Ordered by `started_at`, else by time of entry; later ejections and removals stand. Refused `start_in_future`,
    `start_before_stage`, scoring's faults (`disqualified_plays` after the ejection); Conflict.
    """
    row = open_table(work, table, Stage.Kind.SESSION)
    contest = contest_now(row)
    _check_decks(work, decks)
    entered_at, other = live_moments(work, row, contest, late_s, other_late_s)
    blank = PlayFacts(play, row.uid, number, State.ENTERED, entered_at=work.at if other else entered_at)
    offered = GameEntry(ended, results, duration_s, decks, started_at).facts(
        contest, replace(blank, other_start=entered_at if other and not started_at else None), work.faults
    )
    check_start(row.stage, started_at, work.at, over_s=length_s(offered))
    refuse_taken(work, row, contest, offered)
    entries = entries_named(work, [result.entry for result in offered.results])
    _refuse_after_removal(contest, offered, entries)
    settle_and_store(work, row, with_newcomers(work, row, contest, entries), offered)


@action(least="table_referee", says=_("corrected a game"), undo="at_table")
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
    started_at: datetime | EllipsisType | None = ...,
) -> None:
    """Replace a game's stored version; a void one counts again. Without `started_at` the start stays; None: unknown.
    As `record_game`."""
    work.because(reason)
    row, contest, current = play_named(work, play, Stage.Kind.SESSION)
    _check_decks(work, decks)
    offered = GameEntry(ended, results, duration_s, decks, started_at).facts(
        contest, replace(current, state=State.ENTERED), work.faults
    )
    if offered.started_at != current.started_at:
        check_start(row.stage, offered.started_at, work.at, over_s=length_s(offered))
    refuse_stale(work, current, offered, version)
    entries = entries_named(work, [result.entry for result in offered.results])
    settle_and_store(work, row, with_newcomers(work, row, contest, entries), offered)


def _started_alike(
    plays: Sequence[PlayFacts], number: int, chosen: Sequence[UUID], starts: Sequence[datetime]
) -> PlayFacts | None:
    for play in plays:
        same = play.number == number and play.state != State.VOID
        alike = same and {each.entry for each in play.results} == {*chosen}
        apart = [abs((at - play.started_at).total_seconds()) for at in starts] if play.started_at else []
        if alike and apart and min(apart) <= SAME_START_S:
            return play
    return None


def _keep_the_earlier(work: Work, table: Table, started: PlayFacts, start: datetime | None) -> None:
    """Move a running game to an earlier, certain start; players out keep their time of day. Otherwise, or beyond the
    hour, raises Agreed."""
    sure = started.started_at and start and not started.other_start and started.state == State.RUNNING
    earlier_s = (started.started_at - start).total_seconds() if started.started_at and start else 0
    offered = replace(started, started_at=start, results=moved(started, round(earlier_s)))
    if not sure or earlier_s <= 0 or length_s(offered) > RULESETS[work.tournament.ruleset].hour_s:
        raise Agreed.of(conflict(work, started, offered))
    work.replaces = started.version
    store(work, table, offered)


def who_may_play(table: Table) -> tuple[UUID, ...]:
    """Uids of players seated here and not out, by seat."""
    seats = Seat.objects.playing_on().filter(table=table)
    return tuple(seats.order_by("position").values_list("entry__uid", flat=True))


def _check_decks(work: Work, decks: int | None) -> None:
    with work.faults:
        if decks is not None and not 1 <= given.whole(decks, "/decks") <= MOST_DECKS:
            raise Refused(Fault("malformed", "/decks", {"decks": decks, "most": MOST_DECKS}))


def entries_named(work: Work, players: Sequence[UUID]) -> dict[UUID, Entry]:
    """Entries by uid."""
    found = {entry.uid: entry for entry in Entry.objects.filter(tournament=work.tournament, uid__in=players)}
    refuse(
        Fault("unknown_player", f"/results/{uid}", {"player": str(uid)})
        for uid in players
        if uid not in found
    )
    return found


def _refuse_after_removal(contest: Contest, game: PlayFacts, entries: Mapping[UUID, Entry]) -> None:
    """Refuse players removed before the game, or ejected elsewhere."""
    began = game.started_at or game.entered_at
    removals = Incident.objects.filter(kind=Incident.Kind.EJECTION, withdrawn=False, play=None)
    removed = dict(removals.filter(entry__in=entries.values()).values_list("entry__uid", "at"))
    refuse(
        Fault("disqualified_plays", f"/results/{uid}", {"player": str(uid)})
        for uid, entry in entries.items()
        if entry.state == Entry.State.DISQUALIFIED
        and (began is None or removed[uid] <= began if uid in removed else str(uid) not in contest.names)
    )


def _fit_players(work: Work, contest: Contest, chosen: Sequence[UUID]) -> dict[UUID, Entry]:
    entries = entries_named(work, chosen)
    busy = busy_in(contest)
    refuse(
        Fault(code, f"/results/{uid}", {"player": str(uid)})
        for uid in chosen
        if (
            code := first_wrong(
                duplicate_player=chosen.count(uid) > 1,
                player_in_game=uid in busy,
                disqualified_plays=entries[uid].state == Entry.State.DISQUALIFIED,
            )
        )
    )
    return entries


def _give_seats(work: Work, table: Table, contest: Contest, entries: Mapping[UUID, Entry]) -> None:
    here = [seat for seat in contest.seats if seat.table == table.number]
    seated = {seat.entry for seat in here}
    position = max((seat.position for seat in here), default=0)
    for uid, entry in entries.items():
        if uid not in seated:
            position += 1
            work.changed(Seat.objects.create(table=table, entry=entry, position=position))


def with_newcomers(work: Work, table: Table, contest: Contest, entries: Mapping[UUID, Entry]) -> Contest:
    """The contest after seating players new to the session."""
    newcomers = {uid: entry for uid, entry in entries.items() if str(uid) not in contest.names}
    if not newcomers:
        return contest
    _give_seats(work, table, contest, newcomers)
    return contest_now(table)


def ended_before(work: Work, current: PlayFacts, offered: PlayFacts) -> Conflict:
    """Conflict with a game that is over or void, saying how and since when."""
    found = conflict(work, current, offered)
    how = {
        "ended": current.ended,
        "at": (found.current.at or work.at).isoformat(),
        "time_zone": work.tournament.time_zone,
    }
    found.faults = (Fault("already_void" if current.state == State.VOID else "game_over", "/play", how),)
    return found


def plays_at(contest: Contest, table: Table) -> list[PlayFacts]:
    """Plays of this table, in order."""
    return [play for play in contest.in_order if play.table == table.uid]


def busy_in(contest: Contest, but: UUID | None = None) -> set[UUID]:
    """Players in running games, except the game `but`."""
    return {
        row.entry
        for play in contest.plays
        if play.state == Play.State.RUNNING and play.uid != but
        for row in play.results
    }
