"""The draw: everybody's table and seat, from a seed.

| rule, in the order in which they count | where |
| --- | --- |
| tables that have begun stay as they are | `draw`: their people are not drawn at all |
| people who are kept apart never share a table, wherever that is possible | `_kept_apart`, `apart.py` |
| each group is spread: its numbers at two tables differ by at most one, as far as possible | `_dealt`, `_kept_apart` |
| meet new people: the fewest repeated meetings, then the fewest third ones | `_company` |
| nobody in an old place, nobody beside an old neighbour | `positions.py` |
| everything else is chance, by the seed and the start numbers alone | `lot`, `numbers` |

Without groups, old meetings and people to keep apart the draw can be done by hand: sort the people by the SHA-256 of
`seed:number`, deal them round the tables, and sort each table by the SHA-256 of `seed:seat:number`. The names of ids
and groups do not matter, only who is in the same group.

Randomness that anybody can repeat, on every machine and in every year:

| what | how |
| --- | --- |
| the order of a draw | by the SHA-256 of `seed:number`, smallest first (`printf 483920:17 | sha256sum`) |
| an order for another purpose | the same of `seed:purpose:number` |
| numbers for a search | SHA-256 of `seed:purpose:0`, `seed:purpose:1` ..., each cut into 8 numbers of 32 bits |

Python's own `random` promises the same numbers in later versions for few of its methods, so none of it is used here.
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
_STEPS = 240_000  # of a search, at most
_MEETING = 16  # cost of a repeated meeting, and 1 more for each time before, yet less than two others
_APART = 8  # cost of a pair that shares a table against an uneven place, in the search for an even spread


def lot(*words: object) -> bytes:
    """Give the SHA-256 of the words joined by colons, in UTF-8."""
    return sha256(":".join(map(str, words)).encode("utf-8", "surrogatepass")).digest()


def numbers(*words: object) -> Iterator[int]:
    """Yield whole numbers from 0 to 2**32 - 1 without end, the same ones for the same words."""
    block = 0
    while True:
        yield from _EIGHT.unpack(lot(*words, block))
        block += 1


class _TooClose(Exception):
    """These pairs cannot all be kept apart."""

    def __init__(self, pairs: Pairs) -> None:
        super().__init__(pairs)
        self.pairs = pairs


@dataclass(frozen=True, slots=True)
class Person(Generic[Id]):
    """Somebody to seat: an id, the start number that the lot goes by, and a club or other group ("" is none)."""

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
    """Draw the players of each table, clockwise; the same for the same arguments on every machine.

    `people` are in any order, their start numbers different. `sizes` tells how many sit at each table, `fixed` who sits
    at those (by index, from 0) that have begun; these come back as they are, and their people are not drawn. `apart`
    are pairs to keep apart, `met` how often pairs met (`met_in`), `positions` how often somebody sat in each position
    (`positions_in`), `beside` how often pairs were neighbours (`beside_in`); ids of others are ignored in all of them.

    Raises `Impossible` `cannot_keep_apart` with the pairs, and ValueError for sizes that do not hold the people or
    for a start number that occurs twice.
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
    """Sort the people by the lot; raises ValueError for a start number that occurs twice."""
    for each in ({person.number for person in people}, {person.id for person in people}):
        if len(each) < len(people):
            raise ValueError("two people have the same start number or id")
    return sorted(people, key=lambda person: lot(seed, person.number))


def _groups(drawn: Sequence[Person[Id]]) -> list[int]:
    """Number the group of each in the order of the lot; -1 for none."""
    known: dict[str, int] = {}
    return [known.setdefault(person.group, len(known)) if person.group else -1 for person in drawn]


def _pairs(apart: Iterable[Collection[Id]], index: Mapping[Id, int]) -> Iterable[tuple[int, int]]:
    for one, other in apart:
        if one in index and other in index and one != other:
            yield index[one], index[other]


def _both_ways(
    pairs: Mapping[frozenset[Id], int] | None, index: Mapping[Id, int]
) -> dict[int, dict[int, int]]:
    """List for each person the others and how often; only people of this draw."""
    times: dict[int, dict[int, int]] = {}
    for pair, number in (pairs or {}).items():
        places = [index[player] for player in pair if player in index]
        if len(places) == 2 and number > 0:
            one, other = places
            times.setdefault(one, {})[other] = times.setdefault(other, {})[one] = number
    return {person: dict(sorted(others.items())) for person, others in sorted(times.items())}


def _dealt(groups: Sequence[int], room: Sequence[int]) -> list[int]:
    """Give each person's table, dealt round the tables group by group, those without a group last.

    If the sizes of the tables differ by at most one, so do each group's numbers at them.
    """
    at, left = [0] * len(groups), list(room)
    going_round = cycle(sorted(range(len(room)), key=lambda table: -room[table]))  # the larger first
    for person in sorted(range(len(groups)), key=lambda each: (groups[each] < 0, groups[each])):
        table = next(table for table in going_round if left[table])
        left[table] -= 1
        at[person] = table
    return at


def _kept_apart(
    at: list[int], groups: Sequence[int], pairs: Pairs, room: Sequence[int], seed: str
) -> list[int]:
    """Find an even spread that keeps everybody apart, or a spread as even as possible."""
    chance = numbers(seed, "apart")
    best = _even_number(groups, len(room))
    dislikes = Dislikes(_enemies(len(at), pairs, _APART), groups, 1, 2)
    found = improve(at, dislikes, chance, _steps(len(at)), best)
    if all(found[one] != found[other] for one, other in pairs):
        return found
    return _spread(_searched(groups, pairs, room), groups, pairs, chance)


def _searched(groups: Sequence[int], pairs: Pairs, room: Sequence[int]) -> list[int]:
    """Find a seating that keeps everybody apart, by trying everything; raises _TooClose if there is none."""
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
    """Spread the groups as evenly as can be found without seating together people who are kept apart."""
    dislikes = Dislikes(_enemies(len(at), pairs, 2 * len(at) * len(at)), groups, 1, 2)
    return improve(at, dislikes, chance, _steps(len(at)), _even_number(groups, max(at) + 1))


def _company(
    at: list[int], groups: Sequence[int], pairs: Pairs, met: Mapping[int, Mapping[int, int]], seed: str
) -> list[int]:
    """Find the fewest repeated meetings without making the spread worse or seating together people kept apart."""
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
    """Give the number of steps to search: a few people can be seated in fewer ways."""
    return min(_STEPS, 400 * people * people)


def _enemies(people: int, pairs: Pairs, cost: int) -> list[dict[int, int]]:
    enemies: list[dict[int, int]] = [{} for _ in range(people)]
    for one, other in pairs:
        enemies[one][other] = enemies[other][one] = cost
    return enemies


def _even_number(groups: Sequence[int], tables: int) -> int:
    """Compute the least possible sum of the squares of the groups' numbers at the tables."""
    squares = 0
    for members in Counter(group for group in groups if group >= 0).values():
        each, more = divmod(members, tables)
        squares += more * (each + 1) ** 2 + (tables - more) * each**2
    return squares
