"""A player's needs for target, next place or level; for sessions while the others' averages stay.

| result | rule | where |
| --- | --- | --- |
| missing points, rounds | match, standard count | `MatchNeeds` |
| who could end the match | match, alternative count: lowest total wins | `OwnHandNeeds` |
| latest second for the next place | KPGUT: full minutes, lowest average wins | `_last_second` |
| average by minute out | KPGUT | `needs_in_session` |
| qualifiers | heats: first out qualify | `needs_in_heats` |
| games needed and allowed | race | `needs_in_race` |
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulesets import OWN_HAND, Ruleset

from .answers import HeatsAnswer, MatchAnswer, MatchStanding, RaceAnswer, SessionAnswer, SessionStanding
from .hands import hand_points, hand_size
from .reading import read_rows
from .session import MINUTE_S
from .sheets import HeatsSheet, MatchSheet, RaceSheet, SessionSheet

THROUGH, CAN, OUT = "through", "can", "out"


@dataclass(frozen=True, slots=True)
class _TargetNeeds:
    target: int
    points: int
    missing: int
    behind: int
    leaders: tuple[str, ...]
    average: Fraction | None


@dataclass(frozen=True, slots=True)
class MatchNeeds(_TargetNeeds):
    """Standard count: points `missing` to the target and `behind` the `leaders`. `average`: points a round so far;
    `rounds`: such rounds needed; None without points."""

    rounds: int | None

    @property
    def one_is_enough(self) -> bool:
        """Whether one average round could suffice."""
        return self.rounds == 1

    @classmethod
    def of(cls, sheet: MatchSheet, target: int, answer: MatchAnswer, mine: MatchStanding) -> "MatchNeeds":
        """Needs of a player in play."""
        best, leaders = _leaders(answer)
        missing = target - mine.points
        given = sum(row.points for round_ in answer.rounds for row in round_.results)
        average = (
            Fraction(given, sum(round_.winner is not None for round_ in sheet.rounds)) if given else None
        )
        rounds = -(-missing // average) if average else None
        return cls(target, mine.points, missing, best - mine.points, leaders, average, rounds)


@dataclass(frozen=True, slots=True)
class Danger:
    """A player whose next hand, of average size or of their own average, could end the match."""

    player: str
    missing: int
    by_average: bool
    by_own: bool


@dataclass(frozen=True, slots=True)
class OwnHandNeeds(_TargetNeeds):
    """Alternative count: `leaders` would win now; `in_danger`, nearest first. `average`, `own_average`: points of a
    hand left in the match, or by the player; None without."""

    own_average: Fraction | None
    in_danger: tuple[Danger, ...]

    @classmethod
    def of(cls, sheet: MatchSheet, target: int, answer: MatchAnswer, mine: MatchStanding) -> "OwnHandNeeds":
        """Needs of a player in play."""
        best, leaders = _leaders(answer)
        hands: dict[str, list[int]] = {}
        for round_ in sheet.rounds:
            for player, hand in round_.hands.items():
                if round_.winner is not None and hand_size(hand):
                    hands.setdefault(player, []).append(hand_points(sheet.ruleset, hand))
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
        return cls(
            target=target,
            points=mine.points,
            missing=target - mine.points,
            behind=mine.points - best,
            leaders=leaders,
            average=average,
            own_average=_average(hands.get(mine.player, [])),
            in_danger=tuple(each for each in danger if each.by_average or each.by_own),
        )


@dataclass(frozen=True, slots=True)
class NextPlace:
    """The next better place. `last_s`: latest second to go out next game to gain it, None if impossible; `any_out`:
    always."""

    place: int
    players: tuple[str, ...]
    average: Fraction
    last_s: int | None
    any_out: bool

    @classmethod
    def of(
        cls, ruleset: Ruleset, ranked: Sequence[SessionStanding], mine: SessionStanding
    ) -> "NextPlace | None":
        """None for the best."""
        better = [row.place for row in ranked if row.place and mine.place and row.place < mine.place]
        if not better:
            return None
        place = max(better)
        players, average = _with_place(ranked, place)
        last_s = _last_second(ruleset, mine, average)
        return cls(place, players, average, last_s, last_s == ruleset.hour_s)


@dataclass(frozen=True, slots=True)
class Lead:
    """The leader's margin. `last_s`: latest second to go out next game to stay first; `any_out`: always."""

    players: tuple[str, ...]
    average: Fraction
    last_s: int
    any_out: bool

    @classmethod
    def of(cls, ruleset: Ruleset, ranked: Sequence[SessionStanding], mine: SessionStanding) -> "Lead | None":
        """None but for the first."""
        others = [row for row in ranked if row.player != mine.player]
        if mine.place != 1 or not others:
            return None
        players, average = _with_place(others, others[0].place)
        last_s = _last_second(ruleset, mine, average)
        assert last_s is not None  # second 0 always keeps the lead
        return cls(players, average, last_s, last_s == ruleset.hour_s)


@dataclass(frozen=True, slots=True)
class IfOut:
    """Average and place (None: too few games) after going out in this minute."""

    minute: int
    average: Fraction
    place: int | None


@dataclass(frozen=True, slots=True)
class SessionNeeds:
    """`games_short`: games missing after the next; `if_out`: per minute."""

    place: int | None
    average: Fraction | None
    games_short: int
    next_place: NextPlace | None
    lead: Lead | None
    if_out: tuple[IfOut, ...]


@dataclass(frozen=True, slots=True)
class HeatsNeeds:
    """`state`: through, can (no result yet) or out."""

    state: str
    through: tuple[str, ...]
    can: tuple[str, ...]
    out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RaceNeeds:
    """Games still needed for a place (`short`), and still allowed (`left`; None: no limit)."""

    short: int
    left: int | None


Needs = MatchNeeds | OwnHandNeeds | SessionNeeds | HeatsNeeds | RaceNeeds


def needs_in_match(
    data: Mapping[str, Any], answer: MatchAnswer, player: str, _gone: Collection[str]
) -> MatchNeeds | OwnHandNeeds | None:
    """None without target, when over, or for players out."""
    sheet = read_rows(MatchSheet, data, range(len(answer.rounds)))
    mine = next((row for row in answer.standings if row.player == player), None)
    if answer.complete or sheet.target is None or mine is None or mine.status != "ranked":
        return None
    return (OwnHandNeeds if sheet.scoring == OWN_HAND else MatchNeeds).of(sheet, sheet.target, answer, mine)


def _leaders(answer: MatchAnswer) -> tuple[int, tuple[str, ...]]:
    best = answer.standings[0].points
    return best, tuple(
        row.player for row in answer.standings if row.status == "ranked" and row.points == best
    )


def _average(points: Sequence[int]) -> Fraction | None:
    return Fraction(sum(points), len(points)) if points else None


def _reaches(points: int, hand: Fraction | None, target: int) -> bool:
    return hand is not None and points + hand >= target


def needs_in_session(
    data: Mapping[str, Any], answer: SessionAnswer, player: str, _gone: Collection[str]
) -> SessionNeeds | None:
    """None if disqualified."""
    sheet = read_rows(SessionSheet, data)
    mine = next((row for row in answer.standings if row.player == player), None)
    if mine is None or mine.status == "disqualified":
        return None
    ranked = [row for row in answer.standings if row.place is not None]
    games = mine.games + 1
    others = [row.average for row in ranked if row.player != mine.player and row.average is not None]
    return SessionNeeds(
        place=mine.place,
        average=mine.average,
        games_short=max(sheet.min_games - mine.games - 1, 0),
        next_place=NextPlace.of(sheet.ruleset, ranked, mine),
        lead=Lead.of(sheet.ruleset, ranked, mine),
        if_out=tuple(
            IfOut(minute, average, bisect_left(others, average) + 1 if games >= sheet.min_games else None)
            for minute in range(sheet.ruleset.hour_s // MINUTE_S + 1)
            for average in [Fraction(mine.points + minute, games)]
        ),
    )


def _with_place(rows: Sequence[SessionStanding], place: int | None) -> tuple[tuple[str, ...], Fraction]:
    there = [row for row in rows if row.place == place]
    average = there[0].average
    assert average is not None
    return tuple(row.player for row in there), average


def _last_second(ruleset: Ruleset, mine: SessionStanding, average: Fraction) -> int | None:
    """A tie is enough: it shares the place."""
    most = average * (mine.games + 1) // 1 - mine.points
    return None if most < 0 else min(most * MINUTE_S + MINUTE_S - 1, ruleset.hour_s)


def needs_in_heats(
    data: Mapping[str, Any], answer: HeatsAnswer, player: str, gone: Collection[str]
) -> HeatsNeeds | None:
    """None for removed players."""
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


def needs_in_race(
    data: Mapping[str, Any], answer: RaceAnswer, player: str, _gone: Collection[str]
) -> RaceNeeds | None:
    """None for players who left."""
    line = next((row for row in answer.standings if row.player == player), None)
    if line is None or line.status in {"withdrawn", "disqualified"}:
        return None
    sheet = read_rows(RaceSheet, data)
    left = None if sheet.max_games is None else sheet.max_games - line.games
    return RaceNeeds(max(sheet.min_games - line.games, 0), left)
