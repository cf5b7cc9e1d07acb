"""Where a room keeps its objects for the kinds of contest: one dict, in a module `kinds.py` of the room."""

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")


class ByKind(dict[str, T]):
    """A room's objects by the kind of contest. `file` holds them, as "pages/kinds.py".

    Raises LookupError for a kind without an object, with a sentence that names the file.
    """

    def __init__(self, file: str, objects: Mapping[str, T]) -> None:
        super().__init__(objects)
        self.file = file

    def __missing__(self, kind: str) -> T:
        raise LookupError(f"{self.file} has no object for the kind {kind!r}")
