"""Seats at a table, avoiding old positions and neighbours.

| rule | where |
| --- | --- |
| initial order by lot | `lot` of `seed:seat:number` |
| fewest repeated positions | `_fewest_again` |
| then fewest old neighbours | `_Neighbours` |
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

# ---- Past meetings, positions and neighbours ----

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


Table = Sequence[Sequence[int]]  # row per player; column per position or other player
_LARGEST = 60  # larger: random order suffices
_STEPS = 1_500  # trial placements per table


def seat(
    table: Sequence[int],
    positions: Mapping[int, Mapping[int, int]],
    beside: Mapping[int, Mapping[int, int]],
) -> list[int]:
    """Seating order of a table's players (indexes, as drawn).

    `positions`: counts per player and position (from 1); the third parameter counts neighbours.
    """
    count = len(table)
    order, free = list(range(count)), [[True] * count for _ in table]
    again = [[positions.get(player, {}).get(at, 0) ** 2 for at in range(1, count + 1)] for player in table]
    if any(map(any, again)):
        order, free = _fewest_again(again)
    old = [[beside.get(player, {}).get(other, 0) for other in table] for player in table]
    if 3 < count <= _LARGEST and any(map(any, old)):  # smaller: all are neighbours
        order = _Neighbours(order, free, old).fewest()
    return [table[index] for index in order]


def _fewest_again(again: Table) -> tuple[list[int], list[list[bool]]]:
    """Minimum-cost positions and which seats any optimum allows: Hungarian method, players as drawn.

    Each newcomer takes the cheapest chain of moves, starting from `outside`, a virtual seat.
    """
    count = outside = len(again)
    never = 1 + 2 * count * (1 + max(map(max, again)))
    of_player, of_seat = [0] * count, [0] * (count + 1)  # potentials for non-negative reduced costs
    sits: list[int | None] = [None] * (count + 1)
    for newcomer in range(count):
        sits[outside] = newcomer
        cheapest, moved_from = [never] * count, [outside] * count
        done: list[int] = []
        ahead = set(range(count))
        seat = outside
        while (player := sits[seat]) is not None:
            done.append(seat)
            for at in ahead:
                cost = again[player][at] - of_player[player] - of_seat[at]
                if cost < cheapest[at]:
                    cheapest[at], moved_from[at] = cost, seat
            following = min(
                ahead, key=lambda at: (cheapest[at], sits[at] is not None, (at - newcomer) % count)
            )
            step = cheapest[following]
            for at in done:
                of_player[_known(sits[at])] += step
                of_seat[at] -= step
            for at in ahead:
                cheapest[at] -= step
            ahead.discard(following)
            seat = following
        while seat != outside:
            sits[seat] = sits[moved_from[seat]]
            seat = moved_from[seat]
    return [_known(player) for player in sits[:count]], [
        [again[player][at] == of_player[player] + of_seat[at] for at in range(count)]
        for player in range(count)
    ]


def _known(player: int | None) -> int:
    assert player is not None
    return player


class _Neighbours:
    """Search for fewest old neighbours among allowed seats."""

    def __init__(self, order: Sequence[int], free: Sequence[Sequence[bool]], old: Table) -> None:
        self._free, self._old = free, old
        self._best = list(order)
        self._least = sum(old[one][other] for one, other in neighbours(order))
        self._steps = _STEPS

    def fewest(self) -> list[int]:
        """Best order found; optimal up to tables of six."""
        self._fill([], 0)
        return self._best

    def _fill(self, seats: list[int], cost: int) -> None:
        at = len(seats)
        if at == len(self._best):
            cost += self._old[seats[-1]][seats[0]]
            if cost < self._least:
                self._best, self._least = list(seats), cost
            return
        self._steps -= 1
        beside = self._old[seats[-1]] if seats else [0] * len(self._best)
        nearest = [player for player in range(len(beside)) if self._free[player][at] and player not in seats]
        for player in sorted(nearest, key=lambda each: beside[each]):
            if self._steps < 0 or cost + beside[player] >= self._least:
                return
            seats.append(player)
            self._fill(seats, cost + beside[player])
            seats.pop()
