"""Player rating from finishing orders; decides no place.

Each contest updates `mu` and `sigma` by the Plackett-Luce model of Weng and Lin (2011, openskill); ties share a
rank. Contests count in order of play, not of entry.

Shown: 1000 + 20 mu (initially 1500) with a two-sigma band, covering true strength in 19 of 20 cases. Sorted by
lower bound, so one lucky game does not lead.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # lazy import
    from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

ZERO = 1000  # points
POINTS = 20  # per unit of mu or sigma
SIGMAS = 2  # half width of the band

Order = tuple[tuple[str, ...], ...]  # players by place


@dataclass(frozen=True, slots=True)
class Finish:
    """Finishing order in `event`: players by place, best first, ties together."""

    event: str
    order: Order


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating after so many `contests`."""

    mu: float
    sigma: float
    contests: int

    @property
    def points(self) -> int:
        """Middle of the band."""
        return round(ZERO + POINTS * self.mu)

    @property
    def band(self) -> int:
        """Half the band's width, in points."""
        return round(POINTS * SIGMAS * self.sigma)

    @property
    def low(self) -> int:
        """Lower bound, the sort key."""
        return self.points - self.band

    @property
    def high(self) -> int:
        """Upper bound."""
        return self.points + self.band


BEGINNING = Rating(25.0, 25.0 / 3.0, 0)  # openskill's default


@dataclass(frozen=True, slots=True)
class Rated:
    """Current rating and history per event, oldest first."""

    now: Rating
    history: tuple[tuple[str, Rating], ...]


def ratings(finishes: Iterable[Finish]) -> dict[str, Rated]:
    """Ratings after contests in order of play; those under two players are skipped."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[str, PlackettLuceRating] = {}
    contests: dict[str, int] = {}
    history: dict[str, dict[str, Rating]] = {}
    for finish in finishes:
        # Sort ties: float sums depend on order.
        placed = [(player, place) for place, level in enumerate(finish.order, 1) for player in sorted(level)]
        if len(placed) < 2:
            continue
        before = [[known.get(player) or model.rating()] for player, _place in placed]
        for (player, _place), [rating] in zip(
            placed, model.rate(before, ranks=[float(place) for _player, place in placed]), strict=True
        ):
            known[player] = rating
            contests[player] = contests.get(player, 0) + 1
            history.setdefault(player, {})[finish.event] = Rating(rating.mu, rating.sigma, contests[player])
    return {
        player: Rated(now=list(by_event.values())[-1], history=tuple(by_event.items()))
        for player, by_event in history.items()
    }
