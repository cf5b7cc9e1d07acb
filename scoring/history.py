"""The history of the standings: totals, averages and places after each game or round.

Everything follows from the points in an answer, added up once from the first game to the last, so that the work grows
only with the number of results. Each moment is as the sheet that ends there would be scored:

| at the moment | who has a place | rule |
| --- | --- | --- |
| after a round of a match | who was in play in it | `match._standings` |
| after a game of a session | who has enough games and was not ejected so far | `session._status` |
| after the last one | who has a place in the answer | who left or was removed afterwards counts as the answer says |
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from typing import Any

from rulesets import OWN_HAND

from .answers import Answer, GameAnswer, MatchAnswer, RoundAnswer, SessionAnswer
from .places import places_of
from .reading import read_rows
from .sheets import MatchSheet, SessionSheet

Places = Mapping[str, int]


def totals_so_far(answer: Answer, players: Collection[str]) -> dict[str, tuple[int, ...]]:
    """Compute each of these players' total in points, after each game or round that gave them points, 0 included."""
    points: dict[str, list[int]] = {player: [] for player in players}
    for round_ in answer.rounds:
        for result in round_.results:
            if result.player in points and result.points is not None:
                points[result.player].append(result.points)
    return {player: tuple(accumulate(gained)) for player, gained in points.items()}


def averages_so_far(answer: SessionAnswer, players: Collection[str]) -> dict[str, tuple[Fraction, ...]]:
    """Compute the average of each of these players after each game of theirs, in points a game."""
    return {
        player: tuple(Fraction(total, games) for games, total in enumerate(totals, 1))
        for player, totals in totals_so_far(answer, players).items()
    }


def places_in_session(
    data: Mapping[str, Any], answer: SessionAnswer, moments: Sequence[int]
) -> Iterator[Places]:
    """Compute everybody's place after so many games, for each of these numbers."""
    games, min_games = data["games"], read_rows(SessionSheet, data).min_games
    points = {row.player: 0 for row in answer.standings}
    played = dict.fromkeys(points, 0)
    ejected: set[str] = set()
    for first, end in pairwise((0, *moments)):
        _add(answer.rounds[first:end], points, played)
        for game in games[first:end]:
            ejected.update(row["player"] for row in game["results"] if row["outcome"] == "ejected")
        ranked = [player for player, count in played.items() if count >= min_games and player not in ejected]
        # Averages over one denominator, so that whole numbers are compared.
        whole = lcm(*(count for count in played.values() if count))
        yield places_of({player: points[player] * (whole // played[player]) for player in ranked})


def places_in_match(data: Mapping[str, Any], answer: MatchAnswer, moments: Sequence[int]) -> Iterator[Places]:
    """Compute everybody's place after so many rounds, for each of these numbers."""
    side = -1 if read_rows(MatchSheet, data).scoring == OWN_HAND else 1
    points = {row.player: 0 for row in answer.standings}
    for first, end in pairwise((0, *moments)):
        _add(answer.rounds[first:end], points, dict.fromkeys(points, 0))
        yield places_of({row.player: -side * points[row.player] for row in answer.rounds[end - 1].results})


def _add(rounds: Sequence[GameAnswer | RoundAnswer], points: dict[str, int], played: dict[str, int]) -> None:
    for round_ in rounds:
        for result in round_.results:
            if result.points is not None:
                points[result.player] += result.points
                played[result.player] += 1
