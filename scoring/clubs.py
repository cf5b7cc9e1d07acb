"""Club standings of a stage, from players' results. Our ruling (docs/rulings.md):

| rule | where |
| --- | --- |
| best players up to the second largest club's size, at most 3; heats: all | `best_of` |
| session: mean of averages, lowest best; match: sum of points; heats: qualifiers | `ClubRule` |
| lowest best: smaller clubs last, without place; ties share | `score_clubs` |
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from .hands import places

CLUB_MOST = 3


@dataclass(frozen=True, slots=True)
class ClubRule:
    """How players' results become the club's: mean or sum, lowest or highest wins, best players or all."""

    mean: bool = False
    lowest: bool = False
    everybody: bool = False


@dataclass(frozen=True, slots=True)
class ClubResult:
    """A player's average, points, or 1/0 for qualifying."""

    club: str
    player: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class ClubStanding:
    """A club's line; `counted`: best first. `place` None: too few players where the lowest is best."""

    club: str
    place: int | None
    players: int
    counted: tuple[str, ...]
    value: Fraction


def best_of(sizes: Iterable[int]) -> int:
    """Counted players per club: the second largest of `sizes`, at most CLUB_MOST; 0 with fewer than two."""
    ordered = sorted(sizes, reverse=True)
    return min(CLUB_MOST, ordered[1]) if len(ordered) > 1 else 0


def score_clubs(results: Iterable[ClubResult], rule: ClubRule) -> tuple[ClubStanding, ...]:
    """Club standings, placed ones first; empty with fewer than two. Tied players count in result order."""
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
