"""One timed KPGUT game: places and points.

| rule | section of KPGUT | where |
| --- | --- | --- |
| out: full minutes | outcomes | `_out` |
| last: the game's minutes | outcomes; ruling on the loser's points | `_last` |
| remaining: 65, 70, 75 ... | outcomes; special situation 6; ruling on shared places | `_remaining` |
| gave up: worst + 30, at least 60, last | outcomes; special situation 9 | `_gave_up` |
| ejected: no place, no points | outcomes; special situation 15 | `score_game` |
| void: no scores | ruling on void games | `score_game` |
"""

from collections.abc import Mapping

from rulesets import Ruleset

from .answers import GameAnswer, GameResult
from .hands import deciding_steps, places_of, rank_remaining
from .sheets import Game, Hand, Kept

MINUTE_S = 60
Score = tuple[int | None, int | None]  # place, points


def score_game(game: Game, ruleset: Ruleset, kept: Kept) -> GameAnswer:
    """Score a valid game in row order (cached)."""
    scored = kept.get(("scored", ruleset.id))
    if not isinstance(scored, GameAnswer) or scored.number != game.number:
        results = scored.results if isinstance(scored, GameAnswer) else _results(game, ruleset)
        kept["scored", ruleset.id] = scored = GameAnswer(game.number, results)
    return scored


def ejected_in(game: Game, kept: Kept) -> frozenset[str]:
    """Players ejected in the game, even in a void one."""
    ejected = kept.get("ejected")
    if not isinstance(ejected, frozenset):
        kept["ejected"] = ejected = frozenset(row.player for row in game.results if row.outcome == "ejected")
    return ejected


def _results(game: Game, ruleset: Ruleset) -> tuple[GameResult, ...]:
    hands = {row.player: row.hand for row in game.results if row.hand is not None}  # empty if void
    scores = {} if game.ended == "void" else _scores(game, ruleset, hands)
    decided = deciding_steps(hands)
    return tuple(
        GameResult(row.player, *scores.get(row.player, (None, None)), decided=decided.get(row.player))
        for row in game.results
    )


def _scores(game: Game, ruleset: Ruleset, hands: Mapping[str, Hand]) -> Mapping[str, Score]:
    out_s = {row.player: row.elapsed_s for row in game.results if row.elapsed_s is not None}
    stayed = {**_out(out_s), **_last(game, out_s), **_remaining(hands, len(out_s), ruleset)}
    return {**stayed, **_gave_up(game, stayed, ruleset)}


def _out(out_s: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    return {player: (place, out_s[player] // MINUTE_S) for player, place in places_of(out_s).items()}


def _last(game: Game, out_s: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Without a duration, the game ended when the last other went out."""
    return {
        row.player: (
            len(out_s) + 1,
            (max(out_s.values()) if game.duration_s is None else game.duration_s) // MINUTE_S,
        )
        for row in game.results
        if row.outcome == "last"
    }


def _remaining(hands: Mapping[str, Hand], out: int, ruleset: Ruleset) -> dict[str, tuple[int, int]]:
    return {
        player: (out + rank, ruleset.remaining_base + ruleset.remaining_step * rank)
        for player, rank in rank_remaining(hands).items()
    }


def _gave_up(game: Game, stayed: dict[str, tuple[int, int]], ruleset: Ruleset) -> dict[str, tuple[int, int]]:
    gave_up = [row.player for row in game.results if row.outcome == "gave_up"]
    if not gave_up:
        return {}
    worst = max(points for _, points in stayed.values())
    points = max(worst + ruleset.give_up_extra, ruleset.give_up_least)
    return dict.fromkeys(gave_up, (len(stayed) + 1, points))
