"""Past meetings, positions and neighbours.

A seating: a game's or stage's tables, players clockwise from position 1; None for irrelevant players.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)
Seating = Iterable[Sequence[Id | None]]


def met_in(seatings: Iterable[Seating[Id]]) -> Counter[frozenset[Id]]:
    """Count how often each pair shared a table."""
    return Counter(
        frozenset(pair)
        for seating in seatings
        for table in seating
        for pair in combinations([player for player in table if player is not None], 2)
    )


def positions_in(seatings: Iterable[Seating[Id]]) -> dict[Id, Counter[int]]:
    """Count how often each player sat in each position, from 1."""
    sat: dict[Id, Counter[int]] = {}
    for seating in seatings:
        for table in seating:
            for position, player in enumerate(table, start=1):
                if player is not None:
                    sat.setdefault(player, Counter())[position] += 1
    return sat


def beside_in(seatings: Iterable[Seating[Id]]) -> Counter[frozenset[Id]]:
    """Count how often each pair were neighbours; the last is next to the first."""
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
    """Each player with the next clockwise; empty for one."""
    return list(zip(table, [*table[1:], *table[:1]], strict=True)) if len(table) > 1 else []


def repeated(met: Mapping[frozenset[Id], int]) -> int:
    """Repeated meetings: all after a pair's first."""
    return sum(times - 1 for times in met.values())
