"""A player's needs: the distance to the target, to the next place, to the next level.

| said | follows from | where |
| --- | --- | --- |
| points missing, and how many average rounds that is | match, standard count: who reaches the target wins | `_match` |
| whose next hand could end the match | match, alternative count: the lowest total wins then | `_own_hand` |
| the last second to be out for the next place | KPGUT: full minutes, the lowest average wins | `_last_second` |
| the average when out in each minute | the same | `_if_out` |
| who is through, who still can be | heats: the first out go through | `needs_in_heats` |

For a session all of it holds only while nobody else's average changes.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulesets import OWN_HAND, Ruleset

from .answers import HeatsAnswer, MatchAnswer, MatchStanding, SessionAnswer, SessionStanding
from .games import MINUTE_S
from .hands import hand_points, hand_size
from .reading import read_rows
from .sheets import HeatsSheet, MatchSheet, SessionSheet

THROUGH, CAN, OUT = "through", "can", "out"


@dataclass(frozen=True, slots=True)
class _TargetNeeds:
    """The fields that both counts of a match share."""

    target: int
    points: int
    missing: int
    behind: int
    leaders: tuple[str, ...]
    average: Fraction | None


@dataclass(frozen=True, slots=True)
class MatchNeeds(_TargetNeeds):
    """In the standard count: points `missing` to the target, and points `behind` the `leaders` (0 for one of them).

    `average` is the average points of a round in this match so far, and `rounds` how many such rounds would have to be
    won; both None while no round gave points.
    """

    rounds: int | None

    @property
    def one_is_enough(self) -> bool:
        """Whether one more average round could be enough."""
        return self.rounds == 1


@dataclass(frozen=True, slots=True)
class Danger:
    """A player whose next hand could end the match: one of the average size in this match, or of their own average."""

    player: str
    missing: int  # points until the target
    by_average: bool
    by_own: bool


@dataclass(frozen=True, slots=True)
class OwnHandNeeds(_TargetNeeds):
    """In the alternative count: points `missing` until the target, who is `in_danger` of ending the match (nearest to
    it first), and the `leaders`, who would win if it ended now. `average` is the points of a hand left in this match,
    `own_average` those of the player's own; None where there was none."""

    own_average: Fraction | None
    in_danger: tuple[Danger, ...]


@dataclass(frozen=True, slots=True)
class NextPlace:
    """The next better place, who has it with which average, and the last second of the next game at which going out
    gains it: None if one game is not enough, `any_out` if every second does."""

    place: int
    players: tuple[str, ...]
    average: Fraction
    last_s: int | None
    any_out: bool


@dataclass(frozen=True, slots=True)
class Lead:
    """The lead of whoever is first: the best of the others, and the last second of the next game at which going out
    leaves them behind or level; `any_out` if every second does."""

    players: tuple[str, ...]
    average: Fraction
    last_s: int
    any_out: bool


@dataclass(frozen=True, slots=True)
class IfOut:
    """Average and place after going out of the next game in this minute; no place with too few games still."""

    minute: int
    average: Fraction
    place: int | None


@dataclass(frozen=True, slots=True)
class SessionNeeds:
    """In a session: `games_short` is how many games after the next one the player still needs to be ranked. There is a
    `next_place` for a player ranked behind somebody, a `lead` for one who is first before somebody; `if_out` has a row
    for each whole minute of a game."""

    place: int | None
    average: Fraction | None
    games_short: int
    next_place: NextPlace | None
    lead: Lead | None
    if_out: tuple[IfOut, ...]


@dataclass(frozen=True, slots=True)
class HeatsNeeds:
    """In heats: `state` is `through`, `can` (the player's heat has no result yet) or `out`; and the players of each."""

    state: str
    through: tuple[str, ...]
    can: tuple[str, ...]
    out: tuple[str, ...]


Needs = MatchNeeds | OwnHandNeeds | SessionNeeds | HeatsNeeds


def needs_in_match(
    data: Mapping[str, Any], answer: MatchAnswer, player: str, _gone: Collection[str]
) -> MatchNeeds | OwnHandNeeds | None:
    """Compute a player's needs in a match; None if it is over, before it has a target, and for players who are out."""
    sheet = read_rows(MatchSheet, data, range(len(answer.rounds)))
    mine = next((row for row in answer.standings if row.player == player), None)
    if answer.complete or sheet.target is None or mine is None or mine.status != "ranked":
        return None
    return (_own_hand if sheet.scoring == OWN_HAND else _match)(sheet, sheet.target, answer, mine)


def _match(sheet: MatchSheet, target: int, answer: MatchAnswer, mine: MatchStanding) -> MatchNeeds:
    best, leaders = _leaders(answer)
    missing = target - mine.points
    given = sum(row.points for round_ in answer.rounds for row in round_.results)
    average = Fraction(given, sum(round_.winner is not None for round_ in sheet.rounds)) if given else None
    rounds = -(-missing // average) if average else None
    return MatchNeeds(target, mine.points, missing, best - mine.points, leaders, average, rounds)


def _own_hand(sheet: MatchSheet, target: int, answer: MatchAnswer, mine: MatchStanding) -> OwnHandNeeds:
    best, leaders = _leaders(answer)
    hands = _hands_left(sheet)
    average = _average([points for own in hands.values() for points in own])
    danger = [
        Danger(
            row.player,
            missing=target - row.points,
            by_average=_reaches(row.points, average, target),
            by_own=_reaches(row.points, _average(hands.get(row.player, [])), target),
        )
        for row in sorted(answer.standings, key=lambda row: -row.points)
        if row.status == "ranked"
    ]
    return OwnHandNeeds(
        target=target,
        points=mine.points,
        missing=target - mine.points,
        behind=mine.points - best,
        leaders=leaders,
        average=average,
        own_average=_average(hands.get(mine.player, [])),
        in_danger=tuple(each for each in danger if each.by_average or each.by_own),
    )


def _leaders(answer: MatchAnswer) -> tuple[int, tuple[str, ...]]:
    """Give the points of the first place, and the players who have it; all of them before a round counts."""
    best = answer.standings[0].points
    return best, tuple(
        row.player for row in answer.standings if row.status == "ranked" and row.points == best
    )


def _hands_left(sheet: MatchSheet) -> dict[str, list[int]]:
    """List the points of each player's hands with cards left at the end of a round."""
    hands: dict[str, list[int]] = {}
    for round_ in sheet.rounds:
        for player, hand in round_.hands.items():
            if round_.winner is not None and hand_size(hand):
                hands.setdefault(player, []).append(hand_points(sheet.ruleset, hand))
    return hands


def _average(points: Sequence[int]) -> Fraction | None:
    return Fraction(sum(points), len(points)) if points else None


def _reaches(points: int, hand: Fraction | None, target: int) -> bool:
    return hand is not None and points + hand >= target


def needs_in_session(
    data: Mapping[str, Any], answer: SessionAnswer, player: str, _gone: Collection[str]
) -> SessionNeeds | None:
    """Compute a player's needs in a session; None for a disqualified player."""
    sheet = read_rows(SessionSheet, data)
    mine = next((row for row in answer.standings if row.player == player), None)
    if mine is None or mine.status == "disqualified":
        return None
    ranked = [row for row in answer.standings if row.place is not None]
    return SessionNeeds(
        place=mine.place,
        average=mine.average,
        games_short=max(sheet.min_games - mine.games - 1, 0),
        next_place=_next_place(sheet.ruleset, ranked, mine),
        lead=_lead(sheet.ruleset, ranked, mine),
        if_out=_if_out(sheet, ranked, mine),
    )


def _next_place(
    ruleset: Ruleset, ranked: Sequence[SessionStanding], mine: SessionStanding
) -> NextPlace | None:
    better = [row.place for row in ranked if row.place and mine.place and row.place < mine.place]
    if not better:
        return None
    place = max(better)
    players, average = _with_place(ranked, place)
    last_s = _last_second(ruleset, mine, average)
    return NextPlace(place, players, average, last_s, last_s == ruleset.hour_s)


def _lead(ruleset: Ruleset, ranked: Sequence[SessionStanding], mine: SessionStanding) -> Lead | None:
    others = [row for row in ranked if row.player != mine.player]
    if mine.place != 1 or not others:
        return None
    players, average = _with_place(others, others[0].place)
    last_s = _last_second(ruleset, mine, average)
    assert last_s is not None  # the leader is not passed by going out at once
    return Lead(players, average, last_s, last_s == ruleset.hour_s)


def _with_place(rows: Sequence[SessionStanding], place: int | None) -> tuple[tuple[str, ...], Fraction]:
    """Give the players at this place, and their average."""
    there = [row for row in rows if row.place == place]
    average = there[0].average
    assert average is not None
    return tuple(row.player for row in there), average


def _last_second(ruleset: Ruleset, mine: SessionStanding, average: Fraction) -> int | None:
    """Find the last second of one more game at which going out makes an average of at most this one; None if even the
    first does not. Equal is enough, since level averages share the place."""
    most = average * (mine.games + 1) // 1 - mine.points  # whole minutes
    return None if most < 0 else min(most * MINUTE_S + MINUTE_S - 1, ruleset.hour_s)


def _if_out(
    sheet: SessionSheet, ranked: Sequence[SessionStanding], mine: SessionStanding
) -> tuple[IfOut, ...]:
    games = mine.games + 1
    others = [row.average for row in ranked if row.player != mine.player and row.average is not None]
    return tuple(
        IfOut(minute, average, bisect_left(others, average) + 1 if games >= sheet.min_games else None)
        for minute in range(sheet.ruleset.hour_s // MINUTE_S + 1)
        for average in [Fraction(mine.points + minute, games)]
    )


def needs_in_heats(
    data: Mapping[str, Any], answer: HeatsAnswer, player: str, gone: Collection[str]
) -> HeatsNeeds | None:
    """Compute a player's needs in heats; None for a removed player."""
    played = {row.player: row.advances for heat in answer.rounds for row in heat.results}
    sheet = read_rows(HeatsSheet, data, range(len(answer.rounds)))
    removed = {each for heat in sheet.heats for each in heat.removed}
    state = {
        each: (THROUGH if played[each] else OUT) if each in played else CAN
        for each in sheet.players
        if each not in gone and each not in removed
    }
    if player not in state:
        return None
    through, can, out = (
        tuple(each for each, found in state.items() if found == wanted) for wanted in (THROUGH, CAN, OUT)
    )
    return HeatsNeeds(state[player], through, can, out)
