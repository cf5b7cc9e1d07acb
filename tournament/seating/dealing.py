"""Players dealt round the tables like cards: the plain way, by number or with a seed alone.

| rule | where |
| --- | --- |
| sizes differ by at most one | `deal` |
| in the order of start numbers, neighbours sit at different tables | `deal` without a seed |
| drawn: anybody who knows the seed and the start numbers can repeat it | `deal` with a seed |
| as few tables as a kind of contest needs, none too small | `tables_for` |

The draw that looks at groups, at who is kept apart and at who met before is `tournament.seating.draw`.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

MOST_TABLES = 200  # of one stage
COMFORTABLE = {"session": 10, "heats": 6, "match": 10, "final": 10}  # players at a table, at most


def deal(players: Sequence[T], tables: int, seed: str = "") -> list[list[T]]:
    """The players of each table, clockwise. With a `seed` they are shuffled first; equal seeds give equal seats.

    More tables than players leave none empty: there are as many as there are players, at most.
    """
    order = list(players)
    if seed:
        Random(seed).shuffle(order)  # noqa: S311 - a draw that everybody can repeat, not a secret
    count = max(1, min(tables, len(order)))
    return [order[first::count] for first in range(count)]


def tables_for(players: int, kind: str) -> int:
    """How many tables so many players need in a contest of this kind (session, heats, match, final)."""
    if kind == "final":
        return 1
    return max(1, -(-players // COMFORTABLE[kind]))
