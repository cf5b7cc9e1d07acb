"""What a command does not name stays as it is: the rule of every action that edits something stored."""

from enum import Enum
from typing import Final, TypeVar

T = TypeVar("T")


class Unchanged(Enum):
    """The type of `UNCHANGED`; an enum, so that `is UNCHANGED` narrows a type."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED  # the default of every argument that replaces a stored value


def chosen(value: T | Unchanged, stored: T) -> T:
    """Give the value that a command names, else the stored one."""
    return stored if value is UNCHANGED else value
