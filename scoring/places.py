"""Places: 1 + how many are strictly better.

So those who are level share a place, and the next one is skipped: 1, 1, 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, TypeVar

Rank = TypeVar("Rank", int, Fraction, tuple[int, ...])


def places(ranks: Sequence[Rank]) -> list[int]:
    """The place of each entry of `ranks`, in which less is better."""
    comparable = _comparable(ranks)
    first: dict[Any, int] = {}
    for place, rank in enumerate(sorted(comparable), 1):
        first.setdefault(rank, place)
    return [first[rank] for rank in comparable]


def _comparable(ranks: Sequence[Any]) -> list[Any]:
    """The ranks, fractions over their common denominator: whole numbers compare much faster."""
    if not ranks or not isinstance(ranks[0], Fraction):
        return list(ranks)
    common = lcm(*(rank.denominator for rank in ranks))
    return [rank.numerator * (common // rank.denominator) for rank in ranks]
