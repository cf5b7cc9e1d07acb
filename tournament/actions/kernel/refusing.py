"""What an action looks at before it writes: a row that must be there, and everything that is wrong at once."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db.models import QuerySet

from tournament.results.faults import Fault, Refused

T = TypeVar("T")


def first_or_refuse(rows: QuerySet[Any, T], fault: Fault) -> T:
    """The first of these rows; Refused with the fault where there is none."""
    row = rows.first()
    if row is None:
        raise Refused(fault)
    return row


def refuse(faults: Iterable[Fault]) -> None:
    """Refused with all of these faults, where there is any."""
    if found := tuple(faults):
        raise Refused(*found)
