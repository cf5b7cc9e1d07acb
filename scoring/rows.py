"""Rows of a sheet that are scored again and again: what was found out about one is kept with it.

A big sheet is scored anew at each save, though one of its games, rounds or heats changed. Whoever holds on to rows that
never change hands them in as `Row`: what was read from one, that it keeps the rules and what it scored stay with it,
each under what it depends on beside the row, and are found there the next time. Totals, averages and places are always
added up anew; and a plain dict in a Row's place gives the same answer and the same errors.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NoReturn

Kept = dict[Hashable, object]


class Row(dict[str, object]):
    """A game, round or heat of a sheet that nobody changes any more, nor anything in it."""

    __slots__ = ("kept",)

    def __init__(self, data: dict[str, object], kept: Kept | None = None) -> None:
        super().__init__(data)
        self.kept: Kept = {} if kept is None else kept

    def numbered(self, number: int) -> Row:
        """The row with this number, as rows before it come and go; what is kept with it stays."""
        own = self.get("number")
        same = type(own) is int and own == number  # JSON's true equals 1 to Python
        return self if same else Row({**self, "number": number}, self.kept)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a Row does not change")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse
