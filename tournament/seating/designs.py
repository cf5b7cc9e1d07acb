"""Seats of an evening with a symmetry, which have few repeated meetings or none: starts of a search.

| design | where |
| --- | --- |
| rows of people, one of each at each table, moving on by as many tables as their row has before it | `shifted` |
| with the rows as one more game and a prime number of tables: an affine plane, where all meet once | `shifted` |
| a starter: one game, whose people all move on by one in each game (Kirkman's 15 schoolgirls, 1850) | `turned` |

Source: C. J. Colbourn, J. H. Dinitz (ed.), Handbook of Combinatorial Designs, 2nd ed. 2007, VI.50 and VI.55.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

from tournament.seating.drawing import dared

Games = list[list[list[int]]]  # people (from 0) by game and table
Kind = tuple[int, int, int, int]  # meetings that the symmetry maps to each other, first how many

_LARGEST = 5  # table for which starters are searched; larger ones need none
_STARTERS = 6
_STEPS = 20_000  # for each starter
_WARM, _COLD = 1, 24  # halvings of probability per repeated kind, times 4


def shifted(people: int, tables: int, games: int) -> Games:
    """Rows of people in order, of each of which every table gets one; larger tables first."""
    rows = [list(range(first, min(first + tables, people))) for first in range(0, people, tables)]
    drawn = [rows] if people == tables * tables else []
    for game in range(games - len(drawn)):
        seats: list[list[int]] = [[] for _ in range(tables)]
        for before, row in enumerate(rows):
            for place, person in enumerate(row):
                seats[(place + game * before) % tables].append(person)
        drawn.append(sorted(seats, key=len, reverse=True))
    return drawn


def turned(people: int, sizes: Sequence[int], games: int, chance: Iterator[int]) -> Games | None:
    """The best of some starters, whose people move on by one, modulo `games`; those left over stay.

    None for large tables, if more are left over than there are tables, and if some must meet again.
    """
    must = games * (max(sizes) - 1) >= people or max(sizes) > len(sizes)
    if must or people % games > len(sizes) or max(sizes) > _LARGEST:
        return None
    best = _Starter(people, sizes, games, chance)
    for _ in range(_STARTERS):
        if not best.cost:
            break
        starter = _Starter(people, sizes, games, chance)
        starter.anneal(chance)
        best = min(best, starter, key=lambda each: each.cost)
    return [
        [[best.moved(person, game) for person in table] for table in best.tables] for game in range(games)
    ]


class _Starter:
    """A first game. A kind of meeting is two orbits of people and the difference of their numbers there."""

    def __init__(self, people: int, sizes: Sequence[int], games: int, chance: Iterator[int]) -> None:
        self._games, self._moving = games, people - people % games
        rest = iter(sorted(range(self._moving), key=lambda _: next(chance)))
        still = range(self._moving, people)
        self.tables = [
            [*still[at : at + 1], *islice(rest, size - (at < len(still)))] for at, size in enumerate(sizes)
        ]
        self._met: Counter[Kind] = Counter()
        self.cost = sum(
            self._count([kind], 1)
            for table in self.tables
            for one, other in combinations(table, 2)
            for kind in self._kinds(one, other)
        )

    def anneal(self, chance: Iterator[int]) -> None:
        """Exchange people until no kind of meeting is repeated, or for a number of steps."""
        for step in range(_STEPS):
            here, there = (self.tables[next(chance) % len(self.tables)] for _ in "12")
            one, other = (next(chance) % len(table) for table in (here, there))
            if here is there or max(here[one], there[other]) >= self._moving:
                continue
            worse = self._exchange(here, one, there, other)
            heat = _WARM + (_COLD - _WARM) * step // _STEPS
            if worse > 0 and not dared(worse * heat // self._games, chance):
                worse += self._exchange(here, one, there, other)
            self.cost += worse
            if not self.cost:
                return

    def moved(self, person: int, game: int) -> int:
        """Who sits in the person's seat in a later game."""
        if person >= self._moving:
            return person
        return person - person % self._games + (person + game) % self._games

    def _exchange(self, here: list[int], one: int, there: list[int], other: int) -> int:
        """Exchange two people by their seats; returns by how much it is worse."""
        worse = self._count(self._company(here, one), -1) + self._count(self._company(there, other), -1)
        here[one], there[other] = there[other], here[one]
        return worse + self._count(self._company(here, one), 1) + self._count(self._company(there, other), 1)

    def _company(self, table: Sequence[int], seat: int) -> list[Kind]:
        return [
            kind for at, friend in enumerate(table) if at != seat for kind in self._kinds(table[seat], friend)
        ]

    def _count(self, kinds: Iterable[Kind], more: int) -> int:
        """Count meetings; returns by how many more are repeated, as the sum of m(m-1)/2."""
        worse = 0
        for kind in kinds:
            times = self._met[kind]
            self._met[kind] = times + more
            worse += kind[0] * (times if more > 0 else 1 - times)
        return worse

    def _kinds(self, one: int, other: int) -> list[Kind]:
        """One kind, but twice for two opposite each other in an orbit, who meet in two games."""
        games = self._games
        low, high = min(one, other), max(one, other)
        (orbit, place), (their_orbit, their_place) = divmod(low, games), divmod(high, games)
        if high >= self._moving:
            return [(games, orbit, high, games)]
        apart = (their_place - place) % games
        if orbit != their_orbit:
            return [(games, orbit, their_orbit, apart)]
        if 2 * apart == games:
            return [(apart, orbit, orbit, apart)] * 2
        return [(games, orbit, orbit, min(apart, games - apart))]
