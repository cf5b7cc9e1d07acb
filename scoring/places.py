"""Places in standard competition ranking."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, TypeVar

Rank = TypeVar("Rank", int, Fraction, tuple[int, ...])


def places(ranks: Sequence[Rank]) -> list[int]:
    """Places of `ranks`, where less is better: 1 plus the number strictly better, so ties share: 1, 1, 3."""
    comparable: list[Any] = list(ranks)
    if comparable and isinstance(comparable[0], Fraction):
        # Integers compare much faster.
        common = lcm(*(rank.denominator for rank in comparable))
        comparable = [rank.numerator * (common // rank.denominator) for rank in comparable]
    first: dict[Any, int] = {}
    for place, rank in enumerate(sorted(comparable), 1):
        first.setdefault(rank, place)
    return [first[rank] for rank in comparable]


def places_of(ranks: Mapping[str, Rank]) -> dict[str, int]:
    """The place of each player, by `places`."""
    return dict(zip(ranks, places(list(ranks.values())), strict=True))
