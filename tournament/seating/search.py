"""Simulated annealing by swaps between tables, in integers.

Worse swaps are accepted with falling probability; the best seating found is returned. Limited by steps, not
seconds, so it is deterministic.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

_SURE = 1 << 32  # bound of random numbers
_HALF = isqrt(_SURE * _SURE >> 1)
_QUARTER = isqrt(_SURE * _HALF)
_PARTS = (_SURE, _QUARTER, _HALF, isqrt((_SURE >> 1) * _HALF))  # _SURE * 2 ** -(n / 4)
_WARM, _COLD = 1, 24  # halvings of probability per unit of cost, times 4


@dataclass(frozen=True, slots=True)
class Dislikes:
    """Costs of a seating.

    `meeting` per person and other (symmetric), `groups` (-1: none), `spread` of uneven groups; `unit`: a typical
    cost.
    """

    meeting: Sequence[Mapping[int, int]]
    groups: Sequence[int]
    spread: int
    unit: int


def improve(
    at: Sequence[int], dislikes: Dislikes, chance: Iterator[int], steps: int, good: int = 0
) -> list[int]:
    """Improve each person's table (by index) in about `steps`, preserving sizes; stops at cost `good`."""
    if len(set(at)) < 2:
        return list(at)
    company = _Company(at, dislikes)
    best, least = list(at), company.cost
    left = steps
    while left > 0 and least > good and (sore := company.sore()):
        cold = _WARM + (_COLD - _WARM) * (steps - left) // steps
        for _ in range(4 * len(sore)):
            left -= 1
            one, other = sore[next(chance) % len(sore)], next(chance) % len(at)
            worse = company.worse(one, other)
            if worse is None or (worse > 0 and not _dared(worse * cold // dislikes.unit, chance)):
                continue
            left -= company.trade(one, other, worse)
            if company.cost < least:
                best, least = list(company.at), company.cost
    return best


def _dared(quarters: int, chance: Iterator[int]) -> bool:
    """True with probability 2 ** -(quarters / 4)."""
    return quarters < 128 and next(chance) < _PARTS[quarters & 3] >> (quarters >> 2)


class _Company:
    def __init__(self, at: Sequence[int], dislikes: Dislikes) -> None:
        tables = range(max(at) + 1)
        self.at = list(at)
        self.cost = cost_of(at, dislikes)
        self._meeting, self._groups, self._spread = dislikes.meeting, dislikes.groups, dislikes.spread
        self._pain = [[0 for _ in tables] for _ in at]  # cost by person and table
        for pain, others in zip(self._pain, dislikes.meeting, strict=True):
            for other, cost in others.items():
                pain[at[other]] += cost
        self._members = [[0 for _ in tables] for _ in range(max(dislikes.groups) + 1)]  # by group and table
        for group, table in zip(dislikes.groups, at, strict=True):
            if group >= 0:
                self._members[group][table] += 1

    def sore(self) -> list[int]:
        """People with disliked meetings or a group too large at the table."""
        full = [min(members) + 1 for members in self._members]
        return [
            person
            for person, (table, group) in enumerate(zip(self.at, self._groups, strict=True))
            if self._pain[person][table] or (group >= 0 and self._members[group][table] > full[group])
        ]

    def worse(self, one: int, other: int) -> int | None:
        """Extra cost of a swap; None at the same table."""
        here, there = self.at[one], self.at[other]
        if here == there:
            return None
        mine, theirs = self._pain[one], self._pain[other]
        more = mine[there] - mine[here] + theirs[here] - theirs[there] - 2 * self._meeting[one].get(other, 0)
        group, their_group = self._groups[one], self._groups[other]
        if group != their_group:
            more += self._spread * (self._uneven(group, here, there) + self._uneven(their_group, there, here))
        return more

    def _uneven(self, group: int, here: int, there: int) -> int:
        return 2 * (self._members[group][there] - self._members[group][here] + 1) if group >= 0 else 0

    def trade(self, one: int, other: int, worse: int) -> int:
        """Swap; returns its cost in search steps."""
        here, there = self.at[one], self.at[other]
        self.at[one], self.at[other] = there, here
        self.cost += worse
        work = 0
        for person, origin, goal in ((one, here, there), (other, there, here)):
            for friend, cost in self._meeting[person].items():
                pain = self._pain[friend]
                pain[origin] -= cost
                pain[goal] += cost
            if self._groups[person] >= 0:
                self._members[self._groups[person]][origin] -= 1
                self._members[self._groups[person]][goal] += 1
            work += len(self._meeting[person])
        return work >> 3


def cost_of(at: Sequence[int], dislikes: Dislikes) -> int:
    """Total cost: disliked meetings once, plus squared group counts."""
    cost = sum(
        price
        for person, others in enumerate(dislikes.meeting)
        for other, price in others.items()
        if other < person and at[other] == at[person]
    )
    members = Counter((group, at[person]) for person, group in enumerate(dislikes.groups) if group >= 0)
    return cost + dislikes.spread * sum(number * number for number in members.values())
