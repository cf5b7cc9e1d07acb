"""A season: average over all games of several sessions.

Our ruling (docs/rulings.md, "What the program adds"):

| rule | where |
| --- | --- |
| points / games, sessions unweighted | `_standing` |
| games before an ejection count | `score_season` |
| fewest games to be ranked | `_standing` |
| lowest average wins, ties share | `score_season` |
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from .answers import SessionStanding
from .hands import places

SEASON_LEAST_GAMES = 3


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A season line. `status`: ranked, or too_few_games (no place)."""

    player: str
    place: int | None
    status: str
    sessions: int
    games: int
    points: int
    average: Fraction  # points a game


def score_season(
    lines: Iterable[SessionStanding], least_games: int = SEASON_LEAST_GAMES
) -> tuple[SeasonStanding, ...]:
    """Season standings of session `lines`; player ids match across sessions.

    Ranked first, then under `least_games`, each by average, stable. Omits players without games.
    """
    played: dict[str, list[SessionStanding]] = {}
    for line in lines:
        if line.games:
            played.setdefault(line.player, []).append(line)
    standings = [_standing(player, of_player, least_games) for player, of_player in played.items()]
    standings.sort(key=lambda standing: standing.average)
    ranked = [standing for standing in standings if standing.status == "ranked"]
    ranks = places([standing.average for standing in ranked])
    return (
        *(replace(standing, place=place) for standing, place in zip(ranked, ranks, strict=True)),
        *(standing for standing in standings if standing.status != "ranked"),
    )


def _standing(player: str, lines: list[SessionStanding], least_games: int) -> SeasonStanding:
    games, points = sum(line.games for line in lines), sum(line.points for line in lines)
    return SeasonStanding(
        player=player,
        place=None,
        status="ranked" if games >= least_games else "too_few_games",
        sessions=len(lines),
        games=games,
        points=points,
        average=Fraction(points, games),
    )
