"""How many tables, and how many players at each.

| rule | where |
| --- | --- |
| sizes differ by at most one, the larger tables first | `even_sizes` |
| as many tables as are wished for, else as it takes that none is larger than the most, and no more | `plan_tables` |
| where that cannot be within the least and the most, the numbers that would do | `plan_tables` raises `Impossible` |
| players dealt round the tables like cards, in start order, so that neighbours sit at different tables | `deal` |

A request that cannot be met, and the numbers that could, are a code with parameters, which the pages put into words:

| code | when | parameters beside those that were asked for |
| --- | --- | --- |
| `too_few_players` | fewer players than one table, or than a contest, needs | `players`, `least` |
| `bounds_crossed` | the least size is above the most | `least`, `most` |
| `no_tables` | no table is wished for | |
| `too_few_tables` | more tables are needed than are wished for | `least`, `most`, `have`, `fewer`, `more` |
| `too_many_tables` | they would be smaller than the least | `least`, `most`, `have`, `fewer`, `more` |
| `sizes_do_not_fit` | no number of tables gives every table a size in the range | `least`, `most`, `fewer`, `more` |
| `cannot_keep_apart` | these cannot all be at different tables | `pairs`: how many; `Impossible.pairs` names them |
| `advance_too_large` | as many go through as sit at a table of a level | `level`, `size`, `advance` |
| `final_too_small` | the final has room for fewer players than it needs | `most`, `least` |

The ways out of the last three are a number of tables with their sizes, each given by three numbers: `fewer`,
`fewer_smallest`, `fewer_largest` (fits if the most is at least `fewer_largest`), and `more`, `more_smallest`,
`more_largest` (fits if the least is at most `more_smallest`). A way that would not help is left out.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")
Pair = tuple[Hashable, Hashable]

MOST_TABLES = 999  # of a stage
COMFORTABLE = {"session": 10, "heats": 6, "match": 10, "final": 10}  # players at a table, at most


class Impossible(Exception):
    """The request is impossible. `code` and `parameters` tell why and what would do; see the module's table.

    `pairs` are the people of `cannot_keep_apart`, () otherwise: leaving any one of these pairs out makes the others
    possible.
    """

    def __init__(self, code: str, parameters: Mapping[str, int | str], pairs: Iterable[Pair] = ()) -> None:
        numbers = ", ".join(f"{name} {value}" for name, value in parameters.items())
        super().__init__(f"{code} ({numbers})" if numbers else code)
        self.code = code
        self.parameters = dict(parameters)
        self.pairs = tuple(pairs)


class Sizes(tuple[int, ...]):
    """The sizes of the tables in the order of their numbers."""

    __slots__ = ()

    @property
    def smallest(self) -> int:
        return min(self)

    @property
    def largest(self) -> int:
        return max(self)


def even_sizes(players: int, tables: int) -> Sizes:
    """Divide so many players among exactly so many tables (at least one), the larger tables first; some are empty if
    there are more tables than players."""
    size, larger = divmod(players, tables)
    return Sizes((size + 1,) * larger + (size,) * (tables - larger))


def plan_tables(players: int, *, least: int, most: int, tables: int | None = None) -> Sizes:
    """Plan `tables` tables, or the fewest, at which `players` sit with `least` to `most` at each.

    Raises `Impossible` with `too_few_players`, `bounds_crossed`, `no_tables`, `too_few_tables`, `too_many_tables` or
    `sizes_do_not_fit`.
    """
    least = max(1, least)
    if least > most:
        raise Impossible("bounds_crossed", {"least": least, "most": most})
    if tables is not None and tables < 1:
        raise Impossible("no_tables", {})
    if players < least:
        raise Impossible("too_few_players", {"players": players, "least": least})
    needed, bearable = -(-players // most), players // least
    wished = needed if tables is None else tables
    if needed <= wished <= bearable:
        return even_sizes(players, wished)
    asked: dict[str, int | str] = {"players": players, "least": least, "most": most}
    if tables is None or needed > bearable:
        code, fewer, more = "sizes_do_not_fit", bearable, needed
    else:
        code = "too_few_tables" if tables < needed else "too_many_tables"
        fewer, more = (tables, needed) if tables < needed else (bearable, tables)
        asked["have"] = tables
    ways = _way("fewer", players, fewer) | (_way("more", players, more) if more <= players else {})
    raise Impossible(code, asked | ways)


def _way(name: str, players: int, tables: int) -> dict[str, int | str]:
    sizes = even_sizes(players, tables)
    return {name: tables, f"{name}_smallest": sizes.smallest, f"{name}_largest": sizes.largest}


def deal(players: Sequence[T], tables: int) -> list[list[T]]:
    """Deal the players of each table, clockwise. There are at most as many tables as players, so none is empty."""
    count = max(1, min(tables, len(players)))
    return [list(players[first::count]) for first in range(count)]
