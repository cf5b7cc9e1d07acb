"""Places: 1 + how many are strictly better.

So those who are level share a place, and the next one is skipped: 1, 1, 3.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

Rank = TypeVar("Rank", int, Fraction, tuple[int, ...])


def places(ranks: Sequence[Rank]) -> list[int]:
    """The place of each entry of `ranks`, in which less is better."""
    ordered = sorted(ranks)
    return [bisect_left(ordered, rank) + 1 for rank in ranks]
