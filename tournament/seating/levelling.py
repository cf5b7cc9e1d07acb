"""Level tables after no-shows with the fewest moves.

| rule | where |
| --- | --- |
| begun tables stay | `level` |
| sizes differ by at most one | `_Moving` |
| within range if possible, dissolving few tables | `_tables_left` |
| fewest moves, separating pairs | `_Moving` |
| movers by lot | `lot` of `seed:level:player` |
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tournament.seating.drawing import lot
from tournament.seating.sizes import Impossible, even_sizes

Id = TypeVar("Id", bound=Hashable)
TableId = TypeVar("TableId", bound=Hashable)

_STEPS = 200_000  # per number of moves
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
    fewest, smallest tables; else all tables stay that have at least two players. None are added. Existing `apart`
    pairs may stay; moves create none. Raises `Impossible` `cannot_keep_apart` with the pairs.
    """
    free = [table for table in tables if table not in begun and tables[table]]
    players = sum(len(tables[table]) for table in free)
    if not players:
        return Levelling((), dict(tables))
    count = _tables_left(players, len(free), least, most)
    here = {player for table in free for player in tables[table]}
    pairs = [(one, other) for one, other in apart if one != other and one in here and other in here]
    moves = _Moving([tables[table] for table in free], count, pairs, seed).fewest()
    after = {table: list(seated) for table, seated in tables.items()}
    for player, origin, goal in moves:
        after[free[origin]].remove(player)
        after[free[goal]].append(player)
    return Levelling(tuple(Move(player, free[origin], free[goal]) for player, origin, goal in moves), after)


def _tables_left(players: int, tables: int, least: int, most: int) -> int:
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
            self._steps = _STEPS
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
