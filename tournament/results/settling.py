"""Scores the sheet, setting aside plays that earlier ones make impossible.

A correction may end a match or eject a player before later games; these count again if it is undone. States depend
only on facts, not on order of entry.
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
from tournament.results.facts import IN_PLAY, PlayFacts, SeatFacts, grouped
from tournament.results.faults import Fault, Refused, refuse
from tournament.results.kinds import kind_of

# scoring's codes for plays that earlier ones make impossible
IMPOSSIBLE = frozenset(
    {
        "match_over",
        "walkover",
        "disqualified_plays",
        "removed_plays",
        "too_many_games",
        "missing_hand",
        "missing_winner",
    }
)

# Standings treat leaving and no-show alike.
OUT_AS = {
    Entry.State.DISQUALIFIED: Seat.OutAs.REMOVED,
    Entry.State.LEFT: Seat.OutAs.WITHDRAWN,
    Entry.State.NO_SHOW: Seat.OutAs.WITHDRAWN,
}


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled contest. `moved`: plays with changed state; `impossible`: code by play uid."""

    contest: Contest
    sheet: Sheet
    answer: Answer
    moved: tuple[PlayFacts, ...]
    impossible: Mapping[UUID, str]


def settle(contest: Contest, changed: UUID | None = None) -> Settled:
    """Score a contest, setting aside or restoring plays.

    Errors in `changed`, the play being written, refuse the command. Raises Refused with all faults.
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
    # Impossible voided games, with ejections, leave the sheet but stay void.
    contest = _in_state(contest, impossible.keys() & void, Play.State.VOID)
    moved = aside ^ (impossible.keys() - void)
    plays = tuple(play for play in contest.plays if moved and play.uid in moved)
    return Settled(contest, sheet, without_play(answer), plays, impossible)


def ejection_before(contest: Contest, play: PlayFacts) -> tuple[PlayFacts, UUID] | None:
    """First earlier game that ejected one of this play's players, with that player, or None; void games count."""
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
    """Remove places while no round counts: scoring ranks all equal."""
    if answer.rounds or not isinstance(answer, MatchAnswer):
        return answer
    return replace(answer, standings=tuple(replace(row, place=None) for row in answer.standings))


def settle_back(contest: Contest, back: Collection[UUID]) -> Settled:
    """Settle with these players back. Refused `missing_hand` per play that continued without one."""
    settled = settle(contest)
    refuse(
        Fault(
            "missing_hand",
            f"/plays/{play.uid}/hands/{entry}",
            {"player": str(entry), **_place(contest, contest.table_numbers[play.table], play.number)},
        )
        for play in settled.moved
        if play.state == Play.State.SET_ASIDE
        for entry in sorted(back, key=str)
        if play.result_of(entry) is None
    )
    return settled


def _in_state(contest: Contest, plays: Collection[UUID], state: Play.State) -> Contest:
    if not plays:
        return contest
    return replace(
        contest,
        plays=tuple(replace(play, state=state) if play.uid in plays else play for play in contest.plays),
    )


def _scored(contest: Contest, sheet: Sheet) -> tuple[Sheet, Answer]:
    """Departures after a match's end lose no place, unless the referees stopped it."""
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
    """First impossible play and code: later ones may become possible. Raises Refused if another error precedes."""
    found = [fault_at(sheet, error, changed) for error in invalid.errors]
    own = [
        (play, fault)
        for play, fault in found
        # The play being written is refused, not set aside.
        if not play or fault.code not in IMPOSSIBLE or (play.uid == changed and play.state != Play.State.VOID)
    ]
    play, fault = first = found[0]
    if first in own or play is None:
        raise Refused(*(_with_cause(contest, sheet, *each) for each in own))
    return play, fault.code


def _with_cause(contest: Contest, sheet: Sheet, play: PlayFacts | None, fault: Fault) -> Fault:
    """Add the blocking play: ejection, departure or match end."""
    before = [other for other in takewhile(lambda other: other is not play, sheet.plays) if other]
    player = str(fault.parameters.get("player", ""))
    out_from = {(seat.table, seat.out_from) for seat in contest.seats if str(seat.entry) == player}
    causes = {
        "disqualified_plays": [other for other in before if player in map(str, other.ejected)],
        "removed_plays": [
            other for other in before if (contest.table_numbers[other.table], other.number) in out_from
        ],
        "match_over": before[-1:],
    }.get(fault.code)
    if not causes:
        return fault
    place = _place(contest, contest.table_numbers[causes[0].table], causes[0].number)
    return replace(fault, parameters={**fault.parameters, **place})


def _place(contest: Contest, table: int, number: int) -> dict[str, str | int]:
    return {"contest": contest.kind, "number": number, **({} if contest.table else {"table": table})}


def without_departures_afterwards(contest: Contest) -> Contest:
    """The contest without departures after a match's last counting round."""
    if not kind_of(contest.kind).to_target:
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
    """Apply departures named by play `number` at this table.

    When `editing`, unnamed players out from it return, or move to their later departure. A player who is out already is
    out from it once the earlier departure is taken back.

    A new play was entered `at` (default now), so later leavers were in it. If the match continues, departures after
    its end apply; a late round of a stopped match leaves them behind its end.

    Refused `unknown_player` (no seat here), `already_out` (earlier, another way).
    """
    _refuse_not_leaving(contest, table, number, departures)
    over = contest.table is not None and sum(not seat.out_as for seat in contest.seats) <= 1
    late = number + 2 * contest.stopped

    def seated(seat: SeatFacts) -> SeatFacts:
        earlier, named = (seat.out_from or number) < number, seat.entry in departures
        again = earlier and not seat.left_at and seat.left_from in {None, number}
        if seat.table != table.number or (earlier and not again):
            return seat
        if again:
            return replace(seat, left_from=number if named else None if editing else seat.left_from)
        if named:
            kept = {} if seat.out_as == departures[seat.entry] else IN_PLAY
            return replace(seat, **{**kept, "out_as": departures[seat.entry], "out_from": number})
        if editing:
            then = {"out_from": seat.left_from, "left_from": seat.left_from if seat.left_at else None}
            back = then if (seat.left_from or 0) > number else IN_PLAY
            return replace(seat, **back) if seat.out_from == number else seat
        later = bool(at and seat.left_at and seat.left_at > at)
        if not later and (seat.out_from in {None, number} or (over and seat.left_at is None)):
            return seat
        behind = max(late, number + later)
        return replace(seat, out_from=behind, left_from=seat.left_from and behind)

    return replace(contest, seats=tuple(seated(seat) for seat in contest.seats))


def with_leaving(contest: Contest, table: Table, departures: Mapping[UUID, str], at: datetime) -> Contest:
    """Apply a joint departure `at` a time, before the table's next play.

    From a stopped match: out if it continues. Raises Refused as `with_departures`.
    """
    number = contest.stopped + following_number(
        play for play in contest.plays if contest.table_numbers[play.table] == table.number
    )
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
    """The session with each departure at the table's first game begun after it."""
    if not any(seat.left_at for seat in contest.seats):
        return contest
    numbers = contest.table_numbers
    plays = grouped((numbers[play.table], play) for play in contest.plays)

    def seated(seat: SeatFacts) -> SeatFacts:
        if not seat.left_at:
            return seat
        at_table = plays.get(seat.table, [])
        later = (play.number for play in at_table if play.began > seat.left_at)
        number = min(later, default=following_number(at_table))
        return replace(seat, out_from=number, left_from=number)

    return replace(contest, seats=tuple(map(seated, contest.seats)))


def _refuse_not_leaving(contest: Contest, table: Table, number: int, departures: Mapping[UUID, str]) -> None:
    here = {seat.entry: seat for seat in contest.seats if seat.table == table.number}
    faults = []
    for entry, how in departures.items():
        path, player, seat = f"/{how}/{entry}", {"player": str(entry)}, here.get(entry)
        if seat is None:
            faults.append(Fault("unknown_player", path, player))
        elif seat.out_from is not None and seat.out_from < number and seat.out_as != how:
            place = _place(contest, table.number, seat.out_from)
            faults.append(Fault("already_out", path, {**player, **place}))
    refuse(faults)


def check_settings(stage: Stage, *, whole: bool, at: str = "") -> None:
    """Validate settings with an empty sheet.

    Unless `whole`, the target may be missing. `at`: path of a single setting.
    """
    kind = kind_of(stage.kind)
    unknown = stage.settings.keys() - kind.settings
    if unknown:
        allowed = {"allowed": ", ".join(sorted(kind.settings))}
        raise Refused(*(Fault("unknown_setting", f"/settings/{name}", allowed) for name in sorted(unknown)))
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
            Fault(
                "field_required" if error.parameters.get("found") == "nothing" else error.code,
                at or error.path,
                error.parameters,
            )
            for error in invalid.errors
            if whole or error.code != "missing_target"
        ]
        if faults:
            raise Refused(*faults) from None
