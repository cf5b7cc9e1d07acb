"""Which plays count: the sheet is scored, and what earlier plays made impossible is set aside instead of
breaking it.

A correction may end a match earlier or eject a player before games that they went on to play. Those later
plays are set aside, visibly; when the correction is taken back they count again. So the states follow from
the facts alone, and entering, correcting and voiding in any order gives what entering it right at first would
have given.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from uuid import UUID

from scoring import Answer, SheetInvalid, score
from tournament.models import Play
from tournament.results.bridge import Contest, Sheet, fault_at, sheet_of, without_departures_afterwards
from tournament.results.facts import PlayFacts
from tournament.results.faults import Fault, Refused

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
    void = {play.uid for play in contest.plays if play.state == Play.State.VOID}
    aside = {play.uid for play in contest.plays if play.state == Play.State.SET_ASIDE}
    contest = _in_state(contest, aside, Play.State.ENTERED)
    impossible: set[UUID] = set()
    while True:
        sheet = sheet_of(contest)
        try:
            sheet, answer = _scored(contest, sheet)
        except SheetInvalid as invalid:
            found = _impossible(sheet, invalid, changed)
            contest = _in_state(contest, found, Play.State.SET_ASIDE)
            impossible |= found
        else:
            break
    # A voided game that cannot have been played so is left out of the sheet, with the ejection in it, but stays void.
    contest = _in_state(contest, impossible & void, Play.State.VOID)
    moved = aside ^ (impossible - void)
    return Settled(contest, sheet, answer, tuple(play for play in contest.plays if play.uid in moved))


def _in_state(contest: Contest, plays: Collection[UUID], state: Play.State) -> Contest:
    """The contest with these of its plays in this state; the same contest for none."""
    if not plays:
        return contest
    moved = (replace(play, state=state) if play.uid in plays else play for play in contest.plays)
    return replace(contest, plays=tuple(moved))


def _scored(contest: Contest, sheet: Sheet) -> tuple[Sheet, Answer]:
    """The sheet that counts, and its answer: who leaves once a match is over keeps the place, so such departures
    are no part of it. A match that the referees stopped was not over when somebody had left before."""
    played_out = without_departures_afterwards(contest)
    if played_out is not contest:
        over = sheet_of(replace(played_out, stopped=False))
        answer = score(over.data)
        if answer.complete:
            return over, answer
    return sheet, score(sheet.data)


def _impossible(sheet: Sheet, invalid: SheetInvalid, changed: UUID | None) -> set[UUID]:
    """The plays that these errors call impossible. Raises Refused with those that are others."""
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
    return impossible
