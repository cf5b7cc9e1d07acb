"""KPGUT sessions: games, lowest average wins.

| rule | section | where |
| --- | --- | --- |
| points / games | KPGUT, the session | `_standings` |
| ejected: listed without place | ruling on ejected players | `_status` |
| fewest games to be ranked | ruling on `min_games` | `_status` |
| lowest average wins, ties share | KPGUT, the session | `_standings` |
| list order | score sheet, order of rows | `_standings` |
"""

from collections.abc import Iterable
from fractions import Fraction

from .answers import GameAnswer, SessionAnswer, SessionStanding
from .games import ejected_in, score_game
from .places import places_of
from .sheets import Memos, SessionSheet

STATUSES = ("ranked", "too_few_games", "not_played", "disqualified")  # in list order


def score_session(sheet: SessionSheet, memos: Memos) -> SessionAnswer:
    """Score a valid session sheet."""
    rounds = tuple(
        score_game(game, sheet.ruleset, kept) for game, kept in zip(sheet.games, memos, strict=True)
    )
    standings = _standings(sheet, rounds, memos)
    return SessionAnswer(
        ruleset=sheet.ruleset.id,
        standings=standings,
        rounds=rounds,
        winners=tuple(standing.player for standing in standings if standing.place == 1),
    )


def _standings(
    sheet: SessionSheet, rounds: Iterable[GameAnswer], memos: Memos
) -> tuple[SessionStanding, ...]:
    points = _points(sheet, rounds)
    average = {player: Fraction(sum(each), len(each)) for player, each in points.items() if each}
    disqualified = set(sheet.removed).union(*map(ejected_in, sheet.games, memos))  # void games too
    status = {
        player: _status(len(each), sheet.min_games, player in disqualified) for player, each in points.items()
    }
    place = places_of({player: average[player] for player, said in status.items() if said == "ranked"})
    standings = [
        SessionStanding(
            player=player,
            place=place.get(player),
            status=status[player],
            games=len(each),
            points=sum(each),
            average=average.get(player),
        )
        for player, each in points.items()
    ]
    standings.sort(key=lambda standing: (STATUSES.index(standing.status), standing.place or 0))
    return tuple(standings)


def _points(sheet: SessionSheet, rounds: Iterable[GameAnswer]) -> dict[str, list[int]]:
    points: dict[str, list[int]] = {player: [] for player in sheet.players}
    for game in rounds:
        for result in game.results:
            if result.points is not None:
                points[result.player].append(result.points)
    return points


def _status(games: int, min_games: int, disqualified: bool) -> str:
    if disqualified:
        return "disqualified"
    if games == 0:
        return "not_played"
    return "too_few_games" if games < min_games else "ranked"
