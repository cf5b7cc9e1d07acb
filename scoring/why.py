"""Explains a player's place, as codes and numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulesets import OWN_HAND, WINNER_TAKES, Ruleset

from .answers import (
    GameAnswer,
    HeatsAnswer,
    MatchAnswer,
    MatchStanding,
    RaceAnswer,
    RaceGameAnswer,
    RaceStanding,
    RoundAnswer,
    SessionAnswer,
    SessionStanding,
)
from .hands import counted_in, deciding_step, hand_points, hand_size, rank_remaining
from .race import counted, score_race_game
from .reading import read_rows
from .sheets import Game, Hand, HeatsSheet, MatchSheet, RaceGame, RaceSheet, Result, Round, SessionSheet


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The players one place better or worse; `value`: average (match: total)."""

    players: tuple[str, ...]
    value: Fraction
    difference: Fraction


@dataclass(frozen=True, slots=True)
class Standing:
    """A place; `value`: average or total, None before the first game; `shared`: others there."""

    place: int | None
    status: str
    value: Fraction | None
    shared: tuple[str, ...]
    ahead: Neighbour | None
    behind: Neighbour | None


@dataclass(frozen=True, slots=True)
class Out:
    """Out at `elapsed_s`; one point per full minute."""

    elapsed_s: int


@dataclass(frozen=True, slots=True)
class Last:
    """Last player left: the game's full minutes."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The step of special situation 6 (`hands.STEPS`) that decides between two hands, with counts."""

    players: tuple[str, ...]
    step: str
    mine: int
    theirs: int


@dataclass(frozen=True, slots=True)
class Remaining:
    """In the game at its end: `base` plus `step` times `rank` points."""

    rank: int
    base: int
    step: int
    cards: int
    shared: tuple[str, ...]
    ahead: Compared | None
    behind: Compared | None

    @classmethod
    def of(cls, ruleset: Ruleset, game: Game, player: str) -> "Remaining":
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

        return cls(
            rank=rank,
            base=ruleset.remaining_base,
            step=ruleset.remaining_step,
            cards=counted_in("cards", hands[player]),
            shared=tuple(each for each, other in ranks.items() if other == rank and each != player),
            ahead=compared(max((other for other in ranks.values() if other < rank), default=None)),
            behind=compared(min((other for other in ranks.values() if other > rank), default=None)),
        )


@dataclass(frozen=True, slots=True)
class GaveUp:
    """Gave up: `worst` of the others plus `extra`, at least `least`."""

    worst: int
    extra: int
    least: int


@dataclass(frozen=True, slots=True)
class Ejected:
    """Ejected: no points for this or later games."""


How = Out | Last | Remaining | GaveUp | Ejected


@dataclass(frozen=True, slots=True)
class GameWhy:
    """One game of the player; `index` into the answer's rounds."""

    index: int
    place: int | None
    points: int | None
    how: How

    @classmethod
    def of(
        cls, ruleset: Ruleset, index: int, game: Game, scored: GameAnswer, player: str
    ) -> "GameWhy | None":
        """None for a void game, unless the player was ejected in it."""
        row = next(row for row in game.results if row.player == player)
        result = next(result for result in scored.results if result.player == player)
        if game.ended == "void" and row.outcome != "ejected":
            return None
        return cls(index, result.place, result.points, _how(ruleset, game, scored, row))


@dataclass(frozen=True, slots=True)
class SessionWhy:
    """A place in a session; the average is `points` divided by `scored`."""

    standing: Standing
    games: tuple[GameWhy, ...]
    points: int
    scored: int
    min_games: int


@dataclass(frozen=True, slots=True)
class HandWhy:
    """A hand left at the end of a round."""

    player: str
    cards: Hand
    points: int


@dataclass(frozen=True, slots=True)
class RoundWhy:
    """One round. `hands`: those that the winner scored, or in own_hand the player's; `own`: None for the winner."""

    index: int
    winner: str
    gained: int
    hands: tuple[HandWhy, ...]
    own: HandWhy | None

    @classmethod
    def of(cls, sheet: MatchSheet, index: int, round_: Round, scored: RoundAnswer, player: str) -> "RoundWhy":
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
        return cls(index, round_.winner, gained, tuple(hands), own)


@dataclass(frozen=True, slots=True)
class MatchWhy:
    """A place in a match; `points`: total."""

    standing: Standing
    rounds: tuple[RoundWhy, ...]
    points: int
    own_hand: bool


@dataclass(frozen=True, slots=True)
class HeatWhy:
    """A player's heat: the first `advance` of `order` qualify."""

    index: int
    order: tuple[str, ...]
    place: int | None
    advance: int
    through: bool
    removed: bool


@dataclass(frozen=True, slots=True)
class RaceNeighbour:
    """The players one place better or worse; `by`: the first word of `rank` that parts them."""

    players: tuple[str, ...]
    by: str
    mine: Fraction
    theirs: Fraction


@dataclass(frozen=True, slots=True)
class RaceGameWhy:
    """One race game. `winner`: None if time ran out; `hands`: the others' if this player scored them, else the player's
    own; `worse`, `level`: how many others held more, or as much; `counts`: whether it is among the player's best."""

    index: int
    points: Fraction
    winner: str | None
    hands: tuple[HandWhy, ...]
    worse: int
    level: int
    others: int
    counts: bool

    @classmethod
    def of(
        cls, sheet: RaceSheet, game: RaceGame, player: str, index: int, *, counts: bool, points: Fraction
    ) -> "RaceGameWhy":
        winner = game.played.winner
        hands = {each: game.played.hands.get(each, {}) for each in game.in_play()}
        held = {
            each: -1 if each == winner else hand_points(sheet.ruleset, hand) for each, hand in hands.items()
        }
        took = winner == player and sheet.scoring == WINNER_TAKES
        return cls(
            index=index,
            points=points,
            winner=winner,
            hands=tuple(
                HandWhy(each, hand, held[each])
                for each, hand in hands.items()
                if hand_size(hand) and (each != player if took else each == player)
            ),
            worse=sum(other > held[player] for other in held.values()),
            level=sum(other == held[player] for other in held.values()) - 1,
            others=len(held) - 1,
            counts=counts,
        )


@dataclass(frozen=True, slots=True)
class RaceWhy:
    """A place in a race."""

    line: RaceStanding
    shared: tuple[str, ...]
    ahead: RaceNeighbour | None
    behind: RaceNeighbour | None
    games: tuple[RaceGameWhy, ...]
    scoring: str
    rank: tuple[str, ...]
    best: int | None
    min_games: int


Why = SessionWhy | MatchWhy | HeatWhy | RaceWhy


def why_in_session(data: Mapping[str, Any], answer: SessionAnswer, player: str) -> SessionWhy | None:
    """Explain a session place; None if not in the standings."""
    standing = _standing(answer.standings, player)
    if standing is None:
        return None
    mine = _rows_with(answer.rounds, player)
    sheet = read_rows(SessionSheet, data, mine)
    games = [
        GameWhy.of(sheet.ruleset, index, game, answer.rounds[index], player)
        for index, game in zip(mine, sheet.games, strict=True)
    ]
    scored = [game.points for game in games if game and game.points is not None]
    return SessionWhy(
        standing, tuple(game for game in games if game), sum(scored), len(scored), sheet.min_games
    )


def _rows_with(rounds: Sequence[GameAnswer | RoundAnswer | RaceGameAnswer], player: str) -> list[int]:
    return [index for index, each in enumerate(rounds) if any(row.player == player for row in each.results)]


def _how(ruleset: Ruleset, game: Game, scored: GameAnswer, row: Result) -> How:
    if row.outcome == "out":
        return Out(row.elapsed_s or 0)
    if row.outcome == "last":
        return Last()
    if row.outcome == "ejected":
        return Ejected()
    if row.outcome == "remaining":
        return Remaining.of(ruleset, game, row.player)
    gave_up = {other.player for other in game.results if other.outcome == "gave_up"}
    others = [each.points or 0 for each in scored.results if each.player not in gave_up]
    return GaveUp(max(others), ruleset.give_up_extra, ruleset.give_up_least)


def why_in_match(data: Mapping[str, Any], answer: MatchAnswer, player: str) -> MatchWhy | None:
    """Explain a match place; None if not in the standings."""
    standing = _standing(answer.standings, player)
    if standing is None:
        return None
    mine = _rows_with(answer.rounds, player)
    sheet = read_rows(MatchSheet, data, mine)
    rounds = tuple(
        RoundWhy.of(sheet, index, round_, answer.rounds[index], player)
        for index, round_ in zip(mine, sheet.rounds, strict=True)
        if round_.winner is not None
    )
    return MatchWhy(standing, rounds, sum(round_.gained for round_ in rounds), sheet.scoring == OWN_HAND)


def _standing(rows: Sequence[SessionStanding | MatchStanding], player: str) -> Standing | None:
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
    """Explain qualification; None before the heat's result."""
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


def why_in_race(data: Mapping[str, Any], answer: RaceAnswer, player: str) -> RaceWhy | None:
    """Explain a place in a race; None if not in the standings."""
    line = next((row for row in answer.standings if row.player == player), None)
    if line is None:
        return None
    mine = _rows_with(answer.rounds, player)
    sheet = read_rows(RaceSheet, data, mine)
    places = {row.player: row.place for row in answer.standings if row.place is not None}
    own = places.get(player, 0)

    def neighbour(place: int | None) -> RaceNeighbour | None:
        there = [row for row in answer.standings if row.place == place and place is not None]
        values = [(word, line.by(word), there[0].by(word)) for word in sheet.rank] if there else []
        return next(
            (
                RaceNeighbour(tuple(row.player for row in there), word, mine, theirs)
                for word, mine, theirs in values
                if mine is not None and theirs is not None and mine != theirs
            ),
            None,
        )

    return RaceWhy(
        line=line,
        shared=tuple(each for each, place in places.items() if place == own and each != player),
        ahead=neighbour(max((place for place in places.values() if place < own), default=None)),
        behind=neighbour(min((place for place in places.values() if own and place > own), default=None)),
        games=_race_games(sheet, mine, player),
        scoring=sheet.scoring,
        rank=sheet.rank,
        best=sheet.best,
        min_games=sheet.min_games,
    )


def _race_games(sheet: RaceSheet, indexes: Sequence[int], player: str) -> tuple[RaceGameWhy, ...]:
    scored = [
        (index, game, part)
        for index, game in zip(indexes, sheet.games, strict=True)
        if (part := score_race_game(sheet, game, {}).get(player))
    ]
    best = counted(sheet, [part for _index, _game, part in scored])
    return tuple(
        RaceGameWhy.of(sheet, game, player, index, counts=at in best, points=part.points)
        for at, (index, game, part) in enumerate(scored)
    )
