"""What an action looks at before it writes: something that must be there, and everything that is wrong at once."""

from collections.abc import Iterable
from typing import TypeVar

from tournament.results.faults import Fault, Refused

T = TypeVar("T")


def or_refuse(found: T | None, fault: Fault) -> T:
    """What was found; Refused with the fault where that is nothing."""
    if found is None:
        raise Refused(fault)
    return found


def refuse(faults: Iterable[Fault]) -> None:
    """Refused with all of these faults, where there is any."""
    if found := tuple(faults):
        raise Refused(*found)
