"""The draw: tables and seats from a seed.

| rule, by priority | where |
| --- | --- |
| begun tables stay | `draw` |
| pairs apart never share a table if possible | `_kept_apart` |
| even spread of groups (differing by at most one) if possible | `_dealt`, `_kept_apart` |
| fewest repeated meetings, then fewest third ones | `_company` |
| new positions and neighbours | `positions.py` |
| the rest by seed and start numbers | `lot`, `numbers` |

Without groups, past meetings and pairs apart, by hand: sort by SHA-256 of `seed:number`, deal round the tables, sort
each by SHA-256 of `seed:seat:number`. Ids and group names have no effect.

| randomness | by SHA-256 of |
| --- | --- |
| order of a draw, smallest first | `seed:number` (`printf 483920:17 | sha256sum`) |
| other orders | `seed:purpose:number` |
| search numbers, 8 of 32 bits each | `seed:purpose:0`, `seed:purpose:1` ... |

Python's `random` is unused: few of its methods are stable across versions.

Exhaustive search for seats of pairs to separate, so "impossible" is a proof.

Only people in such pairs are placed; the rest fill up. Work is limited by count, not time: same answer on every
machine.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import cycle
from math import isqrt
from struct import Struct
from typing import Generic, TypeVar

from tournament.seating.heat_levels import Impossible, even_sizes
from tournament.seating.positions import seat

# ---- Simulated annealing by swaps between tables, in integers ----

_SURE = 1 << 32  # bound of random numbers
_HALF = isqrt(_SURE * _SURE >> 1)
_QUARTER = isqrt(_SURE * _HALF)
_PARTS = (_SURE, _QUARTER, _HALF, isqrt((_SURE >> 1) * _HALF))
_DARES = [part >> halvings for halvings in range(32) for part in _PARTS]  # _SURE * 2 ** -(n / 4)
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
            if worse is None or (worse > 0 and not dared(worse * cold // dislikes.unit, chance)):
                continue
            left -= company.trade(one, other, worse)
            if company.cost < least:
                best, least = list(company.at), company.cost
    return best


def dared(quarters: int, chance: Iterator[int]) -> bool:
    """True with probability 2 ** -(quarters / 4)."""
    return quarters < len(_DARES) and next(chance) < _DARES[quarters]


def daring(chance: Iterator[int]) -> int:
    """A number above `quarters` with probability 2 ** -(quarters / 4)."""
    return bisect_left(_DARES, -next(chance), key=int.__neg__)


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


Id = TypeVar("Id", bound=Hashable)
Pairs = Sequence[tuple[int, int]]

_EIGHT = Struct(">8I")
_STEPS = 240_000  # at most per search
_MEETING = 16  # cost of a repeated meeting, +1 per earlier one, less than two others
_APART = 8  # cost of a shared table versus uneven spread


def lot(*words: object) -> bytes:
    """SHA-256 of the words joined by colons, UTF-8."""
    return sha256(":".join(map(str, words)).encode("utf-8", "surrogatepass")).digest()


def numbers(*words: object) -> Iterator[int]:
    """Endless deterministic numbers, 0 to 2**32 - 1."""
    block = 0
    while True:
        yield from _EIGHT.unpack(lot(*words, block))
        block += 1


class _TooClose(Exception):
    """Pairs that cannot all be separated."""

    def __init__(self, pairs: Pairs) -> None:
        super().__init__(pairs)
        self.pairs = pairs


@dataclass(frozen=True, slots=True)
class Person(Generic[Id]):
    """A person to seat; `number`: start number for the lot; `group`: club or other ("" none)."""

    id: Id
    number: int
    group: str = ""


def draw(
    people: Iterable[Person[Id]],
    sizes: Iterable[int],
    seed: str,
    *,
    apart: Iterable[Collection[Id]] = (),
    met: Mapping[frozenset[Id], int] | None = None,
    positions: Mapping[Id, Mapping[int, int]] | None = None,
    beside: Mapping[frozenset[Id], int] | None = None,
    fixed: Mapping[int, Sequence[Id]] | None = None,
) -> list[list[Id]]:
    """Draw the players of each table, clockwise; deterministic.

    `people`: any order, distinct start numbers. `sizes` per table; `fixed`: players of begun tables by index from
    0, returned unchanged. `apart`: pairs to separate; past counts: `met` (`met_in`), `positions` (`positions_in`),
    neighbours (`beside_in`). Unknown ids are ignored.

    Raises `Impossible` `cannot_keep_apart` with the pairs; ValueError for mismatching sizes or duplicate numbers.
    """
    fixed = fixed or {}
    begun = {player for table in fixed.values() for player in table}
    drawn = in_order([person for person in people if person.id not in begun], seed)
    every = list(sizes)
    free = [table for table in range(len(every)) if table not in fixed]
    room = [every[table] for table in free]
    if sum(room) != len(drawn) or min(room, default=0) < 0 or not set(range(len(every))).issuperset(fixed):
        raise ValueError(f"{len(drawn)} people do not fill tables of {room}")
    index = {person.id: at for at, person in enumerate(drawn)}
    groups = group_numbers(drawn)
    pairs = sorted({(min(pair), max(pair)) for pair in _pairs(apart, index)})
    at = _dealt(groups, room)
    if pairs:
        try:
            at = _kept_apart(at, groups, pairs, room, seed)
        except _TooClose as refusal:
            named = [(drawn[one].id, drawn[other].id) for one, other in refusal.pairs]
            raise Impossible("cannot_keep_apart", {"pairs": len(named)}, named) from None
    at = _company(at, groups, pairs, _both_ways(met, index), seed)
    tables: list[list[int]] = [[] for _ in room]
    for person in sorted(index.values(), key=lambda each: lot(seed, "seat", drawn[each].number)):
        tables[at[person]].append(person)
    sat = {index[player]: times for player, times in (positions or {}).items() if player in index}
    sat_beside = _both_ways(beside, index)
    seats = [list(fixed.get(table, ())) for table in range(len(every))]
    for table, players in zip(free, tables, strict=True):
        seats[table] = [drawn[person].id for person in seat(players, sat, sat_beside)]
    return seats


def in_order(people: Sequence[Person[Id]], seed: str) -> list[Person[Id]]:
    """Sort by lot; ValueError for duplicate numbers or ids."""
    for each in ({person.number for person in people}, {person.id for person in people}):
        if len(each) < len(people):
            raise ValueError("two people have the same start number or id")
    return sorted(people, key=lambda person: lot(seed, person.number))


def group_numbers(drawn: Sequence[Person[Id]]) -> list[int]:
    """Group numbers in lot order; -1: none."""
    known: dict[str, int] = {}
    return [known.setdefault(person.group, len(known)) if person.group else -1 for person in drawn]


def _pairs(apart: Iterable[Collection[Id]], index: Mapping[Id, int]) -> Iterable[tuple[int, int]]:
    for one, other in apart:
        if one in index and other in index and one != other:
            yield index[one], index[other]


def _both_ways(
    pairs: Mapping[frozenset[Id], int] | None, index: Mapping[Id, int]
) -> dict[int, dict[int, int]]:
    times: dict[int, dict[int, int]] = {}
    for pair, number in (pairs or {}).items():
        places = [index[player] for player in pair if player in index]
        if len(places) == 2 and number > 0:
            one, other = places
            times.setdefault(one, {})[other] = times.setdefault(other, {})[one] = number
    return {person: dict(sorted(others.items())) for person, others in sorted(times.items())}


def _dealt(groups: Sequence[int], room: Sequence[int]) -> list[int]:
    """If table sizes differ by at most one, so do each group's numbers."""
    at, left = [0] * len(groups), list(room)
    going_round = cycle(sorted(range(len(room)), key=lambda table: -room[table]))  # larger first
    for person in sorted(range(len(groups)), key=lambda each: (groups[each] < 0, groups[each])):
        table = next(table for table in going_round if left[table])
        left[table] -= 1
        at[person] = table
    return at


def _kept_apart(
    at: list[int], groups: Sequence[int], pairs: Pairs, room: Sequence[int], seed: str
) -> list[int]:
    chance = numbers(seed, "apart")
    best = _even_number(groups, len(room))
    dislikes = Dislikes(_enemies(len(at), pairs, _APART), groups, 1, 2)
    found = improve(at, dislikes, chance, _steps(len(at)), best)
    if all(found[one] != found[other] for one, other in pairs):
        return found
    return _spread(_searched(groups, pairs, room), groups, pairs, chance)


def _searched(groups: Sequence[int], pairs: Pairs, room: Sequence[int]) -> list[int]:
    """Search exhaustively; raise _TooClose if impossible."""
    rooms = Rooms(room)
    try:
        places = rooms.place(pairs)
    except GaveUp:
        raise _TooClose(pairs) from None
    if places is None:
        raise _TooClose(rooms.conflict(pairs))
    left = list(room)
    for table in places.values():
        left[table] -= 1
    rest = iter([table for table, places_left in enumerate(left) for _ in range(places_left)])
    return [places[person] if person in places else next(rest) for person in range(len(groups))]


def _spread(at: list[int], groups: Sequence[int], pairs: Pairs, chance: Iterator[int]) -> list[int]:
    dislikes = Dislikes(_enemies(len(at), pairs, 2 * len(at) * len(at)), groups, 1, 2)
    return improve(at, dislikes, chance, _steps(len(at)), _even_number(groups, max(at) + 1))


def _company(
    at: list[int], groups: Sequence[int], pairs: Pairs, met: Mapping[int, Mapping[int, int]], seed: str
) -> list[int]:
    """Minimise repeated meetings without worsening spread or pairs."""
    if not met:
        return at
    meeting = [
        {other: _MEETING + min(times, _MEETING - 1) for other, times in met.get(person, {}).items()}
        for person in range(len(at))
    ]
    spread = 1 + sum(sum(costs.values()) for costs in meeting)
    for person, enemies in enumerate(_enemies(len(at), pairs, spread * (1 + len(at) * len(at)))):
        meeting[person].update(enemies)
    dislikes = Dislikes(meeting, groups, spread, _MEETING)
    return improve(
        at, dislikes, numbers(seed, "company"), _steps(len(at)), spread * _even_number(groups, max(at) + 1)
    )


def _steps(people: int) -> int:
    return min(_STEPS, 400 * people * people)


def _enemies(people: int, pairs: Pairs, cost: int) -> list[dict[int, int]]:
    enemies: list[dict[int, int]] = [{} for _ in range(people)]
    for one, other in pairs:
        enemies[one][other] = enemies[other][one] = cost
    return enemies


def _even_number(groups: Sequence[int], tables: int) -> int:
    """Minimum sum of squared group counts."""
    squares = 0
    for members in Counter(group for group in groups if group >= 0).values():
        each, more = divmod(members, tables)
        squares += more * (each + 1) ** 2 + (tables - more) * each**2
    return squares


# ---- Level tables after no-shows with the fewest moves ----

TableId = TypeVar("TableId", bound=Hashable)

_LEVELLING_STEPS = 200_000  # per number of moves
_DETOURS = 4  # extra moves to separate pairs


@dataclass(frozen=True, slots=True)
class Move(Generic[Id, TableId]):
    """A player's move to the end of another table."""

    player: Id
    origin: TableId
    goal: TableId


@dataclass(frozen=True, slots=True)
class Levelling(Generic[Id, TableId]):
    """Moves, and resulting tables (given order, clockwise)."""

    moves: tuple[Move[Id, TableId], ...]
    tables: Mapping[TableId, Sequence[Id]]


def level(
    tables: Mapping[TableId, Sequence[Id]],
    *,
    least: int,
    most: int,
    begun: Collection[TableId] = (),
    apart: Iterable[Collection[Id]] = (),
    seed: str = "",
) -> Levelling[Id, TableId]:
    """Fewest moves so that sizes of tables not begun differ by at most one.

    `tables`: present players, clockwise; `begun` stay. Sizes between `least` and `most` if possible, dissolving the
    fewest, smallest tables; else all of two or more stay; none are added. Existing `apart` pairs may stay; moves
    create none. Raises `Impossible` `cannot_keep_apart` with the pairs.
    """
    free = [table for table in tables if table not in begun and tables[table]]
    players = sum(len(tables[table]) for table in free)
    if not players:
        return Levelling((), dict(tables))
    count = _tables_left(players, len(free), least=least, most=most)
    here = {player for table in free for player in tables[table]}
    pairs = [(one, other) for one, other in apart if one != other and one in here and other in here]
    moves = _Moving([tables[table] for table in free], count, pairs, seed).fewest()
    after = {table: list(seated) for table, seated in tables.items()}
    for player, origin, goal in moves:
        after[free[origin]].remove(player)
        after[free[goal]].append(player)
    return Levelling(tuple(Move(player, free[origin], free[goal]) for player, origin, goal in moves), after)


def _tables_left(players: int, tables: int, *, least: int, most: int) -> int:
    """Largest number with sizes in range, else with at least two players each."""
    counts = range(tables, 0, -1)
    fitting = [count for count in counts if players // count >= least and -(-players // count) <= most]
    return next(iter(fitting + [count for count in counts if players // count >= 2]), 1)


class _Moving(Generic[Id]):
    def __init__(
        self, tables: list[Sequence[Id]], count: int, pairs: Sequence[tuple[Id, Id]], seed: str
    ) -> None:
        self._pairs = pairs
        self._sizes = [len(table) for table in tables]
        self._goal = [*even_sizes(sum(self._sizes), count), *[0] * (len(tables) - count)]
        # Order of movers; among equal tables the last is dissolved.
        self._asked = [
            (player, origin)
            for origin, table in reversed(list(enumerate(tables)))
            for player in sorted(table, key=lambda each: lot(seed, "level", each))
        ]
        self._rank = {player: rank for rank, (player, _) in enumerate(self._asked)}
        self._at = dict(self._asked)
        self._enemies: dict[Id, set[Id]] = {player: set() for player in self._at}
        for one, other in pairs:
            self._enemies[one].add(other)
            self._enemies[other].add(one)
        self._steps = 0

    def fewest(self) -> list[tuple[Id, int, int]]:
        """Fewest moves (player, from, to), tables by index; raises Impossible."""
        least = self._wanted()
        for moves in range(least, min(least + _DETOURS, len(self._asked)) + 1):
            self._steps = _LEVELLING_STEPS
            found = self._moves(moves)
            if found is not None:
                return found
        raise Impossible("cannot_keep_apart", {"pairs": len(self._pairs)}, self._pairs)

    def _moves(self, number: int) -> list[tuple[Id, int, int]] | None:
        made: list[tuple[Id, int, int]] = []
        asking = [self._options(0, number)]
        while number and asking:
            option = next(asking[-1], None)
            if option is None:
                asking.pop()
                del made[-1:]
                continue
            rank, move = option
            made.append(move)
            if len(made) < number:
                asking.append(self._options(rank + 1, number - len(made)))
            elif any(self._at[enemy] == goal for player, _, goal in made for enemy in self._enemies[player]):
                made.pop()
            else:
                return made
        return None if number else made

    def _options(self, start: int, left: int) -> Iterator[tuple[int, tuple[Id, int, int]]]:
        """Each move stays applied until the generator resumes."""
        wanted: dict[tuple[int, int], int] = {}  # remaining moves by table sizes
        asked: set[int] = set()  # tables whose unrestricted player was tried; others are equivalent
        for rank in range(start, len(self._asked)):
            player, origin = self._asked[rank]
            if self._steps <= 0 or (origin in asked and not self._enemies[player]):
                continue
            if not self._enemies[player]:
                asked.add(origin)
            for goal in range(len(self._sizes)):
                sizes = self._sizes[origin], self._sizes[goal]
                if goal == origin or not sizes[1]:
                    continue
                self._steps -= 1
                self._move(player, origin, goal)
                if sizes not in wanted:
                    wanted[sizes] = self._wanted()
                stay = (enemy for enemy in self._enemies[player] if self._rank[enemy] < rank)
                if wanted[sizes] < left and all(self._at[enemy] != goal for enemy in stay):
                    yield rank, (player, origin, goal)
                self._move(player, goal, origin)

    def _move(self, player: Id, origin: int, goal: int) -> None:
        self._sizes[origin] -= 1
        self._sizes[goal] += 1
        self._at[player] = goal

    def _wanted(self) -> int:
        sizes = sorted(self._sizes, reverse=True)
        return sum(max(0, size - goal) for size, goal in zip(sizes, self._goal, strict=True))


# ---- Exhaustive search for seats of pairs to separate, so "impossible" is a proof ----


Choices = dict[int, tuple[int, ...]]  # possible tables per unplaced person

_WORK = 3_000_000  # per seating or proof, and again per conflict search


class GaveUp(Exception):
    """Work limit reached without seating or proof."""


class Rooms:
    """Tables with `sizes` seats; people are indexes, pairs of whom must not share a table."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._work = _WORK

    def place(self, pairs: Pairs) -> dict[int, int] | None:
        """Table per person so that no pair shares one; None if impossible. Raises GaveUp."""
        enemies: dict[int, set[int]] = {}
        for one, other in pairs:
            enemies.setdefault(one, set()).add(other)
            enemies.setdefault(other, set()).add(one)
        at: dict[int, int] = {}
        room = list(self._sizes)
        tried: list[tuple[int, Iterator[int]]] = []  # person, remaining tables
        while True:
            choices = self._choices(enemies, at, room)
            if _room_for_all(choices, room):
                if not choices:
                    return at
                person = min(choices, key=lambda each: (len(choices[each]), -len(enemies[each]), each))
                tried.append((person, iter(_unlike(choices[person], at, room))))
            while tried:
                person, tables = tried[-1]
                if person in at:
                    room[at.pop(person)] += 1
                table = next(tables, None)
                if table is not None:
                    at[person] = table
                    room[table] -= 1
                    break
                tried.pop()
            else:
                return None

    def conflict(self, pairs: Pairs) -> Pairs:
        """Subset of pairs that cannot be separated; minimal within the work limit."""
        self._work = _WORK
        suspects = pairs
        try:
            core = _core(pairs, len(self._sizes))
            if self.place(core) is None:
                suspects = core
            return self._needed([], suspects, grown=False)
        except GaveUp:
            return suspects

    def _needed(self, ground: Pairs, doubtful: Pairs, *, grown: bool) -> Pairs:
        """Doubtful pairs that make the ground impossible (Junker's QuickXplain)."""
        if grown and self.place(ground) is None:
            return []
        if len(doubtful) == 1:
            return doubtful
        half = len(doubtful) // 2
        first, second = doubtful[:half], doubtful[half:]
        of_second = self._needed([*ground, *first], second, grown=True)
        return [*self._needed([*ground, *of_second], first, grown=bool(of_second)), *of_second]

    def _choices(self, enemies: dict[int, set[int]], at: dict[int, int], room: Sequence[int]) -> Choices:
        self._work -= len(room) * (len(enemies) - len(at))
        if self._work < 0:
            raise GaveUp
        with_room = [table for table, places in enumerate(room) if places]
        return {
            person: tuple(table for table in with_room if table not in shut)
            for person, others in enemies.items()
            if person not in at
            for shut in [{at[other] for other in others if other in at}]
        }


def _room_for_all(choices: Choices, room: Sequence[int]) -> bool:
    """Hall's condition for the occurring sets of tables. Others can sit anywhere."""
    needed = Counter(choices.values())
    for tables in needed:
        held = set(tables)
        inside = sum(number for others, number in needed.items() if held.issuperset(others))
        if inside > sum(room[table] for table in tables):
            return False
    return True


def _unlike(tables: Sequence[int], at: dict[int, int], room: Sequence[int]) -> list[int]:
    """Skip equivalent empty tables of equal room."""
    taken = set(at.values())
    like: set[int] = set()
    unlike = []
    for table in tables:
        if table in taken or room[table] not in like:
            unlike.append(table)
        if table not in taken:
            like.add(room[table])
    return unlike


def _core(pairs: Pairs, tables: int) -> Pairs:
    """Pairs among people with at least as many such pairs as tables; others cannot cause a shortage."""
    core = list(pairs)
    while core:
        enemies = Counter(person for pair in core for person in pair)
        kept = [(one, other) for one, other in core if min(enemies[one], enemies[other]) >= tables]
        if len(kept) == len(core):
            break
        core = kept
    return core
