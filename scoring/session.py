"""KPGUT sessions: a series of games, and the lowest average wins.

| rule | section of the rule sheet | where |
| --- | --- | --- |
| points added up, divided by the games played | KPGUT, the session | `_standing` |
| ejected: stays on the list, without a place | ruling on ejected players | `_status` |
| fewest games to be ranked | ruling on `min_games` | `_status` |
| lowest average wins, level averages share the place | KPGUT, the session | `_place` |
| order of the list | score sheet, order of rows | `score_session` |
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from .answers import GameAnswer, SessionAnswer, SessionStanding
from .games import ejected_in, score_game
from .places import places
from .sheets import SessionSheet

STATUSES = ("ranked", "too_few_games", "not_played", "disqualified")  # in the order of the list


def score_session(sheet: SessionSheet) -> SessionAnswer:
    """The answer to a session sheet that keeps the rules."""
    rounds = tuple(score_game(game, sheet.ruleset) for game in sheet.games)
    standings = _place(_standings(sheet, rounds))
    return SessionAnswer(
        ruleset=sheet.ruleset.id,
        standings=standings,
        rounds=rounds,
        winners=tuple(standing.player for standing in standings if standing.place == 1),
    )


def _standings(sheet: SessionSheet, rounds: Iterable[GameAnswer]) -> list[SessionStanding]:
    """Everybody's line, still without places, in the order of the players."""
    disqualified = _disqualified(sheet)
    points: dict[str, list[int]] = {player: [] for player in sheet.players}
    for game in rounds:
        for result in game.results:
            if result.points is not None:
                points[result.player].append(result.points)
    return [
        _standing(player, scored, sheet.min_games, player in disqualified)
        for player, scored in points.items()
    ]


def _disqualified(sheet: SessionSheet) -> set[str]:
    """Those ejected in a game, a void one too, and those removed after the last."""
    return set(sheet.removed).union(*(ejected_in(game) for game in sheet.games))


def _standing(player: str, points: list[int], min_games: int, disqualified: bool) -> SessionStanding:
    return SessionStanding(
        player=player,
        place=None,
        status=_status(len(points), min_games, disqualified),
        games=len(points),
        points=sum(points),
        average=Fraction(sum(points), len(points)) if points else None,
    )


def _status(games: int, min_games: int, disqualified: bool) -> str:
    if disqualified:
        return "disqualified"
    if games == 0:
        return "not_played"
    return "too_few_games" if games < min_games else "ranked"


def _place(standings: list[SessionStanding]) -> tuple[SessionStanding, ...]:
    """The ranked with their places, best first; then those without one, status by status."""
    ranked = [standing for standing in standings if standing.status == "ranked"]
    averages = [standing.average for standing in ranked if standing.average is not None]
    placed = [
        replace(standing, place=place) for standing, place in zip(ranked, places(averages), strict=True)
    ]
    placed.sort(key=lambda standing: standing.place or 0)
    others = [standing for standing in standings if standing.status != "ranked"]
    others.sort(key=lambda standing: STATUSES.index(standing.status))
    return (*placed, *others)
