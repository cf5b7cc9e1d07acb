"""The explanation of a player's place: everything that led to it, as codes and numbers.

| explained | where |
| --- | --- |
| points of each game and how they came about; of those remaining the step of special situation 6 | `_game`, `_how` |
| whose hands a round's points are | `_round` |
| who is just ahead and just behind, who shares the place, and by how much | `_standing` |
| in which order a heat's players went out, and how many go through | `why_in_heats` |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulesets import OWN_HAND, Ruleset

from .answers import (
    GameAnswer,
    HeatsAnswer,
    MatchAnswer,
    MatchStanding,
    RoundAnswer,
    SessionAnswer,
    SessionStanding,
)
from .hands import counted_in, deciding_step, hand_points, hand_size, rank_remaining
from .reading import read_rows
from .sheets import Game, Hand, HeatsSheet, MatchSheet, Result, Round, SessionSheet


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The players in the next better or worse place, their average (in a match: total), and the difference."""

    players: tuple[str, ...]
    value: Fraction
    difference: Fraction


@dataclass(frozen=True, slots=True)
class Standing:
    """A place and what decides it. `value` is the average or the total, None before the first game; `shared` are the
    others who have the place. `status` as in the answer's standings."""

    place: int | None
    status: str
    value: Fraction | None
    shared: tuple[str, ...]
    ahead: Neighbour | None
    behind: Neighbour | None


@dataclass(frozen=True, slots=True)
class Out:
    """Out in this second: as many points as full minutes."""

    elapsed_s: int


@dataclass(frozen=True, slots=True)
class Last:
    """The only player left: the full minutes at the end."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two hands of players remaining: the step of special situation 6 that decides between them (`hands.STEPS`), and
    its count in the player's own hand and in the other's."""

    players: tuple[str, ...]
    step: str
    mine: int
    theirs: int


@dataclass(frozen=True, slots=True)
class Remaining:
    """In the game at its end: `base` + `step` points for each place among those remaining. `ahead` and `behind` are
    the nearest who do not share the place, `shared` those who do."""

    rank: int
    base: int
    step: int
    cards: int
    shared: tuple[str, ...]
    ahead: Compared | None
    behind: Compared | None


@dataclass(frozen=True, slots=True)
class GaveUp:
    """Gave up: the worst points of those who did not, and `extra`, but at least `least`."""

    worst: int
    extra: int
    least: int


@dataclass(frozen=True, slots=True)
class Ejected:
    """Ejected: no points for this game, none after it."""


How = Out | Last | Remaining | GaveUp | Ejected


@dataclass(frozen=True, slots=True)
class GameWhy:
    """One game that the player took part in; `index` is that of the answer's rounds."""

    index: int
    place: int | None
    points: int | None
    how: How


@dataclass(frozen=True, slots=True)
class SessionWhy:
    """A place in a session: `points` of all `scored` games by their number is the average."""

    standing: Standing
    games: tuple[GameWhy, ...]
    points: int
    scored: int
    min_games: int


@dataclass(frozen=True, slots=True)
class HandWhy:
    """A hand that was left at the end of a round, and its points."""

    player: str
    cards: Hand
    points: int


@dataclass(frozen=True, slots=True)
class RoundWhy:
    """One round that the player was in. `hands` are those whose points went to the winner: all that were left; in the
    alternative count the player's own, if it was left. `own` is the player's hand, None for the winner."""

    index: int
    winner: str
    gained: int
    hands: tuple[HandWhy, ...]
    own: HandWhy | None


@dataclass(frozen=True, slots=True)
class MatchWhy:
    """A place in a match: the points of all rounds are the total."""

    standing: Standing
    rounds: tuple[RoundWhy, ...]
    points: int
    own_hand: bool


@dataclass(frozen=True, slots=True)
class HeatWhy:
    """A player's heat: the `order` of going out, of which the first `advance` go through."""

    index: int
    order: tuple[str, ...]
    place: int | None
    advance: int
    through: bool
    removed: bool


Why = SessionWhy | MatchWhy | HeatWhy


def why_in_session(data: Mapping[str, Any], answer: SessionAnswer, player: str) -> SessionWhy | None:
    """Explain the player's place in a session; None for a player who is not in the standings."""
    standing = _standing(answer.standings, player)
    if standing is None:
        return None
    mine = _rows_with(answer.rounds, player)
    sheet = read_rows(SessionSheet, data, mine)
    games = [
        _game(sheet.ruleset, index, game, answer.rounds[index], player)
        for index, game in zip(mine, sheet.games, strict=True)
    ]
    scored = [game.points for game in games if game and game.points is not None]
    return SessionWhy(
        standing, tuple(game for game in games if game), sum(scored), len(scored), sheet.min_games
    )


def _rows_with(rounds: Sequence[GameAnswer | RoundAnswer], player: str) -> list[int]:
    return [index for index, each in enumerate(rounds) if any(row.player == player for row in each.results)]


def _game(ruleset: Ruleset, index: int, game: Game, scored: GameAnswer, player: str) -> GameWhy | None:
    """Explain one game; None for a void game, of which only an ejection counts."""
    row = next(row for row in game.results if row.player == player)
    result = next(result for result in scored.results if result.player == player)
    if game.ended == "void" and row.outcome != "ejected":
        return None
    return GameWhy(index, result.place, result.points, _how(ruleset, game, scored, row))


def _how(ruleset: Ruleset, game: Game, scored: GameAnswer, row: Result) -> How:
    if row.outcome == "out":
        return Out(row.elapsed_s or 0)
    if row.outcome == "last":
        return Last()
    if row.outcome == "ejected":
        return Ejected()
    if row.outcome == "remaining":
        return _remaining(ruleset, game, row.player)
    gave_up = {other.player for other in game.results if other.outcome == "gave_up"}
    others = [each.points or 0 for each in scored.results if each.player not in gave_up]
    return GaveUp(max(others), ruleset.give_up_extra, ruleset.give_up_least)


def _remaining(ruleset: Ruleset, game: Game, player: str) -> Remaining:
    hands = {row.player: row.hand for row in game.results if row.hand is not None}
    ranks = rank_remaining(hands)
    rank = ranks[player]

    def compared(there: int | None) -> Compared | None:
        players = tuple(each for each, other in ranks.items() if other == there)
        if not players:
            return None
        mine, theirs = hands[player], hands[players[0]]
        step = deciding_step(theirs, mine)
        return Compared(players, step, counted_in(step, mine), counted_in(step, theirs))

    return Remaining(
        rank=rank,
        base=ruleset.remaining_base,
        step=ruleset.remaining_step,
        cards=counted_in("cards", hands[player]),
        shared=tuple(each for each, other in ranks.items() if other == rank and each != player),
        ahead=compared(max((other for other in ranks.values() if other < rank), default=None)),
        behind=compared(min((other for other in ranks.values() if other > rank), default=None)),
    )


def why_in_match(data: Mapping[str, Any], answer: MatchAnswer, player: str) -> MatchWhy | None:
    """Explain the player's place in a match; None for a player who is not in the standings."""
    standing = _standing(answer.standings, player)
    if standing is None:
        return None
    mine = _rows_with(answer.rounds, player)
    sheet = read_rows(MatchSheet, data, mine)
    rounds = tuple(
        _round(sheet, index, round_, answer.rounds[index], player)
        for index, round_ in zip(mine, sheet.rounds, strict=True)
        if round_.winner is not None
    )
    return MatchWhy(standing, rounds, sum(round_.gained for round_ in rounds), sheet.scoring == OWN_HAND)


def _round(sheet: MatchSheet, index: int, round_: Round, scored: RoundAnswer, player: str) -> RoundWhy:
    assert round_.winner is not None
    gained = next(row.points for row in scored.results if row.player == player)
    hands = [
        HandWhy(each, hand, hand_points(sheet.ruleset, hand))
        for each, hand in round_.hands.items()
        if each != round_.winner and hand_size(hand)
    ]
    own = next((hand for hand in hands if hand.player == player), None)
    if sheet.scoring == OWN_HAND:
        hands = [own] if own else []
    return RoundWhy(index, round_.winner, gained, tuple(hands), own)


def _standing(rows: Sequence[SessionStanding | MatchStanding], player: str) -> Standing | None:
    """Explain the place of `player` among `rows`."""
    values = {row.player: row.value for row in rows}
    place = {row.player: row.place for row in rows if row.place is not None}
    status = {row.player: row.status for row in rows}
    if player not in status:
        return None
    mine = values[player]
    if player not in place or mine is None:
        return Standing(None, status[player], mine, (), None, None)
    own = place[player]

    def neighbour(there: int | None) -> Neighbour | None:
        players = tuple(each for each, other in place.items() if other == there)
        value = values[players[0]] if players else None
        return None if value is None or mine is None else Neighbour(players, value, abs(value - mine))

    return Standing(
        place=own,
        status=status[player],
        value=mine,
        shared=tuple(each for each, other in place.items() if other == own and each != player),
        ahead=neighbour(max((other for other in place.values() if other < own), default=None)),
        behind=neighbour(min((other for other in place.values() if other > own), default=None)),
    )


def why_in_heats(data: Mapping[str, Any], answer: HeatsAnswer, player: str) -> HeatWhy | None:
    """Explain why the player goes through or not; None before their heat has a result."""
    for index, heat in enumerate(answer.rounds):
        result = next((row for row in heat.results if row.player == player), None)
        if result:
            (typed,) = read_rows(HeatsSheet, data, [index]).heats
            return HeatWhy(
                index=index,
                order=typed.finish_order,
                place=result.place,
                advance=typed.advance,
                through=result.advances,
                removed=player in typed.removed,
            )
    return None
