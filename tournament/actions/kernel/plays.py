"""Load, check and store plays, their times and ejections; calls of referees."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from rulesets import RULESETS, penalties_of
from tournament.actions.kernel.work import Work, fit, refuse_other_kind
from tournament.ledger.past import entry_of
from tournament.models import Call, Entry, Incident, LedgerRow, Play, Result, Seat, Stage, Table
from tournament.results import (
    COUNTS,
    IN_PLAY,
    OUT_AS,
    Conflict,
    Contest,
    Fault,
    HeatEntry,
    PlayerFacts,
    PlayFacts,
    Refused,
    ResultFacts,
    RoundEntry,
    Settled,
    Version,
    by_moments,
    contest_now,
    following_number,
    given,
    kind_of,
    or_refuse,
    players_in,
    refuse,
    refuse_if,
    settle,
    starts_of,
    with_departures,
    with_leaving,
)
from tournament.server.database import has_written

STANDS = COUNTS | {Play.State.VOID}  # their ejections stand
ANY_VERSION = -1  # no version check


def table_named(work: Work, uid: UUID) -> Table:
    """This tournament's table of that uid."""
    read, head = work.command.table, work.tournament.ledger_head
    if (
        read
        and (read.uid, read.stage.tournament.ledger_head) == (uid, head)
        and not (work.again or has_written())
    ):
        return read
    tables = Table.objects.select_related("stage__tournament").filter(stage__tournament=work.tournament)
    return or_refuse(tables.filter(uid=uid).first(), Fault("unknown_table", "/table"))


def played_table(work: Work, uid: UUID) -> Table:
    """A table whose stage has begun; Refused `stage_not_running`."""
    table = table_named(work, uid)
    refuse_if(
        table.stage.state == Stage.State.PLANNED,
        Fault("stage_not_running", "/table", {"state": str(table.stage.state)}),
    )
    return table


def open_table(work: Work, uid: UUID, *kinds: Stage.Kind) -> Table:
    """A table where these kinds (default: any) are played now; Refused `wrong_kind_of_stage`, `stage_not_running`."""
    table = table_named(work, uid)
    refuse_other_kind(table.stage.kind, "/table", kinds or tuple(Stage.Kind))
    refuse_if(
        table.stage.state != Stage.State.RUNNING,
        Fault("stage_not_running", "/table", {"state": str(table.stage.state)}),
    )
    return table


def play_named(work: Work, uid: UUID, *kinds: Stage.Kind) -> tuple[Table, Contest, PlayFacts]:
    """The play's table, contest and facts; as `open_table`."""
    tables = Play.objects.filter(uid=uid, table__stage__tournament=work.tournament).values_list("table__uid")
    (table_uid,) = or_refuse(tables.first(), Fault("unknown_play", "/play"))
    table = open_table(work, table_uid, *kinds)
    contest = contest_now(table)
    play = contest.play(uid)
    assert play is not None
    return table, contest, play


def plays_seen(
    table: Table, plays: Sequence[Mapping[str, Any]], waits: Callable[[PlayFacts], bool]
) -> list[PlayFacts]:
    """Plays given as (`play`, `version`), in playing order. Refused `malformed` (none), `changed_meanwhile` (for each
    stale one, or that no longer `waits`)."""
    contest = contest_now(table)
    here = {play.uid: play for play in contest.at(table.uid)}
    seen = {each["play"]: each["version"] for each in plays}
    refuse_if(not seen, Fault("malformed", "/plays"))
    refuse_if(not seen.keys() <= here.keys(), Fault("unknown_play", "/plays"))
    found = sorted((here[uid] for uid in seen), key=lambda play: play.number)
    changed = [play for play in found if play.version != seen[play.uid] or not waits(play)]
    if changed:
        at: dict[str, str | int] = {"table": table.number, "contest": contest.kind}
        faults = (
            Fault("changed_meanwhile", f"/plays/{play.uid}", at | {"number": play.number}) for play in changed
        )
        raise Refused(*faults)
    return found


def record(
    work: Work,
    entry: RoundEntry[UUID] | HeatEntry[UUID],
    *kinds: Stage.Kind,
    table: UUID,
    play: UUID,
    number: int,
    late_s: int = 0,
) -> None:
    """Enter a play, made `late_s` seconds ago (offline phone): players who left since took part. Refused with
    scoring's faults, `heat_recorded`; Conflict if the number is taken."""
    row = open_table(work, table, *kinds)
    contest = contest_now(row)
    offered = entry.facts(contest, PlayFacts(play, row.uid, number, Play.State.ENTERED), work.faults)
    at, _other = live_moments(work, row, contest, late_s, None)
    if kind_of(contest.kind).seats_change:  # a race orders its games by entry, over all tables
        former = [each.entered_at for each in contest.at(row.uid) if each.entered_at]
        offered = replace(offered, entered_at=max([at, *former]))
    refuse_taken(work, row, contest, offered)
    refuse_second(contest, offered, "/number")
    after = with_departures(contest, row, number, entry.departures(contest, offered), editing=False, at=at)
    settle_and_store(work, row, after, offered)
    store_departures(work, row, contest, after)


def correct(
    work: Work,
    entry: RoundEntry[UUID] | HeatEntry[UUID],
    *kinds: Stage.Kind,
    play: UUID,
    version: int,
    reason: str,
) -> None:
    """Replace a play's stored version. A void play counts again; later plays that become impossible are set aside.
    Raises as `record`."""
    work.because(reason)
    row, contest, current = play_named(work, play, *kinds)
    offered = entry.facts(contest, replace(current, state=Play.State.ENTERED), work.faults)
    refuse_stale(work, current, offered, version)
    refuse_second(contest, current, "/play")
    after = with_departures(contest, row, current.number, entry.departures(contest, current), editing=True)
    settle_and_store(work, row, after, offered)
    store_departures(work, row, contest, after)


def refuse_second(contest: Contest, play: PlayFacts, path: str) -> None:
    """Refused `heat_recorded` if another play counts at a table that plays once."""
    refuse_if(
        kind_of(contest.kind).one_play
        and any(
            other.state in COUNTS and other.table == play.table and other.uid != play.uid
            for other in contest.plays
        ),
        Fault("heat_recorded", path),
    )


def refuse_taken(work: Work, table: Table, contest: Contest, offered: PlayFacts) -> None:
    """Requires the table's next number. Conflict if it is taken (the offered play takes over a stored start), Refused
    `play_exists`, `wait_for_predecessor` (earlier plays missing)."""
    given.whole(offered.number, "/number")
    at_table = contest.at(table.uid)
    taken = next(
        (play for play in at_table if play.number == offered.number or play.uid == offered.uid), None
    )
    if taken:
        raise conflict(work, taken, replace(offered, started_at=offered.started_at or taken.started_at))
    refuse_if(work.again and Play.objects.filter(uid=offered.uid).exists(), Fault("play_exists", "/play"))
    following = following_number(at_table)
    refuse_if(offered.number != following, Fault("wait_for_predecessor", "/number", {"next": following}))


def refuse_stale(work: Work, current: PlayFacts, offered: PlayFacts, version: int) -> None:
    """Conflict unless `version` is current or ANY_VERSION."""
    work.replaces = current.version
    if version not in {ANY_VERSION, current.version}:
        raise conflict(work, current, offered)


def conflict(work: Work, current: PlayFacts, offered: PlayFacts) -> Conflict:
    """Conflict of the stored and the offered play, with authors and times."""
    row = entry_of(work.tournament.pk, current)
    return Conflict(
        current=Version(current, row.actor.display_name(), row.at, row.sequence)
        if row
        else Version(current, "", None),
        offered=Version(offered, work.command.actor.display_name(), None),
    )


def settle_and_store(work: Work, table: Table, contest: Contest, play: PlayFacts) -> None:
    """Score and store the play, with plays that it sets aside or takes back; its contest ends. Refused with scoring's
    faults."""
    contested = play.second_look == Play.SecondLook.CONTESTED
    looked_at = table.stage.second_look or play.second_look  # ask again even if looked at before
    play = replace(play, second_look=Play.SecondLook.WANTED if looked_at else "")
    settled = settle(contest.with_play(play), changed=play.uid)
    stored = settled.contest.play(play.uid)
    assert stored is not None
    store(work, table, stored, (*contest.players, *contest.others), new=contest.play(play.uid) is None)
    store_moved(work, settled)
    if contested:
        answer_contest(work, table, play.uid)  # last: no call stays about plays set aside
    follow_ejections(work, contest, settled)
    if kind_of(contest.kind).timed:
        store_departures(work, table, contest, by_moments(settled.contest))


def store(
    work: Work, table: Table, play: PlayFacts, players: Collection[PlayerFacts] = (), *, new: bool = False
) -> None:
    """Write a play with its results; `players`: if known; `new`: for the first time."""
    refuse(work.faults)
    named = [play.drew, *(row.entry for row in play.results)]
    known = players or players_in(Entry.objects.filter(uid__in=named)).values()
    keys = {player.entry: player.key for player in known}
    values = {
        "table": table,
        "number": play.number,
        "state": play.state,
        "started_at": play.started_at,
        "other_start": play.other_start,
        "entered_at": play.entered_at,
        "ended": play.ended,
        "duration_s": play.duration_s,
        "decks": play.decks,
        "last_cards": dict(play.last_cards),
        "drew_id": keys[play.drew] if play.drew else None,
        "advance": play.advance,
        "second_look": play.second_look,
        "version": work.sequence,
    }
    if new:
        row = Play.objects.create(uid=play.uid, **values)
    else:
        row = Play.objects.get(uid=play.uid)
        Play.objects.filter(pk=row.pk).update(**values)
        row.results.all().delete()
    Result.objects.bulk_create(
        Result(
            uid=result.uid,
            play=row,
            entry_id=keys[result.entry],
            outcome=result.outcome,
            elapsed_s=result.elapsed_s,
            hand=dict(result.hand),
            finish=result.finish,
        )
        for result in play.results
    )
    if kind_of(table.stage.kind).timed:
        follow_game(work, table, row, list(Entry.objects.filter(uid__in=play.ejected)))
    work.wrote(play, table.stage)


def store_moved(work: Work, settled: Settled) -> None:
    """Store the states of other plays that settling changed."""
    for play in settled.moved:
        Play.objects.filter(uid=play.uid).update(state=play.state, version=work.sequence)
        work.wrote(play)


def follow_ejections(work: Work, before: Contest, settled: Settled) -> None:
    """Disqualify a session's ejected players; check others in again."""
    if not kind_of(before.kind).timed:
        return
    was = {entry for play in before.ejecting if play.state in STANDS for entry in play.ejected}
    still = [play for play in settled.contest.ejecting if play.uid not in settled.impossible]
    now = {entry for play in still if play.state in STANDS for entry in play.ejected}
    back = was - now - {seat.entry for seat in before.seats if seat.out_as == Seat.OutAs.REMOVED}
    for entry in Entry.objects.filter(uid__in=now | back):
        if (entry.state == Entry.State.DISQUALIFIED) != (entry.uid in now):
            work.update(entry, state=Entry.State.DISQUALIFIED if entry.uid in now else Entry.State.CHECKED_IN)


def store_departures(work: Work, table: Table, before: Contest, contest: Contest) -> None:
    """Store who is out at this table, and their entries' states."""
    if contest.seats == before.seats:
        return
    wanted = {seat.entry: seat for seat in contest.seats if seat.table == table.number}
    states = {Seat.OutAs.REMOVED: Entry.State.DISQUALIFIED, Seat.OutAs.WITHDRAWN: Entry.State.LEFT}
    for seat in Seat.objects.filter(table=table).select_related("entry__player", "table"):
        facts = wanted[seat.entry.uid]
        if all(getattr(seat, name) == getattr(facts, name) for name in IN_PLAY):
            continue
        before_as = seat.out_as
        for name in IN_PLAY:
            setattr(seat, name, getattr(facts, name))
        removed = seat.out_as == Seat.OutAs.REMOVED
        if removed != (before_as == Seat.OutAs.REMOVED):
            follow_removal(work, table, seat.entry, removed=removed)
        seat.save(update_fields=[*IN_PLAY])
        work.changed(seat, seat.entry)
        if seat.out_as in {before_as, OUT_AS.get(Entry.State(seat.entry.state))}:
            continue  # more exact already: a no-show has not left
        seat.entry.state = states[Seat.OutAs(seat.out_as)] if seat.out_as else Entry.State.CHECKED_IN
        seat.entry.save(update_fields=["state"])


def note_who_left(work: Work, table: Table) -> None:
    """Players out of the event are out of this match from its end on, since it may resume."""
    contest = contest_now(table)
    still = [seat.entry for seat in contest.seats if not seat.out_as]
    gone = Entry.objects.filter(uid__in=still, state__in=OUT_AS).values_list("uid", "state")
    departures = {uid: OUT_AS[Entry.State(state)] for uid, state in gone}
    store_departures(work, table, contest, with_leaving(contest, table, departures, work.at))


def open_call(work: Work, table: Table, kind: Call.Kind, play: Play | None = None) -> None:
    """Call a referee, unless such a call is open."""
    if not Call.objects.filter(table=table, kind=kind, answered_at=None).exists():
        work.changed(Call.objects.create(table=table, kind=kind, play=play, at=work.at))


def call_for_help(work: Work, table: Table) -> None:
    """Call a referee. Refused `called_already`: repeated taps must not fill the ledger."""
    refuse_if(
        Call.objects.filter(table=table, kind=Call.Kind.HELP, answered_at=None).exists(),
        Fault("called_already", "/table"),
    )
    open_call(work, table, Call.Kind.HELP)


def answer(work: Work, call: Call) -> None:
    """Mark the call as answered by the actor."""
    work.update(call, answered_at=work.at, answered_by=work.command.actor)


def answer_contest(work: Work, table: Table, play: UUID) -> None:
    """End a play's contest: answer the call, or pass it to another contested play."""
    call = Call.objects.filter(table=table, kind=Call.Kind.CONTEST, answered_at=None).first()
    if call is None:
        return
    other = (
        Play.objects.filter(table=table, state=Play.State.ENTERED, second_look=Play.SecondLook.CONTESTED)
        .order_by("number")
        .first()
    )
    if other is None:
        answer(work, call)
    elif call.play is None or call.play.uid == play:
        work.update(call, play=other)


# ---- Times of play, from the stage's start to now: typed ones outside are refused, live ones moved to the bound

AHEAD_S = 5  # seconds that another clock may be fast
JUST_BEGUN_S = 5  # seconds that two servers' clocks may differ
EARLY_S = 59  # seconds before the stage's start; typed times are in minutes
ASK_S = 120  # seconds that two readings of a clock may differ
LATEST_S = 30 * 24 * 3600  # longest delay of an entry


def check_start(
    stage: Stage, started_at: datetime | None, at: datetime, path: str = "/started_at", over_s: int = 0
) -> None:
    """Refuse a start after `at` (now), before the stage began, or under `over_s` seconds ago."""
    if started_at is None:
        return
    refuse_if(started_at > at, Fault("start_in_future", path))
    refuse_if((at - started_at).total_seconds() < over_s - AHEAD_S, Fault("end_in_future", path))
    if began := _stage_after(stage, started_at):
        told = {"at": began.isoformat(), "time_zone": stage.tournament.time_zone}
        raise Refused(Fault("start_before_stage", path, told))


def _stage_after(stage: Stage, moment: datetime) -> datetime | None:
    """Rehearsals are exempt."""
    rows = LedgerRow.objects.filter(tournament=stage.tournament_id, payload__has_key="stage")
    begun = (
        at
        for at, payload in rows.order_by("sequence").values_list("at", "payload").iterator()
        if payload["stage"].get(str(stage.uid), {}).get("state") == Stage.State.RUNNING
    )
    early = not stage.tournament.rehearsal and moment + timedelta(seconds=EARLY_S) < (
        began := next(begun, moment)
    )
    return began if early else None


def live_moments(
    work: Work,
    table: Table,
    contest: Contest,
    late_s: int,
    other_late_s: int | None,
    *,
    elapsed_s: int = 0,
) -> tuple[datetime, datetime | None]:
    """Time `elapsed_s` seconds before a live entry that came `late_s` seconds late, no earlier than the stage's start
    and the end of the table's former games; and the other possible time or None: by `other_late_s`, or by now if moved
    over ASK_S seconds. Refused `start_before_stage`."""
    ago = timedelta(seconds=elapsed_s)
    if elapsed_s:
        check_start(table.stage, work.at - ago, work.at, "/elapsed_s")
    former = [
        play.started_at + timedelta(seconds=length_s(play))
        for play in contest.at(table.uid)
        if play.state in COUNTS and play.started_at and not play.other_start
    ]
    both = moments_of_entry(work, late_s, other_late_s)
    moments = [min(work.at, max([at, *former])) - ago for at in both]
    moments = [(at < work.at and _stage_after(table.stage, at)) or at for at in moments]
    outside = (moments[0] + ago - both[0]).total_seconds() > ASK_S
    return moments[0], moments[-1] if len(both) > 1 else work.at - ago if outside else None


def moments_of_entry(work: Work, late_s: int, other_late_s: int | None) -> list[datetime]:
    """One or two times at which a live entry may have been made."""
    both = [given.whole(each, "/late_s") for each in (late_s, other_late_s) if each is not None]
    return [work.at - timedelta(seconds=min(max(0, each), LATEST_S)) for each in both]


def length_s(play: PlayFacts) -> int:
    """The game's minimum length in seconds."""
    return max([play.duration_s or 0, *(row.elapsed_s or 0 for row in play.results)])


def moved(play: PlayFacts, earlier_s: int, who: Collection[UUID] | None = None) -> tuple[ResultFacts, ...]:
    """Results for a start `earlier_s` seconds earlier; these players (None: all) keep their time of day."""
    return tuple(
        each
        if each.elapsed_s is None or (who is not None and each.entry not in who)
        else replace(each, elapsed_s=each.elapsed_s + earlier_s)
        for each in play.results
    )


def elapsed_of(work: Work, play: PlayFacts, elapsed_s: int | None, path: str) -> int:
    """Seconds since the start, as stated or by the server's clock (may be negative). Refused `elapsed_in_future`."""
    if play.started_at is None:
        return given.whole(elapsed_s or 0, path)
    if elapsed_s is not None:
        most = (work.at - min(starts_of(play))).total_seconds() + AHEAD_S
        refuse_if(given.whole(elapsed_s, path) > most, Fault("elapsed_in_future", path))
        return elapsed_s
    elapsed = int((work.at - play.started_at).total_seconds())
    # A clock set back must not yield a best time.
    return elapsed if elapsed < -JUST_BEGUN_S else max(elapsed, 0)


def check_elapsed(work: Work, elapsed_s: int, path: str) -> None:
    """Refused `elapsed_over_limit` outside the game's hour."""
    hour_s = RULESETS[work.tournament.ruleset].hour_s
    refuse_if(
        not 0 <= given.whole(elapsed_s, path) <= hour_s,
        Fault("elapsed_over_limit", path, {"limit_s": hour_s, "elapsed_s": elapsed_s}),
    )


# ---- Incidents of ejections, stored by the ledger row that ejects ----

LONGEST_REASON = 500  # characters


def follow_game(work: Work, table: Table, play: Play, ejected: Collection[Entry]) -> None:
    """Sync a game's incidents with its ejections."""
    stored = {row.entry: row for row in _standing().filter(play=play)}
    work.update_all((row, {"withdrawn": True}) for entry, row in stored.items() if entry not in ejected)
    for entry in ejected:
        if entry not in stored:
            _make(work, table, entry, play)


def follow_removal(work: Work, table: Table | None, entry: Entry, *, removed: bool) -> None:
    """Add or withdraw the incident of a removal."""
    stored = list(_standing().filter(play=None, entry=entry))
    if removed and not stored:
        _make(work, table, entry, None)
    work.update_all((row, {"withdrawn": True}) for row in stored if not removed)


def say_why(work: Work, entry: UUID, play: UUID | None, *, code: str, text: str) -> None:
    """Record the reason: a sheet's row (`code`) and a text. Refused `unknown_penalty`."""
    refuse_if(
        code and all(row.code != code for row in penalties_of(work.tournament.ruleset)),
        Fault("unknown_penalty", "/code"),
    )
    for row in _standing().filter(entry__uid=entry):
        if (row.play and row.play.uid) == play:
            work.update(row, code=code, text=fit(text, "/reason", LONGEST_REASON))


def _standing() -> QuerySet[Incident]:
    return Incident.objects.filter(kind=Incident.Kind.EJECTION, withdrawn=False).select_related(
        "table", "play", "entry", "by"
    )


def _make(work: Work, table: Table | None, entry: Entry, play: Play | None) -> None:
    work.add(
        Incident(
            tournament=work.tournament,
            kind=Incident.Kind.EJECTION,
            at=work.at,
            by=work.command.actor,
            table=table,
            play=play,
            entry=entry,
        )
    )
