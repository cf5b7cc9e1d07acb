"""Settling: score the sheet, and set aside the plays that earlier plays made impossible instead of refusing the sheet.

A correction may end a match earlier or eject a player before games that they went on to play. Those later plays are
set aside, visibly; when the correction is taken back they count again. So the states follow from the facts alone, and
entering, correcting and voiding in any order give the same result as entering everything right at first.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from uuid import UUID

from scoring import Answer, MatchAnswer, SheetInvalid, score
from tournament.models import Entry, Play, Seat, Stage, Table
from tournament.results.bridge import (
    COUNTS,
    Contest,
    Sheet,
    fault_at,
    following_number,
    sheet_of,
)
from tournament.results.facts import IN_PLAY, PlayFacts, SeatFacts
from tournament.results.faults import Fault, Refused
from tournament.results.kinds import kind_of

# scoring's codes for a play that cannot have been played so, given the ones before it.
IMPOSSIBLE = frozenset(
    {"match_over", "walkover", "disqualified_plays", "removed_plays", "missing_hand", "missing_winner"}
)

# How seats record that somebody is out of the event. The standings make no difference between leaving and not coming.
OUT_AS = {
    Entry.State.DISQUALIFIED: Seat.OutAs.REMOVED,
    Entry.State.LEFT: Seat.OutAs.WITHDRAWN,
    Entry.State.NO_SHOW: Seat.OutAs.WITHDRAWN,
}


@dataclass(frozen=True, slots=True)
class Settled:
    """A contest whose plays have the right states, its sheet and answer, the plays whose state changed, and why each
    impossible play is (one of IMPOSSIBLE), by its uid."""

    contest: Contest
    sheet: Sheet
    answer: Answer
    moved: tuple[PlayFacts, ...]
    impossible: Mapping[UUID, str]


def settle(contest: Contest, changed: UUID | None = None) -> Settled:
    """Score a contest and set aside, or take back in, the plays that its facts make impossible or possible.

    `changed` is the play that is being written: an error in it refuses the command. Raises Refused with every
    fault, each at its place.
    """
    void = {play.uid for play in contest.plays if play.state == Play.State.VOID}
    aside = {play.uid for play in contest.plays if play.state == Play.State.SET_ASIDE}
    contest = _in_state(contest, aside, Play.State.ENTERED)
    impossible: dict[UUID, str] = {}
    while True:
        sheet = sheet_of(contest)
        try:
            sheet, answer = _scored(contest, sheet)
        except SheetInvalid as invalid:
            play, code = _impossible(contest, sheet, invalid, changed)
            contest = _in_state(contest, {play.uid}, Play.State.SET_ASIDE)
            impossible[play.uid] = code
        else:
            break
    # A voided game that is impossible is left out of the sheet, with the ejection in it, but stays void.
    contest = _in_state(contest, impossible.keys() & void, Play.State.VOID)
    moved = aside ^ (impossible.keys() - void)
    plays = tuple(play for play in contest.plays if play.uid in moved)
    return Settled(contest, sheet, without_play(answer), plays, impossible)


def ejection_before(contest: Contest, play: PlayFacts) -> tuple[PlayFacts, UUID] | None:
    """Find the first game before this one in which one of its players was ejected, and that player; None for none. The
    ejection in a voided game stands."""
    players = {row.entry for row in play.results}
    return next(
        (
            (other, entry)
            for other in takewhile(lambda each: each.uid != play.uid, contest.in_order)
            if other.state in COUNTS or other.state == Play.State.VOID
            for entry in other.ejected
            if entry in players
        ),
        None,
    )


def without_play(answer: Answer) -> Answer:
    """Give the answer without places where no round of a match counts: a score sheet calls all level then."""
    if answer.rounds or not isinstance(answer, MatchAnswer):
        return answer
    return replace(answer, standings=tuple(replace(row, place=None) for row in answer.standings))


def settle_back(contest: Contest, back: Collection[UUID]) -> Settled:
    """Settle a contest in which these players are in again. Raises Refused `missing_hand` at each play that went on
    without one of them."""
    settled = settle(contest)
    faults = [
        Fault(
            "missing_hand",
            f"/plays/{play.uid}/hands/{entry}",
            {"player": str(entry), **_place(contest, contest.table_numbers[play.table], play.number)},
        )
        for play in settled.moved
        if play.state == Play.State.SET_ASIDE
        for entry in sorted(back, key=str)
        if play.result_of(entry) is None
    ]
    if faults:
        raise Refused(*faults)
    return settled


def _in_state(contest: Contest, plays: Collection[UUID], state: Play.State) -> Contest:
    """Give the contest with these of its plays in this state; the same contest for none."""
    if not plays:
        return contest
    return replace(
        contest,
        plays=tuple(replace(play, state=state) if play.uid in plays else play for play in contest.plays),
    )


def _scored(contest: Contest, sheet: Sheet) -> tuple[Sheet, Answer]:
    """Score the sheet that counts: a player who leaves once a match is over keeps the place, so such departures are
    left out. A match that the referees stopped was not over when somebody had left before."""
    played_out = without_departures_afterwards(contest)
    if played_out is not contest:
        over = sheet_of(replace(played_out, stopped=False))
        answer = score(over.data)
        if answer.complete:
            return over, answer
    return sheet, score(sheet.data)


def _impossible(
    contest: Contest, sheet: Sheet, invalid: SheetInvalid, changed: UUID | None
) -> tuple[PlayFacts, str]:
    """Find the first play that these errors call impossible, and why; those behind it may be possible without it.
    Raises Refused with the other errors if one of them comes first."""
    found = [fault_at(sheet, error, changed) for error in invalid.errors]
    own = [
        (play, fault)
        for play, fault in found
        # The play that is being written is refused rather than set aside.
        if not play or fault.code not in IMPOSSIBLE or (play.uid == changed and play.state != Play.State.VOID)
    ]
    play, fault = first = found[0]
    if first in own or play is None:
        raise Refused(*(_with_cause(contest, sheet, *each) for each in own))
    return play, fault.code


def _with_cause(contest: Contest, sheet: Sheet, play: PlayFacts | None, fault: Fault) -> Fault:
    """Name the play that stands in the way of this one, if there is one: that in which a player was ejected or left, or
    the one that ended the match."""
    before = [other for other in takewhile(lambda other: other is not play, sheet.plays) if other]
    player = str(fault.parameters.get("player", ""))
    out_from = {seat.out_from for seat in contest.seats if str(seat.entry) == player}
    causes = {
        "disqualified_plays": [other for other in before if player in map(str, other.ejected)],
        "removed_plays": [other for other in before if other.number in out_from],
        "match_over": before[-1:],
    }.get(fault.code)
    if not causes:
        return fault
    place = _place(contest, contest.table_numbers[causes[0].table], causes[0].number)
    return replace(fault, parameters={**fault.parameters, **place})


def _place(contest: Contest, table: int, number: int) -> dict[str, str | int]:
    """Give the parameters with which a text names the play of this number at the table."""
    return {"contest": contest.kind, "number": number, **({} if contest.table else {"table": table})}


def without_departures_afterwards(contest: Contest) -> Contest:
    """Remove from a match the departures after its last round that counts; the same contest if there are none, or if it
    is no match."""
    if contest.table is None:
        return contest
    last = max((play.number for play in contest.plays if play.state in COUNTS), default=0)
    if all((seat.out_from or 0) <= last for seat in contest.seats):
        return contest
    return replace(
        contest,
        seats=tuple(
            replace(seat, **IN_PLAY) if (seat.out_from or 0) > last else seat for seat in contest.seats
        ),
    )


def with_departures(
    contest: Contest,
    table: Table,
    number: int,
    departures: Mapping[UUID, str],
    *,
    editing: bool,
    at: datetime | None = None,
) -> Contest:
    """Give the contest in which play `number` says that these players are out of this table from it on. When a play is
    edited, players who were out from it and are not named are in again, or out from where they left later.

    A new play was entered `at`, or now: players who left later were in it. Where a match goes on, players who left
    after its end are out too; a round that comes late to a stopped match leaves them behind its end.

    Raises Refused `unknown_player` for a player without a seat here, `already_out` if they were out earlier in another
    way.
    """
    _refuse_not_leaving(contest, table, number, departures)
    over = contest.table is not None and sum(not seat.out_as for seat in contest.seats) <= 1
    late = number + 2 * contest.stopped

    def seated(seat: SeatFacts) -> SeatFacts:
        if seat.table != table.number or (seat.out_from or number) < number:
            return seat
        if seat.entry in departures:
            kept = {} if seat.out_as == departures[seat.entry] else IN_PLAY
            return replace(seat, **{**kept, "out_as": departures[seat.entry], "out_from": number})
        if editing:
            back = {"out_from": seat.left_from} if (seat.left_from or 0) > number else IN_PLAY
            return replace(seat, **back) if seat.out_from == number else seat
        later = bool(at and seat.left_at and seat.left_at > at)
        if not later and (seat.out_from in {None, number} or (over and seat.left_at is None)):
            return seat
        behind = max(late, number + later)
        return replace(seat, out_from=behind, left_from=seat.left_from and behind)

    return replace(contest, seats=tuple(seated(seat) for seat in contest.seats))


def with_leaving(contest: Contest, table: Table, departures: Mapping[UUID, str], at: datetime) -> Contest:
    """Give the contest in which these players left this table together `at` a moment, before its next play and after
    departures in older rows without a moment. A player who leaves a stopped match is out of it if it goes on.

    Raises Refused as `with_departures` does.
    """
    at_table = (play for play in contest.plays if contest.table_numbers[play.table] == table.number)
    following = following_number(at_table)
    here = (seat for seat in contest.seats if seat.table == table.number)
    earlier = (seat.out_from + 1 for seat in here if seat.out_from and not seat.left_at)
    number = max(following + contest.stopped, *earlier, 0)
    _refuse_not_leaving(contest, table, number, departures)
    return replace(
        contest,
        seats=tuple(
            replace(seat, out_as=departures[seat.entry], out_from=number, left_from=number, left_at=at)
            if seat.table == table.number and seat.entry in departures and not seat.out_as
            else seat
            for seat in contest.seats
        ),
    )


def by_moments(contest: Contest) -> Contest:
    """Give the session in which each player who left is out from the table's first game that began later."""

    def seated(seat: SeatFacts) -> SeatFacts:
        at_table = [play for play in contest.plays if contest.table_numbers[play.table] == seat.table]
        later = (play.number for play in at_table if seat.left_at and play.began > seat.left_at)
        number = min(later, default=following_number(at_table))
        return replace(seat, out_from=number, left_from=number) if seat.left_at else seat

    return replace(contest, seats=tuple(map(seated, contest.seats)))


def _refuse_not_leaving(contest: Contest, table: Table, number: int, departures: Mapping[UUID, str]) -> None:
    here = {seat.entry: seat for seat in contest.seats if seat.table == table.number}
    faults = [
        Fault(code, f"/{how}/{entry}", {"player": str(entry), **more})
        for entry, how in departures.items()
        for code, more in [_not_leaving(contest, here.get(entry), number, how)]
        if code
    ]
    if faults:
        raise Refused(*faults)


def _not_leaving(
    contest: Contest, seat: SeatFacts | None, number: int, how: str
) -> tuple[str, Mapping[str, str | int]]:
    """Give the code and the parameters why this player cannot leave so; "" if they can."""
    if seat is None:
        return "unknown_player", {}
    if seat.out_from is not None and seat.out_from < number and seat.out_as != how:
        return "already_out", _place(contest, seat.table, seat.out_from)
    return "", {}


def check_settings(stage: Stage, *, whole: bool, at: str = "") -> None:
    """Check the settings by scoring a sheet without rounds. While a stage is only planned, settings that are not chosen
    yet may be missing. `at` is the path of the one that was sent alone."""
    kind = kind_of(stage.kind)
    unknown = stage.settings.keys() - kind.settings
    if unknown:
        raise Refused(*(Fault("unknown_setting", f"/settings/{name}") for name in sorted(unknown)))
    sheet = {
        "sheet": 1,
        "kind": kind.sheet,
        "ruleset": stage.tournament.ruleset,
        "settings": stage.settings,
        "players": [{"id": "1", "name": "1"}, {"id": "2", "name": "2"}],
        kind.rows: [],
    }
    try:
        score(sheet)
    except SheetInvalid as invalid:
        faults = [
            Fault(error.code, at or error.path, error.parameters)
            for error in invalid.errors
            if whole or error.code != "missing_target"
        ]
        if faults:
            raise Refused(*faults) from None
