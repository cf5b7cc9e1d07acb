"""Number and sizes of tables.

| rule | where |
| --- | --- |
| sizes differ by at most one, larger first | `even_sizes` |
| requested number of tables, else the fewest | `plan_tables` |
| infeasible: feasible alternatives | `plan_tables` raises `Impossible` |
| dealt in start order, so neighbours separate | `deal` |

Codes of `Impossible`:

| code | when | parameters besides the request |
| --- | --- | --- |
| `too_few_players` | for a table or contest | `players`, `least` |
| `bounds_crossed` | least above most | `least`, `most` |
| `no_tables` | none requested | |
| `too_few_tables` | more needed | `least`, `most`, `have`, `fewer`, `more` |
| `too_many_tables` | sizes below least | `least`, `most`, `have`, `fewer`, `more` |
| `sizes_do_not_fit` | no count fits | `least`, `most`, `fewer`, `more` |
| `cannot_keep_apart` | pairs must share a table | `pairs`: count; see `Impossible.pairs` |
| `advance_too_large` | not below table size | `level`, `size`, `advance` |
| `final_too_small` | most below least | `most`, `least` |

`fewer` and `more` are alternative table counts, with `fewer_smallest`, `fewer_largest` (fits if most is at least
that), `more_smallest` (fits if least is at most that), `more_largest`; useless ones are omitted.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")
Pair = tuple[Hashable, Hashable]

MOST_TABLES = 999  # per stage
COMFORTABLE = {"session": 10, "heats": 6, "match": 10, "final": 10}  # players per table, at most


class Impossible(Exception):
    """An impossible request; see the module's table.

    `pairs`: of `cannot_keep_apart`, else (); leaving out any one makes the rest possible.
    """

    def __init__(self, code: str, parameters: Mapping[str, int | str], pairs: Iterable[Pair] = ()) -> None:
        numbers = ", ".join(f"{name} {value}" for name, value in parameters.items())
        super().__init__(f"{code} ({numbers})" if numbers else code)
        self.code = code
        self.parameters = dict(parameters)
        self.pairs = tuple(pairs)


class Sizes(tuple[int, ...]):
    """Table sizes in order of table number."""

    __slots__ = ()

    @property
    def smallest(self) -> int:
        return min(self)

    @property
    def largest(self) -> int:
        return max(self)


def even_sizes(players: int, tables: int) -> Sizes:
    """Sizes of exactly `tables` tables, larger first; some may be 0."""
    size, larger = divmod(players, tables)
    return Sizes((size + 1,) * larger + (size,) * (tables - larger))


def plan_tables(players: int, *, least: int, most: int, tables: int | None = None) -> Sizes:
    """Sizes of `tables` tables (default: fewest) with `least` to `most` players.

    Raises `Impossible`: `too_few_players`, `bounds_crossed`, `no_tables`, `too_few_tables`, `too_many_tables`,
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
    """Players per table, clockwise; at most one table per player."""
    count = max(1, min(tables, len(players)))
    return [list(players[first::count]) for first in range(count)]
