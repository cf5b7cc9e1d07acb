"""Simulated annealing of all games of an evening, in integers: swaps of two people within a game.

Places at the tables of an evening: everyone sits at each place as often as at any other, give or take one.

Always possible for tables of one size: an edge colouring of a bipartite graph (König 1916), by alternating chains.
People, each split into vertices of one game per place, and tables are its sides; a colour is a place. Places that
only larger tables have are filled first.

Symmetric seats of an evening with few repeated meetings: starts of a search.

| design | where |
| --- | --- |
| one of each row of people at each table, moving on by the number of their row | `shifted` |
| with a prime or 4, 8 or 9 tables, and the rows as one more game: an affine plane, where all meet once | `shifted` |
| a starter: one game, whose people all move on by one in each game (Kirkman's 15 schoolgirls, 1850) | `turned` |

Source: C. J. Colbourn, J. H. Dinitz (ed.), Handbook of Combinatorial Designs, 2nd ed. 2007, VI.50 and VI.55. The
starters were found by annealing exchanges of two people.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations
from math import comb
from typing import Generic, TypeVar

from tournament.seating.drawing import daring
from tournament.seating.positions import met_in

Games = list[list[list[int]]]  # people (from 0) by game and table

# First games by people, tables and games: one for each so many games. No two meet again.
STARTERS = {
    (15, 5, 7): [
        [[6, 11, 14], [0, 1, 3], [2, 9, 13], [4, 10, 12], [5, 7, 8]],
    ],
    (16, 4, 5): [
        [[3, 8, 12, 15], [5, 6, 11, 13], [2, 4, 10, 14], [0, 1, 7, 9]],
    ],
    (24, 6, 7): [
        [[2, 9, 18, 21], [3, 7, 17, 22], [6, 11, 16, 23], [8, 14, 15, 19], [4, 10, 12, 13], [0, 1, 5, 20]],
    ],
    (24, 8, 11): [
        [[0, 20, 22], [5, 21, 23], [7, 14, 19], [8, 11, 18], [12, 13, 15], [1, 10, 16], [4, 9, 17],
         [2, 3, 6]],
    ],
    (27, 6, 5): [
        [[2, 9, 12, 20, 25], [0, 8, 13, 15, 26], [1, 5, 6, 19, 23], [4, 10, 11, 16], [3, 17, 22, 24],
         [7, 14, 18, 21]],
    ],
    (27, 9, 13): [
        [[11, 18, 26], [2, 12, 24], [13, 14, 17], [3, 16, 22], [6, 21, 23], [1, 10, 15], [4, 20, 25],
         [8, 9, 19], [0, 5, 7]],
    ],
    (28, 6, 6): [
        [[7, 8, 13, 18, 26], [12, 17, 19, 22, 27], [2, 15, 21, 24, 25], [4, 6, 9, 16, 23], [0, 10, 11, 14],
         [1, 3, 5, 20]],
        [[11, 19, 20, 21, 26], [0, 6, 15, 17, 18], [3, 12, 13, 16, 24], [2, 7, 14, 22, 23], [5, 9, 25, 27],
         [1, 4, 8, 10]],
    ],
    (28, 7, 7): [
        [[7, 10, 19, 21], [14, 16, 20, 26], [1, 8, 13, 25], [6, 9, 17, 24], [0, 22, 23, 27], [2, 4, 5, 18],
         [3, 11, 12, 15]],
    ],
    (32, 8, 8): [
        [[3, 5, 16, 21], [2, 10, 19, 24], [15, 17, 23, 25], [6, 13, 18, 29], [11, 22, 26, 31], [1, 4, 28, 30],
         [8, 14, 20, 27], [0, 7, 9, 12]],
    ],
    (36, 9, 8): [
        [[0, 5, 12, 20], [4, 17, 27, 34], [3, 11, 25, 32], [2, 15, 26, 35], [7, 16, 21, 23], [6, 9, 24, 33],
         [8, 13, 14, 18], [1, 10, 19, 30], [22, 28, 29, 31]],
    ],
}  # fmt: skip

# Powers of a primitive element in a field of so many elements, and its prime; elements as numbers in that base.
FIELDS = {4: ([1, 2, 3], 2), 8: ([1, 2, 4, 3, 6, 7, 5], 2), 9: ([1, 4, 6, 7, 2, 8, 3, 5], 3)}


def shifted(people: int, tables: int, games: int) -> Games:
    """Rows of people in order, of each of which every table gets one; larger tables first."""
    powers, prime = FIELDS.get(tables, ([], tables))
    rows = [list(range(first, min(first + tables, people))) for first in range(0, people, tables)]
    drawn = [rows] if people == tables * tables else []
    for game in range(games - len(drawn)):
        seats: list[list[int]] = [[] for _ in range(tables)]
        for before, row in enumerate(rows):
            shift = game * before
            if powers and shift:
                shift = powers[(game + before) % len(powers)]
            for place, person in enumerate(row):
                seats[_plus(place, shift % tables, prime)].append(person)
        drawn.append(sorted(seats, key=len, reverse=True))
    return drawn


def _plus(one: int, other: int, base: int) -> int:
    """Sum without carries."""
    return (one + other) % base + (base * _plus(one // base, other // base, base) if one or other else 0)


def turned(people: int, starters: Games, period: int) -> Games:
    """Starters, whose people move on by one, modulo `period`; those left over stay."""
    moving = people - people % period
    return [
        [[p if p >= moving else p - p % period + (p + game) % period for p in table] for table in starter]
        for starter in starters
        for game in range(period)
    ]


# ---- Annealing ----


REPEAT = 64  # cost of a pair's second meeting; the third costs three times as much, the fourth six times
UNEVEN = 1  # cost of a person's squared number of games at tables of one size
WARM, COLD, ICY = 7, 40, 1000  # halvings of probability per repeat, times 4: see _heat
NEVER = 1 << 60  # cost of a swap at one table

Company = Sequence[Mapping[int, int]]  # extra cost by person and other, at one table
Homes = Sequence[Mapping[int, int]]  # each person's table by game
Progress = Callable[[int], object]  # hears the percentage done


class Search:
    """Games as tables of people (from 0), changed by swaps within a game; the first `begun` games stay.

    `company`: extra cost of each pair at a table; `home`: tables of the games not begun that it costs `move` to leave.
    Each person's cost at each table of each game stays at hand, so that all swaps of a person are compared at once.
    """

    def __init__(
        self, games: Games, company: Company, *, begun: int = 0, home: Homes = (), move: int = 0
    ) -> None:
        self.games = [[list(table) for table in tables] for tables in games]
        self._company = company
        home = home or [{} for _ in games[begun:]]
        self._later = self.games[begun:]
        self._at = [[at for _, at in sorted(tables.items())] for tables in homes(self._later)]
        self._together = [
            (one, other) for one, others in enumerate(company) for other, cost in others.items() if cost < 0
        ]
        self._prices = [REPEAT * comb(times + 1, 2) for times in range(len(games) + 2)]  # of one more meeting
        self._times = [[0] * len(company) for _ in company]
        for table in chain.from_iterable(games):
            for one, other in permutations(table, 2):
                self._times[one][other] += 1
        self._pairs = [
            [others.get(other, 0) + self._prices[met] for other, met in enumerate(times)]
            for others, times in zip(company, self._times, strict=True)
        ]
        self._sizes = [Counter[int]() for _ in company]
        for table in chain.from_iterable(games):
            for one in table:
                self._sizes[one][len(table)] += 1
        self._seats = sum(self._sizes, Counter())  # by size of table
        self._costs = [
            [
                [
                    sum(map(pairs.__getitem__, table))
                    + 2 * UNEVEN * sizes[len(table)]
                    + move * (stays.get(person, at) != at)
                    for at, table in enumerate(tables)
                ]
                for person, (pairs, sizes) in enumerate(zip(self._pairs, self._sizes, strict=True))
            ]
            for tables, stays in zip(self._later, home, strict=True)
        ]
        self._met = [
            [0] * len(at) for at in self._at
        ]  # by game and person: how much of the cost its table mates saw
        for game, tables in enumerate(self._later):
            for table in tables:
                self._count(game, table)
        uneven = sum(times * times for sizes in self._sizes for times in sizes.values())
        self.cost = UNEVEN * uneven + sum(
            company[one].get(other, 0) * times + REPEAT * comb(times + 1, 3)
            for (one, other), times in met_in(games).items()
        )
        self.cost += move * sum(
            stays.get(person, table) != table
            for at, stays in zip(self._at, home, strict=True)
            for person, table in enumerate(at)
        )
        self._work = 4 + len(self._at[0]) // 4, 20 + len(self._at[0]) // 4 + 4 * len(self._at)

    def anneal(
        self, work: int, chance: Iterator[int], *, warm: int = WARM, progress: Progress = lambda _done: None
    ) -> None:
        """Improve for about `work` (a microsecond on a slow computer), to the best games found, or to the lower
        bound."""
        left, best, least = work, self.cost, self.least()
        look, trade = self._work
        since: list[tuple[int, int, int]] = []  # swaps since the best
        while left > 0 and best > least and (sore := self._sore()):
            progress(100 * (work - left) // work)
            heat = _heat(warm, work - left, work)
            left -= len(self._at) * len(self._at[0]) // 2
            for _ in range(16 + len(sore)):
                game, one = sore[next(chance) % len(sore)]
                worse, most = self._worse(game, one), (REPEAT * daring(chance) - 1) // heat
                left -= look
                others = [other for other, more in enumerate(worse) if more <= most]
                if not others:
                    continue
                left -= trade
                other = others[next(chance) % len(others)]
                self._swap(game, one, other)
                self.cost += worse[other]
                since.append((game, one, other))
                if self.cost < best:
                    best = self.cost
                    since.clear()
        for swap in reversed(since):
            self._swap(*swap)
        self.cost = best

    def least(self) -> int:
        """Lower bound of the cost, without `company`: any two games share pairs, at best spread evenly."""
        here = {*range(len(self._at[0]))}
        rooms = [[len(here.intersection(table)) for table in tables] for tables in self.games]
        shared = sum(
            _evenly(size, len(other), lambda times: comb(times, 2))
            for room, other in combinations(rooms, 2)
            for size in room
        )
        meetings = sum(comb(size, 2) for room in rooms for size in room)
        even = _evenly(meetings, max(1, comb(len(here), 2)), lambda times: comb(times + 1, 3))
        uneven = sum(
            _evenly(seats, len(self._sizes), lambda times: times * times) for seats in self._seats.values()
        )
        together = sum(self._company[one][other] for one, other in self._together) // 2
        return REPEAT * max(shared, even) + UNEVEN * uneven + together * len(self.games)

    def _sore(self) -> list[tuple[int, int]]:
        """Games and people with repeats there, or uneven numbers of games by size of table."""
        count = len(self._sizes)
        odd = {
            person
            for person, times in enumerate(self._sizes)
            for size, seats in self._seats.items()
            if not seats // count <= times[size] <= -(-seats // count)
        }
        split = [
            (game, one)
            for game, at in enumerate(self._at)
            for one, other in self._together
            if at[one] != at[other]
        ]
        return split + [
            (game, person)
            for game, tables in enumerate(self._later)
            for table in tables
            for person in table
            if person in odd or sum(map(self._pairs[person].__getitem__, table)) > self._met[game][person]
        ]

    def _worse(self, game: int, one: int) -> list[int]:
        """Extra cost of a swap with each of the people."""
        at, tables, costs = self._at[game], self._later[game], self._costs[game]
        here, mine, met = at[one], costs[one], self._met[game]
        size = len(tables[here])
        more = [
            cost - mine[here] + met[one] + 4 * UNEVEN * (len(table) != size)
            for cost, table in zip(mine, tables, strict=True)
        ]
        more[here] = NEVER
        return [
            more[there] + row[here] - row[there] + saved - pair - pair
            for row, there, saved, pair in zip(costs, at, met, self._pairs[one], strict=False)
        ]

    def _swap(self, game: int, one: int, other: int) -> None:
        at, tables = self._at[game], self._later[game]
        here, there = at[one], at[other]
        for row, pair, new in zip(self._costs[game], self._pairs[one], self._pairs[other], strict=True):
            row[here] += new - pair
            row[there] -= new - pair
        at[one], at[other] = there, here
        for leaving, coming, table in ((one, other, tables[here]), (other, one, tables[there])):
            friends = [friend for friend in table if friend != leaving]
            self._meet(leaving, friends, -1)
            self._meet(coming, friends, 1)
            self._sit(leaving, len(table), -1)
            self._sit(coming, len(table), 1)
        ours, theirs = tables[here], tables[there]
        ours[ours.index(one)], theirs[theirs.index(other)] = other, one
        self._count(game, ours)
        self._count(game, theirs)

    def _count(self, game: int, table: Sequence[int]) -> None:
        for person in table:
            self._met[game][person] = REPEAT * sum(map(self._times[person].__getitem__, table))

    def _meet(self, one: int, others: Sequence[int], more: int) -> None:
        """One more game of a person with each of the others, or one fewer."""
        dearer = []
        for other in others:
            times = self._times[one][other]
            price = self._prices[times + more] - self._prices[times]
            self._times[one][other] = self._times[other][one] = times + more
            self._pairs[one][other] += price
            self._pairs[other][one] += price
            dearer.append((other, price))
        for at, costs, met in zip(self._at, self._costs, self._met, strict=True):
            mine, here = costs[one], at[one]
            for other, price in dearer:
                there = at[other]
                mine[there] += price
                costs[other][here] += price
                if there == here:
                    met[one] += REPEAT * more
                    met[other] += REPEAT * more

    def _sit(self, person: int, size: int, more: int) -> None:
        """One more game of a person at a table of this size, or one fewer."""
        self._sizes[person][size] += more
        if len(self._seats) > 1:
            for tables, costs in zip(self._later, self._costs, strict=True):
                for at, table in enumerate(tables):
                    if len(table) == size:
                        costs[person][at] += 2 * UNEVEN * more


def homes(games: Games) -> list[dict[int, int]]:
    """Each person's table by game."""
    return [{person: at for at, table in enumerate(tables) for person in table} for tables in games]


def _heat(warm: int, done: int, work: int) -> int:
    """Four fifths of the work for repeats, one fifth for what weighs less, while repeats are frozen."""
    if 5 * done < 4 * work:
        return warm + 5 * (COLD - warm) * done // (4 * work)
    return COLD + (ICY - COLD) * (5 * done - 4 * work) // work


def _evenly(whole: int, parts: int, cost: Callable[[int], int]) -> int:
    """Cost of `whole` in as equal parts as can be."""
    each, more = divmod(whole, parts)
    return (parts - more) * cost(each) + more * cost(each + 1)


# ---- Places at the tables of an evening ----


Key = TypeVar("Key", bound=Hashable)
Part = tuple[int, int]  # a person and which part of their games


def places(games: Sequence[Sequence[Sequence[int]]]) -> list[list[list[int]]]:
    """The same people at each table, clockwise from its first place."""
    left = {(game, at): list(table) for game, tables in enumerate(games) for at, table in enumerate(tables)}
    smallest = min(map(len, left.values()))
    ends: dict[tuple[int, int], list[int]] = {key: [] for key in left}
    for size in range(max(map(len, left.values())), smallest, -1):
        larger = {key: table for key, table in left.items() if len(table) == size}
        for key, order in _coloured(larger, size).items():
            ends[key].insert(0, order[-1])
            left[key].remove(order[-1])
    firsts = _coloured(left, smallest)
    return [
        [firsts[game, at] + ends[game, at] for at in range(len(tables))] for game, tables in enumerate(games)
    ]


def _coloured(tables: Mapping[Key, Sequence[int]], colours: int) -> dict[Key, list[int]]:
    """The people of each table by colour; among every `colours` tables of a person each colour occurs once."""
    colouring: _Colouring[Key] = _Colouring(colours)
    games: Counter[int] = Counter()
    for table, people in tables.items():
        for person in people:
            colouring.add(table, (person, games[person] // colours))
            games[person] += 1
    return {table: [part[0] for part in colouring.parts[table] if part] for table in tables}


class _Colouring(Generic[Key]):
    """Edges between tables and parts of people: `parts` by table and colour, `tables` by part and colour."""

    def __init__(self, colours: int) -> None:
        self.parts: dict[Key, list[Part | None]] = defaultdict(lambda: [None] * colours)
        self.tables: dict[Part, list[Key | None]] = defaultdict(lambda: [None] * colours)

    def add(self, table: Key, part: Part) -> None:
        """Colour an edge, after exchanging two colours along the chain that begins at `part`."""
        colour, spare = self.parts[table].index(None), self.tables[part].index(None)
        while True:
            pushed = self.tables[part][colour]
            self.parts[table][colour], self.tables[part][colour] = part, table
            if pushed is None:
                return
            following = self.parts[pushed][spare]
            self.parts[pushed][spare], self.tables[part][spare] = part, pushed
            self.parts[pushed][colour] = None
            if following is None:
                return
            self.tables[following][spare] = None
            table, part = pushed, following
