"""A season: the average over the games of several sessions.

No rule sheet has one, so all of it is our ruling (docs/rulings.md, "What the program adds").

| rule | where |
| --- | --- |
| all points of all games, divided by all games, a session's size not weighing by itself | `_standing` |
| who was ejected from one session stands by the games that they have played | `score_season` |
| fewest games to be ranked | `_standing` |
| lowest average wins, level averages share the place | `score_season` |
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from .answers import SessionStanding
from .places import places

SEASON_LEAST_GAMES = 3


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A player's line in a season. `status`: ranked, too_few_games; the latter have no place."""

    player: str
    place: int | None
    status: str
    sessions: int
    games: int
    points: int
    average: Fraction  # points for each game


def score_season(
    lines: Iterable[SessionStanding], least_games: int = SEASON_LEAST_GAMES
) -> tuple[SeasonStanding, ...]:
    """Compute the standings over the sessions whose `lines` these are; a player has the same id in all of them.

    The ranked first, then those with fewer than `least_games`, each by their average, ties in the order of the lines.
    Players without a game are left out.
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
