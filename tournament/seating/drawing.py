"""The draw: tables and seats from a seed.

| rule, by priority | where |
| --- | --- |
| begun tables stay | `draw` |
| pairs apart never share a table if possible | `_kept_apart`, `apart.py` |
| even spread of groups (differing by at most one) if possible | `_dealt`, `_kept_apart` |
| fewest repeated meetings, then fewest third ones | `_company` |
| new positions and neighbours | `positions.py` |
| the rest by seed and start numbers | `lot`, `numbers` |

Without groups, past meetings and pairs apart it can be done by hand: sort by SHA-256 of `seed:number`, deal round
the tables, sort each by SHA-256 of `seed:seat:number`. Ids and group names have no effect.

| randomness | by SHA-256 of |
| --- | --- |
| order of a draw, smallest first | `seed:number` (`printf 483920:17 | sha256sum`) |
| other orders | `seed:purpose:number` |
| search numbers, 8 of 32 bits each | `seed:purpose:0`, `seed:purpose:1` ... |

Python's `random` is unused: few of its methods are stable across versions.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import cycle
from struct import Struct
from typing import Generic, TypeVar

from tournament.seating.apart import GaveUp, Rooms
from tournament.seating.positions import seat
from tournament.seating.search import Dislikes, improve
from tournament.seating.sizes import Impossible

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
    drawn = _in_order([person for person in people if person.id not in begun], seed)
    every = list(sizes)
    free = [table for table in range(len(every)) if table not in fixed]
    room = [every[table] for table in free]
    if sum(room) != len(drawn) or min(room, default=0) < 0 or not set(range(len(every))).issuperset(fixed):
        raise ValueError(f"{len(drawn)} people do not fill tables of {room}")
    index = {person.id: at for at, person in enumerate(drawn)}
    groups = _groups(drawn)
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


def _in_order(people: Sequence[Person[Id]], seed: str) -> list[Person[Id]]:
    """Sort by lot; ValueError for duplicate numbers or ids."""
    for each in ({person.number for person in people}, {person.id for person in people}):
        if len(each) < len(people):
            raise ValueError("two people have the same start number or id")
    return sorted(people, key=lambda person: lot(seed, person.number))


def _groups(drawn: Sequence[Person[Id]]) -> list[int]:
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
