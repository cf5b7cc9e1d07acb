"""Seats for all games of an evening at once.

| rule, by priority | where |
| --- | --- |
| pairs apart never share a table, pairs together always do | `_APART`, `checked` |
| groups are spread evenly over the tables | `_SPREAD` |
| fewest repeats: m(m-1)/2 for a pair that meets m times; third meetings weigh more | search.py |
| each person at each size of table as often as any other | search.py |
| each person at each place as often as any other | search.py |

A search begins with a design (search.py) and is bounded by steps: a seed gives the same seats on every machine.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, zip_longest
from math import comb
from typing import Generic

from tournament.seating.drawing import Id, Person, draw, group_numbers, in_order, numbers
from tournament.seating.heat_levels import Impossible, even_sizes
from tournament.seating.positions import Seating, met_in
from tournament.seating.search import (
    COLD,
    STARTERS,
    Games,
    Homes,
    Progress,
    Search,
    homes,
    places,
    shifted,
    turned,
)

MOST_GAMES = 99  # drawn at once
WORK = 5_000_000  # of a search: less than ten seconds on a laptop
_SPREAD = 1 << 16  # cost of two of a group at a table
_APART = 1 << 28  # cost of a separated pair at a table, or of not having a pair together
_ENOUGH = 500  # work per squared number of seats
_OPTIONS, _ROUNDS = 200, 3  # ways to seat newcomers in a game, and how often each game is tried
_MOVES = (512, 128, 64, 32, 8)  # cost of moving a person, tried in turn: at first above that of any repeat

Pairs = Sequence[tuple[Id, Id]]


def repeats_in(games: Iterable[Seating[Id]]) -> int:
    """Sum of m(m-1)/2 over all pairs for their m meetings."""
    return sum(comb(times, 2) for times in met_in(games).values())


def draw_evening(
    people: Iterable[Person[Id]],
    tables: int,
    games: int,
    seed: str,
    *,
    apart: Pairs[Id] = (),
    together: Pairs[Id] = (),
    work: int = WORK,
    progress: Progress = lambda _done: None,
) -> list[list[list[Id]]]:
    """Draw each game's tables, clockwise, larger ones first; deterministic.

    `work` bounds the search. Raises `Impossible` `cannot_keep_apart` or `cannot_keep_together` with the pairs;
    ValueError for duplicate numbers.
    """
    evening = _Evening(people, tables, seed, apart=apart, together=together)
    return evening.checked(places(evening.drawn([], games, work, progress).games), 0)


def repair_evening(
    planned: Sequence[Sequence[Sequence[Id]]],
    people: Iterable[Person[Id]],
    tables: int,
    seed: str,
    *,
    begun: int,
    apart: Pairs[Id] = (),
    together: Pairs[Id] = (),
    work: int = WORK,
    progress: Progress = lambda _done: None,
) -> list[list[list[Id]]]:
    """Change games after the first `begun` ones as little as possible for other `people` or `tables`, with at most a
    tenth more repeats than drawn anew. Players who stay at a table keep their seats if it is still large enough.
    Raises as `draw_evening`.
    """
    if begun >= len(planned):
        return [[list(table) for table in game] for game in planned]
    evening = _Evening(people, tables, seed, apart=apart, together=together, planned=planned)
    past, later = evening.numbered(planned[:begun]), evening.numbered(planned[begun:])
    fresh = evening.drawn(past, len(later), work, progress)
    search = evening.changed(past, later, 11 * repeats_in(fresh.games) // 10, work) or fresh
    seated = [
        [_reseated(*tables) for tables in zip_longest(before[: len(now)], now)]
        for before, now in zip(later, search.games[begun:], strict=True)
    ]
    return evening.checked([*past, *seated], begun)


class _Evening(Generic[Id]):
    """People by number from 0, by group; last, those of `planned` who no longer play."""

    def __init__(
        self,
        people: Iterable[Person[Id]],
        tables: int,
        seed: str,
        *,
        apart: Pairs[Id],
        together: Pairs[Id],
        planned: Sequence[Sequence[Sequence[Id]]] = (),
    ) -> None:
        drawn = in_order([*people], seed)
        groups = group_numbers(drawn)
        order = sorted(range(len(drawn)), key=groups.__getitem__)
        self._people = [drawn[at] for at in order]
        self._sizes, self._seed = even_sizes(len(drawn), tables), seed
        here = {person.id for person in drawn}
        self._apart = [pair for pair in apart if here.issuperset(pair)]
        self._together = [pair for pair in together if here.issuperset(pair)]
        if apart:
            draw(self._people, self._sizes, seed, apart=apart)  # raises Impossible before a long search
        everyone = chain(
            (person.id for person in self._people), *(table for game in planned for table in game)
        )
        self._ids = list(dict.fromkeys(everyone))
        self._index = {player: at for at, player in enumerate(self._ids)}
        self._company: list[dict[int, int]] = [{} for _ in self._ids]
        groups.sort()
        for one, other in combinations(range(len(drawn)), 2):
            if groups[one] == groups[other] >= 0:
                self._company[one][other] = self._company[other][one] = _SPREAD
        for pairs, cost in ((self._apart, _APART), (self._together, -_APART)):
            for one, other in {tuple(sorted(map(self._index.__getitem__, pair))) for pair in pairs}:
                self._company[one][other] = self._company[other][one] = cost

    def drawn(self, past: Games, games: int, work: int, progress: Progress) -> Search:
        """Draw games to follow the past ones."""
        people, sizes = len(self._people), self._sizes
        best = self._search(past, shifted(people, len(sizes), games))
        if best.cost > best.least() and (starters := STARTERS.get((people, len(sizes), games))):
            start = turned(people, starters, games // len(starters))
            best = min(best, self._search(past, start), key=_cost)
        if best.cost > best.least():
            search = self._search(past, best.games[len(past) :])
            work = min(work, _ENOUGH * (people * games) ** 2)
            chance = numbers(self._seed, "evening")
            search.anneal(work, chance, progress=progress)
            best.anneal(work // 5, chance, warm=COLD)
            best = min(best, search, key=_cost)
        return best

    def changed(self, past: Games, later: Games, most: int, work: int) -> Search | None:
        """Later games with the fewest changes that leave at most that many repeats; None if none are found."""
        chance = numbers(self._seed, "repair")
        seats = [*past, *later]
        for game in [*range(len(past), len(seats))] * _ROUNDS:
            met = met_in(seats[:game] + seats[game + 1 :])
            options = [self._adapted(later[game - len(past)], chance) for _ in range(_OPTIONS)]
            seats[game] = min(options, key=lambda option: sum(map(met.__getitem__, met_in([option]))))
        for move in _MOVES:
            search = self._search(past, seats[len(past) :], home=homes(later), move=move)
            search.anneal(work // 3, chance)
            if repeats_in(search.games) <= most:
                return search
        return None

    def _search(self, past: Games, games: Games, home: Homes = (), move: int = 0) -> Search:
        return Search([*past, *games], self._company, begun=len(past), home=home, move=move)

    def _adapted(self, tables: Sequence[Sequence[int]], chance: Iterator[int]) -> list[list[int]]:
        """Seat the current people at the current tables with the fewest moves, at random among these."""
        here = range(len(self._people))
        seats = [[person for person in table if person in here] for table in tables[: len(self._sizes)]]
        seats += [[] for _ in range(len(self._sizes) - len(seats))]
        fuller = sorted(seats, key=lambda table: (-len(table), next(chance)))
        for table, size in zip(fuller, self._sizes, strict=True):
            while len(table) > size:
                table.pop(next(chance) % len(table))
        without = sorted(set(here).difference(*seats))
        waiting = iter(sorted(without, key=lambda _person: next(chance)))
        for table, size in zip(fuller, self._sizes, strict=True):
            table.extend(islice(waiting, size - len(table)))
        return seats

    def numbered(self, games: Sequence[Sequence[Sequence[Id]]]) -> Games:
        """Games of ids as games of numbers."""
        return [[[self._index[player] for player in table] for table in tables] for tables in games]

    def checked(self, games: Games, begun: int) -> list[list[list[Id]]]:
        """Convert games to ids. A game not begun in which a separated pair meets is drawn again on its own."""
        seats = [[[self._ids[person] for person in table] for table in tables] for tables in games]
        for game in range(begun, len(seats)):
            if any(set(pair) <= set(table) for pair in self._apart for table in seats[game]):
                others = met_in(seats[:game] + seats[game + 1 :])
                seats[game] = draw(
                    self._people, self._sizes, f"{self._seed}:{game + 1}", apart=self._apart, met=others
                )
        split = [
            pair
            for pair in self._together
            if any(not any(set(pair) <= set(table) for table in tables) for tables in seats[begun:])
        ]
        if split:
            raise Impossible("cannot_keep_together", {"pairs": len(split)}, split)
        return seats


def _cost(search: Search) -> int:
    return search.cost


def _reseated(before: Sequence[int] | None, now: Sequence[int]) -> list[int]:
    """The people of a table now, in their old seats or free ones."""
    stay = set(before or ()).intersection(now)
    coming = [person for person in now if person not in stay]
    seats = [person if person in stay else coming.pop() if coming else None for person in before or ()]
    while None in seats:
        last = seats.pop()
        if last is not None:
            seats[seats.index(None)] = last
    return [person for person in seats if person is not None] + coming
