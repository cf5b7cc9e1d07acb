"""How many tables, and how many players at each.

| rule | where |
| --- | --- |
| sizes differ by at most one, the larger tables first | `even_sizes` |
| as many tables as it takes that none is larger than the most, and no more | `plan_tables` |
| never more tables than there are tables or referees, never one smaller than the least | `plan_tables` |
| where that cannot be, the numbers that would do | `plan_tables` raises `Impossible` |
| players dealt round the tables like cards, in start order, so that neighbours sit at different tables | `deal` |

A request that cannot be met, and the numbers that could, are a code with parameters, which the pages put into words:

| code | when | parameters beside those that were asked for |
| --- | --- | --- |
| `too_few_players` | fewer players than one table, or than a contest, needs | `players`, `least` |
| `bounds_crossed` | the least size is above the most | `least`, `most` |
| `no_tables` | there is no table, or no referee, at all | `by`: `tables` or `referees` |
| `too_few_tables` | more tables are needed than there are | `have`, `by`, and the ways out `fewer` and `more` |
| `sizes_do_not_fit` | no number of tables gives every table a size in the range | `least`, `most`, `fewer`, `more` |
| `cannot_keep_apart` | these cannot all be at different tables | `pairs`: how many; `Impossible.pairs` names them |
| `advance_too_large` | as many go through as sit at a table of a level | `level`, `size`, `advance` |
| `final_too_small` | the final has room for fewer players than it needs | `most`, `least` |

The ways out of `too_few_tables` and `sizes_do_not_fit` are a number of tables with their sizes, each given by three
numbers: `fewer`, `fewer_smallest`, `fewer_largest` (fits if the most is raised to `fewer_largest`), and `more`,
`more_smallest`, `more_largest` (fits if the least is lowered to `more_smallest` and there are `more` tables). A way
that would not help is left out.
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


def plan_tables(
    players: int, *, least: int, most: int, tables: int | None = None, referees: int | None = None
) -> Sizes:
    """Plan the fewest tables at which `players` sit with `least` to `most` at each.

    `tables` and `referees` tell how many there are at most, None for any number. Raises `Impossible` with
    `too_few_players`, `bounds_crossed`, `no_tables`, `too_few_tables` or `sizes_do_not_fit`.
    """
    least = max(1, least)
    if least > most:
        raise Impossible("bounds_crossed", {"least": least, "most": most})
    for by, there in (("tables", tables), ("referees", referees)):
        if there is not None and there < 1:
            raise Impossible("no_tables", {"by": by})
    if players < least:
        raise Impossible("too_few_players", {"players": players, "least": least})
    needed, bearable = -(-players // most), players // least
    have = min(there for there in (tables, referees, players) if there is not None)
    if needed <= min(have, bearable):
        return even_sizes(players, needed)
    asked: dict[str, int | str] = {"players": players, "least": least, "most": most}
    raised = -(-players // min(have, bearable))  # the smallest maximum that would do
    fewer = _way("fewer", players, -(-players // raised))
    if needed > bearable:
        more = _way("more", players, needed) if needed <= have else {}
        raise Impossible("sizes_do_not_fit", asked | fewer | more)
    by = "tables" if tables == have else "referees"
    raise Impossible(
        "too_few_tables", asked | {"have": have, "by": by} | fewer | _way("more", players, needed)
    )


def _way(name: str, players: int, tables: int) -> dict[str, int | str]:
    sizes = even_sizes(players, tables)
    return {name: tables, f"{name}_smallest": sizes.smallest, f"{name}_largest": sizes.largest}


def deal(players: Sequence[T], tables: int) -> list[list[T]]:
    """Deal the players of each table, clockwise. There are at most as many tables as players, so none is empty."""
    count = max(1, min(tables, len(players)))
    return [list(players[first::count]) for first in range(count)]
