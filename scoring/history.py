"""Totals, averages and places over time; each moment as if the sheet ended there.

| moment | has a place | rule |
| --- | --- | --- |
| match round | players in play | `match._standings` |
| session game | enough games, not ejected so far | `session._status` |
| race game | as if the race ended there | `race.score_race` |
| last play | as in the answer | later removals and withdrawals apply |
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from typing import Any

from rulesets import OWN_HAND

from .answers import Answer, GameAnswer, MatchAnswer, RaceAnswer, RoundAnswer, SessionAnswer
from .hands import places_of
from .race import score_race
from .reading import read_rows
from .sheets import MatchSheet, Memos, RaceSheet, Row, SessionSheet

Places = Mapping[str, int]


def totals_so_far(answer: Answer, players: Collection[str]) -> dict[str, tuple[int | Fraction, ...]]:
    """Running totals per player, after each play that gave points (0 included)."""
    points = {
        player: [each.points for _index, each in answer.results.get(player, ()) if each.points is not None]
        for player in players
    }
    return {player: tuple(accumulate(gained)) for player, gained in points.items()}


def averages_so_far(answer: Answer, players: Collection[str]) -> dict[str, tuple[Fraction, ...]]:
    """Running averages per player, in points a game."""
    return {
        player: tuple(Fraction(total, games) for games, total in enumerate(totals, 1))
        for player, totals in totals_so_far(answer, players).items()
    }


def places_in_session(
    data: Mapping[str, Any], answer: SessionAnswer, moments: Sequence[int]
) -> Iterator[Places]:
    """Places by player, after each number of games in `moments`."""
    games, min_games = data["games"], read_rows(SessionSheet, data).min_games
    points = {row.player: 0 for row in answer.standings}
    played = dict.fromkeys(points, 0)
    ejected: set[str] = set()
    for first, end in pairwise((0, *moments)):
        _add(answer.rounds[first:end], points, played)
        for game in games[first:end]:
            ejected.update(row["player"] for row in game["results"] if row["outcome"] == "ejected")
        ranked = [player for player, count in played.items() if count >= min_games and player not in ejected]
        whole = lcm(*(count for count in played.values() if count))
        yield places_of({player: points[player] * (whole // played[player]) for player in ranked})


def places_in_match(data: Mapping[str, Any], answer: MatchAnswer, moments: Sequence[int]) -> Iterator[Places]:
    """Places by player, after each number of rounds in `moments`."""
    side = -1 if read_rows(MatchSheet, data).scoring == OWN_HAND else 1
    points = {row.player: 0 for row in answer.standings}
    for first, end in pairwise((0, *moments)):
        _add(answer.rounds[first:end], points, dict.fromkeys(points, 0))
        yield places_of({row.player: -side * points[row.player] for row in answer.rounds[end - 1].results})


def places_in_race(data: Mapping[str, Any], _answer: RaceAnswer, moments: Sequence[int]) -> Iterator[Places]:
    """Places by player, after each number of games in `moments`."""
    rows = data["games"]
    memos: Memos = [row.kept if isinstance(row, Row) else {} for row in rows]
    sheet = replace(read_rows(RaceSheet, data, range(len(rows))), removed=())
    for end in moments:
        standings = score_race(replace(sheet, games=sheet.games[:end]), memos[:end]).standings
        yield {row.player: row.place for row in standings if row.place is not None}


def _add(rounds: Sequence[GameAnswer | RoundAnswer], points: dict[str, int], played: dict[str, int]) -> None:
    for round_ in rounds:
        for result in round_.results:
            if result.points is not None:
                points[result.player] += result.points
                played[result.player] += 1
