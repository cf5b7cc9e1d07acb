"""Lists of tournaments, and the address of what those of one organiser make together."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from django.urls import reverse

from tournament.models import Tournament

NEWEST = 6  # events that are over

T = TypeVar("T")


def tour_url(tournament: Tournament) -> str:
    """The address of the organiser's tour; "" if this event is no part of it."""
    is_part = tournament.listed and not tournament.rehearsal
    return reverse("tour", args=[tournament.organiser.uid]) if is_part else ""


def with_past_below(rows: Iterable[Tournament], shown: Callable[[Tournament], T]) -> dict[str, list[T]]:
    """The events that the page lists, `running_first`, as `shown` gives each: `now`, the newest `past` ones, and the
    `earlier` ones."""
    now, past = list[T](), list[T]()
    for row in rows:
        (past if row.state == Tournament.State.FINISHED else now).append(shown(row))
    return {"now": now, "past": past[:NEWEST], "earlier": past[NEWEST:]}
