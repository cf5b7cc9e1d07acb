"""The past of a contest as the draw needs it: who met whom, who sat where, who sat beside whom.

A seating is the tables of one game or stage, each with its players clockwise; position 1 is the first of them. The
place of a player who no longer matters is None.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)
Seating = Iterable[Sequence[Id | None]]


def met_in(seatings: Iterable[Seating[Id]]) -> Counter[frozenset[Id]]:
    """Count how often each pair sat at the same table."""
    return Counter(
        frozenset(pair)
        for seating in seatings
        for table in seating
        for pair in combinations([player for player in table if player is not None], 2)
    )


def positions_in(seatings: Iterable[Seating[Id]]) -> dict[Id, Counter[int]]:
    """Count how often each player sat in each position, the first being 1."""
    sat: dict[Id, Counter[int]] = {}
    for seating in seatings:
        for table in seating:
            for position, player in enumerate(table, start=1):
                if player is not None:
                    sat.setdefault(player, Counter())[position] += 1
    return sat


def beside_in(seatings: Iterable[Seating[Id]]) -> Counter[frozenset[Id]]:
    """Count how often each pair sat beside each other; the last at a table sits beside the first."""
    return Counter(
        pair
        for seating in seatings
        for table in seating
        for pair in {
            frozenset((player, neighbour))
            for player, neighbour in neighbours(table)
            if player is not None and neighbour is not None
        }
    )


def neighbours(table: Sequence[Id]) -> list[tuple[Id, Id]]:
    """Pair each player with the next one clockwise; none at a table of one."""
    return list(zip(table, [*table[1:], *table[:1]], strict=True)) if len(table) > 1 else []


def repeated(met: Mapping[frozenset[Id], int]) -> int:
    """Count the repeated meetings in `met`: each meeting of a pair after its first."""
    return sum(times - 1 for times in met.values())
