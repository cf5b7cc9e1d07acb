"""Simulated annealing of all games of an evening, in integers: swaps of two people within a game."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import comb

from tournament.seating.designs import Games
from tournament.seating.drawing import dared

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
