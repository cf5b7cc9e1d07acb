"""Which plays count: the sheet is scored, and what earlier plays made impossible is set aside instead of
breaking it.

A correction may end a match earlier or eject a player before games that they went on to play. Those later
plays are set aside, visibly; when the correction is taken back they count again. So the states follow from
the facts alone, and entering, correcting and voiding in any order gives what entering it right at first would
have given.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from scoring import HeatsAnswer, MatchAnswer, SessionAnswer, SheetInvalid, score
from tournament.bridge import Contest, Sheet, fault_at, sheet_of, without_departures_afterwards
from tournament.facts import PlayFacts
from tournament.faults import Fault, Refused
from tournament.models import Play

Answer = SessionAnswer | MatchAnswer | HeatsAnswer

# What scoring says of a play that cannot have been played, given the ones before it.
IMPOSSIBLE = frozenset({"match_over", "walkover", "disqualified_plays", "removed_plays"})


@dataclass(frozen=True, slots=True)
class Settled:
    """A contest whose plays have their right states, its sheet and the answer, and the plays whose state
    changed."""

    contest: Contest
    sheet: Sheet
    answer: Answer
    moved: tuple[PlayFacts, ...]


def settle(contest: Contest, changed: UUID | None = None) -> Settled:
    """Score a contest and set aside, or take back in, the plays that its facts make impossible or possible.

    `changed` is the play that is being written: an error in it refuses the command. Raises Refused with every
    fault, each at its place.
    """
    before = {play.uid: play.state for play in contest.plays}
    plays = [
        replace(play, state=Play.State.ENTERED) if play.state == Play.State.SET_ASIDE else play
        for play in contest.plays
    ]
    contest = replace(contest, plays=tuple(plays))
    while True:
        sheet = sheet_of(contest)
        try:
            sheet, answer = _scored(contest, sheet)
        except SheetInvalid as invalid:
            contest = _set_aside(contest, sheet, invalid, changed)
            continue
        contest = replace(contest, plays=tuple(_as_void(play, before) for play in contest.plays))
        moved = tuple(play for play in contest.plays if before[play.uid] != play.state)
        return Settled(contest, sheet, answer, moved)


def _scored(contest: Contest, sheet: Sheet) -> tuple[Sheet, Answer]:
    """The sheet that counts, and its answer: who leaves once a match is over keeps the place, so such departures
    are no part of it. A match that the referees stopped was not over when somebody had left before."""
    played_out = without_departures_afterwards(contest)
    if played_out is not contest:
        over = sheet_of(replace(played_out, stopped=False))
        answer = score(over.data)
        if getattr(answer, "complete", False):
            return over, answer
    return sheet, score(sheet.data)


def _as_void(play: PlayFacts, before: Mapping[UUID, str]) -> PlayFacts:
    """A voided game that cannot have been played so is left out of the sheet, with the ejection in it, but it
    stays void."""
    return replace(play, state=Play.State.VOID) if before[play.uid] == Play.State.VOID else play


def _set_aside(contest: Contest, sheet: Sheet, invalid: SheetInvalid, changed: UUID | None) -> Contest:
    faults: list[Fault] = []
    impossible: set[UUID] = set()
    for error in invalid.errors:
        play, fault = fault_at(sheet, error, changed)
        mine = play is not None and play.uid == changed and play.state != Play.State.VOID
        if play is None or mine or error.code not in IMPOSSIBLE:
            faults.append(fault)
        else:
            impossible.add(play.uid)
    if faults:
        raise Refused(*faults)
    return replace(
        contest,
        plays=tuple(
            replace(play, state=Play.State.SET_ASIDE) if play.uid in impossible else play
            for play in contest.plays
        ),
    )
