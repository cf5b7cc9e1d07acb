"""Places at the tables of an evening: everyone sits at each place as often as at any other, give or take one.

Always possible for tables of one size: an edge colouring of a bipartite graph (König 1916), by alternating chains.
People, each split into vertices of one game per place, and tables are its sides; a colour is a place. Places that
only larger tables have are filled first.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, TypeVar

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
