"""Lists of events: what runs or comes first, and under it what is over, of which only the newest are seen at once."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from tournament.models import Tournament

NEWEST = 6

T = TypeVar("T")


def with_past_below(rows: Iterable[Tournament], shown: Callable[[Tournament], T]) -> dict[str, list[T]]:
    """What the page names of these events, `running_first`, as each is `shown`: `now`, of the `past` ones the newest,
    and the `earlier` ones."""
    now, past = list[T](), list[T]()
    for row in rows:
        (past if row.state == Tournament.State.FINISHED else now).append(shown(row))
    return {"now": now, "past": past[:NEWEST], "earlier": past[NEWEST:]}
