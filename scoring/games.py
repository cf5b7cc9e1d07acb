"""One timed KPGUT game: everybody's place and points.

| rule | section of the rule sheet | where |
| --- | --- | --- |
| out: full minutes, in the order of going out | KPGUT, outcomes | `_out` |
| last: minutes of the game's end, after all out | KPGUT, outcomes; ruling on the loser's points | `_last` |
| remaining: 65, 70, 75 ... by special situation 6 | KPGUT, outcomes; ruling on shared places | `_remaining` |
| gave up: worst of the others + 30, at least 60, last | KPGUT, outcomes; special situation 9 | `_gave_up` |
| ejected: no place and no points | KPGUT, outcomes; special situation 15 | `score_game` |
| a void game counts for nobody | ruling on void games | `score_game` |
"""

from __future__ import annotations

from rulesets import Ruleset

from .answers import GameAnswer, GameResult
from .hands import deciding_steps, rank_remaining
from .places import places
from .sheets import Game, Hand, Kept

Score = tuple[int | None, int | None]  # place, points
NO_SCORE: Score = (None, None)


def score_game(game: Game, ruleset: Ruleset, kept: Kept) -> GameAnswer:
    """Everybody's place and points in a game that keeps the rules, in the order of its rows. It is `kept`."""
    scored = kept.get(("scored", ruleset.id))
    if not isinstance(scored, GameAnswer):
        scored = GameAnswer(game.number, _results(game, ruleset))
    elif scored.number != game.number:
        scored = GameAnswer(game.number, scored.results)
    kept["scored", ruleset.id] = scored
    return scored


def ejected_in(game: Game, kept: Kept) -> frozenset[str]:
    """The players ejected in a game, a void one too."""
    ejected = kept.get("ejected")
    if not isinstance(ejected, frozenset):
        ejected = frozenset(row.player for row in game.results if row.outcome == "ejected")
        kept["ejected"] = ejected
    return ejected


def _results(game: Game, ruleset: Ruleset) -> tuple[GameResult, ...]:
    scores = {} if game.ended == "void" else _scores(game, ruleset)
    decided = deciding_steps(_hands(game))  # of a void game no hand was read
    return tuple(
        GameResult(row.player, *scores.get(row.player, NO_SCORE), decided=decided.get(row.player))
        for row in game.results
    )


def _scores(game: Game, ruleset: Ruleset) -> dict[str, Score]:
    out_s = {row.player: row.elapsed_s for row in game.results if row.elapsed_s is not None}
    stayed = {
        **_out(out_s),
        **_last(game, out_s),
        **_remaining(game, len(out_s), ruleset),
    }
    scores: dict[str, Score] = {**stayed, **_gave_up(game, stayed, ruleset)}
    return scores


def _minutes(seconds: int) -> int:
    """Full minutes, rounded down."""
    return seconds // 60


def _out(out_s: dict[str, int]) -> dict[str, tuple[int, int]]:
    return {
        player: (place, _minutes(seconds))
        for place, (player, seconds) in zip(places(list(out_s.values())), out_s.items(), strict=True)
    }


def _last(game: Game, out_s: dict[str, int]) -> dict[str, tuple[int, int]]:
    """The only player left; where nobody kept the time, the game ended when the last other went out."""
    return {
        row.player: (
            len(out_s) + 1,
            _minutes(max(out_s.values()) if game.duration_s is None else game.duration_s),
        )
        for row in game.results
        if row.outcome == "last"
    }


def _remaining(game: Game, out: int, ruleset: Ruleset) -> dict[str, tuple[int, int]]:
    return {
        player: (out + rank, ruleset.remaining_base + ruleset.remaining_step * rank)
        for player, rank in rank_remaining(_hands(game)).items()
    }


def _hands(game: Game) -> dict[str, Hand]:
    return {row.player: row.hand for row in game.results if row.hand is not None}


def _gave_up(game: Game, stayed: dict[str, tuple[int, int]], ruleset: Ruleset) -> dict[str, tuple[int, int]]:
    """Those who gave up share the place behind everybody who did not."""
    gave_up = [row.player for row in game.results if row.outcome == "gave_up"]
    if not gave_up:
        return {}
    worst = max(points for _, points in stayed.values())
    score = (len(stayed) + 1, max(worst + ruleset.give_up_extra, ruleset.give_up_least))
    return dict.fromkeys(gave_up, score)
