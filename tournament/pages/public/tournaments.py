"""Lists of events."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from tournament.models import Tournament

NEWEST = 6  # past events

T = TypeVar("T")


def with_past_below(rows: Iterable[Tournament], shown: Callable[[Tournament], T]) -> dict[str, list[T]]:
    """Events in `running_first` order, mapped by `shown`, as `now`, newest `past` and `earlier`."""
    now, past = list[T](), list[T]()
    for row in rows:
        (past if row.state == Tournament.State.FINISHED else now).append(shown(row))
    return {"now": now, "past": past[:NEWEST], "earlier": past[NEWEST:]}
