"""Default for arguments of edits: `UNCHANGED` leaves the stored value."""

from enum import Enum
from typing import Final, TypeVar

T = TypeVar("T")


class Unchanged(Enum):
    """Type of `UNCHANGED`; an enum, so that `is UNCHANGED` narrows types."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED


def chosen(value: T | Unchanged, stored: T) -> T:
    """The command's value, else the stored one."""
    return stored if value is UNCHANGED else value
