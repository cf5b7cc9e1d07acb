"""Trade places between two tables until the company is as good as it gets: a search of a fixed number of steps.

Simulated annealing in whole numbers: a trade that is no worse is made, one that is worse by some cost is made with a
chance that falls as the search goes on, and the best company found is returned. The limit is a number of steps, not of
seconds, so that the same seed gives the same company on a slow machine too.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

_SURE = 1 << 32  # the random numbers stay below it
_HALF = isqrt(_SURE * _SURE >> 1)
_QUARTER = isqrt(_SURE * _HALF)
_PARTS = (_SURE, _QUARTER, _HALF, isqrt((_SURE >> 1) * _HALF))  # _SURE * 2 ** -(n / 4)
_WARM, _COLD = 1, 24  # quarters of a halving of the chance for each unit of cost


@dataclass(frozen=True, slots=True)
class Dislikes:
    """The costs of a company: for each person the others whom they should not meet, with the cost if they do (both ways
    round), the group of each (-1: none), and the cost of an uneven spread of the groups. `unit` is a typical cost."""

    meeting: Sequence[Mapping[int, int]]
    groups: Sequence[int]
    spread: int
    unit: int


def improve(
    at: Sequence[int], dislikes: Dislikes, chance: Iterator[int], steps: int, good: int = 0
) -> list[int]:
    """Improve the table of each person (by index), with the sizes of `at`; stops early at a cost of `good`."""
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
    """Decide at random: true with a chance of one half to the power of so many quarters."""
    return quarters < 128 and next(chance) < _PARTS[quarters & 3] >> (quarters >> 2)


class _Company:
    """The present tables and their cost, updated with each trade instead of recounted."""

    def __init__(self, at: Sequence[int], dislikes: Dislikes) -> None:
        tables = range(max(at) + 1)
        self.at = list(at)
        self.cost = cost_of(at, dislikes)
        self._meeting, self._groups, self._spread = dislikes.meeting, dislikes.groups, dislikes.spread
        self._pain = [[0 for _ in tables] for _ in at]  # what each person costs at each table
        for pain, others in zip(self._pain, dislikes.meeting, strict=True):
            for other, cost in others.items():
                pain[at[other]] += cost
        self._members = [
            [0 for _ in tables] for _ in range(max(dislikes.groups) + 1)
        ]  # of each group at each table
        for group, table in zip(dislikes.groups, at, strict=True):
            if group >= 0:
                self._members[group][table] += 1

    def sore(self) -> list[int]:
        """List those who meet somebody they should not, or whose group has too many at their table."""
        full = [min(members) + 1 for members in self._members]
        return [
            person
            for person, (table, group) in enumerate(zip(self.at, self._groups, strict=True))
            if self._pain[person][table] or (group >= 0 and self._members[group][table] > full[group])
        ]

    def worse(self, one: int, other: int) -> int | None:
        """Give the extra cost if these two trade places; None at the same table."""
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
        """Compute by how much the squares of a group's numbers grow if one of them goes from here to there."""
        return 2 * (self._members[group][there] - self._members[group][here] + 1) if group >= 0 else 0

    def trade(self, one: int, other: int, worse: int) -> int:
        """Let the two trade places; return how many search steps that counts as."""
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
    """Add up the company's cost: each disliked meeting once, and the squares of each group's number at each table."""
    cost = sum(
        price
        for person, others in enumerate(dislikes.meeting)
        for other, price in others.items()
        if other < person and at[other] == at[person]
    )
    members = Counter((group, at[person]) for person, group in enumerate(dislikes.groups) if group >= 0)
    return cost + dislikes.spread * sum(number * number for number in members.values())
