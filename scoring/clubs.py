"""The standings of clubs in one stage, from the results of their players.

No rule sheet has them, so all of it is our ruling (docs/rulings.md, "What the program adds").

| rule | where |
| --- | --- |
| of each club as many of the best count as the second largest club has, at most 3; of heats everybody | `best_of` |
| session: the mean of their averages, lowest best; match: the sum of their points; heats: who go through | `ClubRule` |
| where the lowest is best, a club with fewer comes after, without a place; level ones share it | `score_clubs` |
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from .places import places

CLUB_MOST = 3  # players of a club whose results count


@dataclass(frozen=True, slots=True)
class ClubRule:
    """How results of players become the club's: their `mean` or sum; the `lowest` or highest is best; of the best alone
    or of `everybody`."""

    mean: bool = False
    lowest: bool = False
    everybody: bool = False


@dataclass(frozen=True, slots=True)
class ClubResult:
    """A player's result for their club: an average, points, or 1 for who goes through from heats and 0 for others."""

    club: str
    player: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class ClubStanding:
    """A club's line: `players` have a result, those `counted` (the best first) make the `value`. `place` is None for a
    club with fewer players than count, where the lowest is best."""

    club: str
    place: int | None
    players: int
    counted: tuple[str, ...]
    value: Fraction


def best_of(sizes: Iterable[int]) -> int:
    """Give how many players of a club count, from how many players with a result each club has: as many as two clubs
    can send, at most CLUB_MOST; 0 where there are not two clubs."""
    ordered = sorted(sizes, reverse=True)
    return min(CLUB_MOST, ordered[1]) if len(ordered) > 1 else 0


def score_clubs(results: Iterable[ClubResult], rule: ClubRule) -> tuple[ClubStanding, ...]:
    """Compute the standings of clubs, those with a place first; empty where fewer than two clubs have a player with a
    result. Players who are level count in the order of the results."""
    clubs: dict[str, list[ClubResult]] = {}
    for result in results:
        clubs.setdefault(result.club, []).append(result)
    most = best_of(len(players) for players in clubs.values())
    if not most:
        return ()
    sign = 1 if rule.lowest else -1
    found = []
    for club, players in clubs.items():
        best = sorted(players, key=lambda each: sign * each.value)[: None if rule.everybody else most]
        total = sum((each.value for each in best), Fraction(0))
        value = Fraction(total, len(best)) if rule.mean else total
        counted = tuple(each.player for each in best)
        found.append(ClubStanding(club, None, len(players), counted, value))
    found.sort(key=lambda each: sign * each.value)
    whole = [each for each in found if not rule.lowest or each.players >= most]
    ranks = places([sign * each.value for each in whole])
    placed = [replace(each, place=place) for each, place in zip(whole, ranks, strict=True)]
    small = [each for each in found if rule.lowest and each.players < most]
    return (*placed, *sorted(small, key=lambda each: -each.players))
