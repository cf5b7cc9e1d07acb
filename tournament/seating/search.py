"""Simulated annealing of all games of an evening, in integers: swaps of two people within a game.

Places at the tables of an evening: everyone sits at each place as often as at any other, give or take one.

Always possible for tables of one size: an edge colouring of a bipartite graph (König 1916), by alternating chains.
People, each split into vertices of one game per place, and tables are its sides; a colour is a place. Places that
only larger tables have are filled first.

Symmetric seats of an evening with few repeated meetings: starts of a search.

| design | where |
| --- | --- |
| one of each row of people at each table, moving on by the number of their row | `shifted` |
| with a prime number of tables, and the rows as one more game: an affine plane, where all meet once | `shifted` |
| a starter: one game, whose people all move on by one in each game (Kirkman's 15 schoolgirls, 1850) | `turned` |

Source: C. J. Colbourn, J. H. Dinitz (ed.), Handbook of Combinatorial Designs, 2nd ed. 2007, VI.50 and VI.55. The
starters were found by annealing exchanges of two people.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import comb
from typing import Generic, TypeVar

from tournament.seating.drawing import dared

Games = list[list[list[int]]]  # people (from 0) by game and table

# First game by people, tables and games. No two meet again.
STARTERS = {
    (15, 5, 7): [[6, 11, 14], [0, 1, 3], [2, 9, 13], [4, 10, 12], [5, 7, 8]],
    (16, 4, 5): [[3, 8, 12, 15], [5, 6, 11, 13], [2, 4, 10, 14], [0, 1, 7, 9]],
    (24, 6, 7): [
        [2, 9, 18, 21], [3, 7, 17, 22], [6, 11, 16, 23], [8, 14, 15, 19], [4, 10, 12, 13], [0, 1, 5, 20],
    ],
    (24, 8, 11): [
        [0, 20, 22], [5, 21, 23], [7, 14, 19], [8, 11, 18], [12, 13, 15], [1, 10, 16], [4, 9, 17], [2, 3, 6],
    ],
    (27, 6, 5): [
        [2, 9, 12, 20, 25], [0, 8, 13, 15, 26], [1, 5, 6, 19, 23], [4, 10, 11, 16], [3, 17, 22, 24],
        [7, 14, 18, 21],
    ],
    (27, 9, 13): [
        [11, 18, 26], [2, 12, 24], [13, 14, 17], [3, 16, 22], [6, 21, 23], [1, 10, 15], [4, 20, 25], [8, 9, 19],
        [0, 5, 7],
    ],
    (28, 7, 7): [
        [7, 10, 19, 21], [14, 16, 20, 26], [1, 8, 13, 25], [6, 9, 17, 24], [0, 22, 23, 27], [2, 4, 5, 18],
        [3, 11, 12, 15],
    ],
    (32, 8, 8): [
        [3, 5, 16, 21], [2, 10, 19, 24], [15, 17, 23, 25], [6, 13, 18, 29], [11, 22, 26, 31], [1, 4, 28, 30],
        [8, 14, 20, 27], [0, 7, 9, 12],
    ],
    (36, 9, 8): [
        [0, 5, 12, 20], [4, 17, 27, 34], [3, 11, 25, 32], [2, 15, 26, 35], [7, 16, 21, 23], [6, 9, 24, 33],
        [8, 13, 14, 18], [1, 10, 19, 30], [22, 28, 29, 31],
    ],
}  # fmt: skip


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


def turned(people: int, tables: int, games: int) -> Games:
    """A starter, whose people move on by one, modulo `games`; those left over stay. Empty if none is known."""
    starter = STARTERS.get((people, tables, games), [])
    moving = people - people % games
    return [
        [[p if p >= moving else p - p % games + (p + game) % games for p in table] for table in starter]
        for game in range(games if starter else 0)
    ]


# ---- Annealing ----


REPEAT = 64  # cost of a pair's second meeting; the third costs three times as much, the fourth six times
UNEVEN = 1  # cost of a person's squared number of games at tables of one size
WARM, COLD, ICY = 4, 40, 1000  # halvings of probability per repeat, times 4: see _heat

Company = Sequence[Mapping[int, int]]  # extra cost by person and other, at one table
Homes = Sequence[Mapping[int, int]]  # each person's table by game
Progress = Callable[[int], object]  # hears the percentage done


class Search:
    """Games as tables of people (from 0), changed by swaps within a game; the first `begun` games stay.

    `company`: extra cost of each pair at a table; `home`: tables of the games not begun that it costs `move` to leave.
    """

    def __init__(
        self,
        games: Games,
        company: Company,
        *,
        begun: int = 0,
        home: Homes = (),
        move: int = 0,
    ) -> None:
        people = range(len(company))
        self.games = [[list(table) for table in tables] for tables in games]
        self._at = homes(games)
        self._company, self._begun, self._home, self._move = company, begun, home, move
        self._together = [
            (one, other) for one, others in enumerate(company) for other, cost in others.items() if cost < 0
        ]
        self._here = sorted(self._at[begun])
        self._prices = [REPEAT * comb(times, 2) for times in range(len(games) + 2)]  # of a pair's meeting
        self._times = [[0] * len(people) for _ in people]
        self._sizes = [Counter[int]() for _ in people]
        for table in chain.from_iterable(games):
            for one in table:
                self._sizes[one][len(table)] += 1
                for other in table:
                    self._times[one][other] += one != other
        self._seats = sum(self._sizes, Counter())  # by size of table
        self._joins = [[self._price(one, other, 1) for other in people] for one in people]
        self._leaves = [[self._price(one, other, 0) for other in people] for one in people]
        largest = max(self._seats)
        self._look, self._trade = 3 + largest // 4, 3 * largest  # work
        self.cost = self._whole()

    def anneal(
        self, work: int, chance: Iterator[int], *, warm: int = WARM, progress: Progress = lambda _done: None
    ) -> None:
        """Improve for about `work` (a microsecond on a slow computer), to the best games found, or to the lower
        bound."""
        left, best, least = work, self.cost, self.least()
        since: list[tuple[int, int, int, int]] = []  # swaps since the best
        while left > 0 and best > least and (sore := self._sore()):
            progress(100 * (work - left) // work)
            heat = _heat(warm, work - left, work)
            left -= len(self._here) * len(self.games) // 2
            for _ in range(64 + 4 * len(sore)):
                game, one = sore[next(chance) % len(sore)]
                other = self._here[next(chance) % len(self._here)]
                left -= self._look
                worse = self._worse(game, one, other)
                if worse is None or (worse > 0 and not dared(worse * heat // REPEAT, chance)):
                    continue
                left -= self._trade
                self._swap(game, one, other, worse)
                since.append((game, one, other, worse))
                if self.cost < best:
                    best = self.cost
                    since.clear()
        for game, one, other, worse in reversed(since):
            self._swap(game, one, other, -worse)

    def _whole(self) -> int:
        meetings = sum(
            self._company[one].get(other, 0) * times + REPEAT * comb(times + 1, 3)
            for one, row in enumerate(self._times)
            for other, times in enumerate(row[:one])
        )
        uneven = sum(times * times for sizes in self._sizes for times in sizes.values())
        moved = sum(
            self._moved(game, person, at)
            for game in range(self._begun, len(self.games))
            for person, at in self._at[game].items()
        )
        return meetings + UNEVEN * uneven + moved

    def least(self) -> int:
        """Lower bound of the cost, without `company`: any two games share pairs, at best spread evenly."""
        here = set(self._here)
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
            for game in range(self._begun, len(self.games))
            for one, other in self._together
            if self._at[game][one] != self._at[game][other]
        ]
        return split + [
            (game, person)
            for game, tables in enumerate(self.games[self._begun :], self._begun)
            for table in tables
            for person in table
            if person in odd or sum(map(self._leaves[person].__getitem__, table)) > 0
        ]

    def _worse(self, game: int, one: int, other: int) -> int | None:
        """Extra cost of a swap; None at the same table."""
        here, there = self._at[game][one], self._at[game][other]
        if here == there:
            return None
        ours, theirs = self.games[game][here], self.games[game][there]
        joins, leaves = self._joins, self._leaves
        worse = (
            sum(map(joins[other].__getitem__, ours))
            + sum(map(joins[one].__getitem__, theirs))
            - 2 * joins[one][other]
            - sum(map(leaves[one].__getitem__, ours))
            - sum(map(leaves[other].__getitem__, theirs))
        )
        size, their_size = len(ours), len(theirs)
        if size != their_size:
            mine, its = self._sizes[one], self._sizes[other]
            worse += 2 * UNEVEN * (mine[their_size] - mine[size] + its[size] - its[their_size] + 2)
        if self._move:
            worse += self._moved(game, one, there) + self._moved(game, other, here)
            worse -= self._moved(game, one, here) + self._moved(game, other, there)
        return worse

    def _swap(self, game: int, one: int, other: int, worse: int) -> None:
        at, tables = self._at[game], self.games[game]
        ours, theirs = tables[at[one]], tables[at[other]]
        for leaving, coming, table in ((one, other, ours), (other, one, theirs)):
            for friend in table:
                if friend != leaving:
                    self._meet(leaving, friend, -1)
                    self._meet(coming, friend, 1)
            self._sizes[leaving][len(table)] -= 1
            self._sizes[coming][len(table)] += 1
        ours[ours.index(one)], theirs[theirs.index(other)] = other, one
        at[one], at[other] = at[other], at[one]
        self.cost += worse

    def _meet(self, one: int, other: int, more: int) -> None:
        times = self._times[one][other] + more
        extra = self._company[one].get(other, 0)
        self._times[one][other] = self._times[other][one] = times
        self._joins[one][other] = self._joins[other][one] = extra + self._prices[times + 1]
        self._leaves[one][other] = self._leaves[other][one] = extra + self._prices[times]

    def _price(self, one: int, other: int, more: int) -> int:
        if one == other:
            return 0
        return self._company[one].get(other, 0) + self._prices[self._times[one][other] + more]

    def _moved(self, game: int, person: int, at: int) -> int:
        return self._move * (self._home[game - self._begun].get(person, at) != at) if self._move else 0


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
