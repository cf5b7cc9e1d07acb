"""Players dealt round the tables like cards, in start order: sizes differ by at most one, and neighbours sit at
different tables.

The draw by lot, which looks at groups, at who is kept apart and at who met before, is `tournament.seating.draw`.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

MOST_TABLES = 999  # of a stage
COMFORTABLE = {"session": 10, "heats": 6, "match": 10, "final": 10}  # players at a table, at most


def deal(players: Sequence[T], tables: int) -> list[list[T]]:
    """The players of each table, clockwise. More tables than players leave none empty: there are as many as there are
    players, at most."""
    count = max(1, min(tables, len(players)))
    return [list(players[first::count]) for first in range(count)]
