"""The rating: an estimate of each player's strength from finishing orders, with its uncertainty. It decides no place.

Every contest moves each player's estimate (`mu`) and makes it surer (`sigma`), by the Plackett-Luce model of Weng and
Lin (2011), which the library openskill keeps: an order of several players counts as a whole, and those level share
their rank. A contest is rated by what was known before it, so the order of contests matters a little; it is the order
of play, which follows from the facts and not from who entered them first.

Readers see a whole number, 1000 + 20 mu, so that everybody begins at 1500, and a band of two sigma to either side, in
which the true strength lies in about 19 of 20 cases. Lists are in the order of the bands' lower ends: nobody leads by
one lucky game.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loaded with the first list
    from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

ZERO = 1000  # points
POINTS = 20  # for each unit of mu and sigma
SIGMAS = 2  # from the middle of the band to its ends

Order = tuple[tuple[str, ...], ...]  # players by place


@dataclass(frozen=True, slots=True)
class Finish:
    """The finishing order of one contest: players by place, the best first, those level together. `event` says what
    the contest was a part of."""

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
        """The middle of the band."""
        return round(ZERO + POINTS * self.mu)

    @property
    def band(self) -> int:
        """Points from the middle of the band to its ends."""
        return round(POINTS * SIGMAS * self.sigma)

    @property
    def low(self) -> int:
        """The lower end of the band, by which lists are ranked."""
        return self.points - self.band

    @property
    def high(self) -> int:
        """The upper end of the band."""
        return self.points + self.band


BEGINNING = Rating(25.0, 25.0 / 3.0, 0)  # as openskill begins


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating now, and as it was after each event they were rated in, the oldest first."""

    now: Rating
    history: tuple[tuple[str, Rating], ...]


def ratings(finishes: Iterable[Finish]) -> dict[str, Rated]:
    """Compute everybody's rating after these contests, given in the order of play.

    A contest of fewer than two players is left out.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[str, PlackettLuceRating] = {}
    contests: dict[str, int] = {}
    history: dict[str, dict[str, Rating]] = {}
    for finish in finishes:
        # Sorted within a tie: sums of floats depend on the order of the terms.
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
