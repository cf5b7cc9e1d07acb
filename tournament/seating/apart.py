"""Seats for people who are kept apart: a search through all ways, so that "impossible" is the truth.

Only those who are kept apart from somebody are placed; everybody else fills up the tables in any way.
"""

from collections.abc import Sequence

_STEPS = 20_000  # people placed by way of trial


class GaveUp(Exception):
    """Neither a seating nor the proof that there is none was found in the fixed number of steps."""


class Rooms:
    """Tables with room for `sizes` players, and the people (by index) who are kept apart: `pairs`."""

    def __init__(self, sizes: Sequence[int], people: int, pairs: Sequence[tuple[int, int]]) -> None:
        self._room = list(sizes)
        self._apart: dict[int, set[int]] = {}
        for one, other in pairs:
            self._apart.setdefault(one, set()).add(other)
            self._apart.setdefault(other, set()).add(one)
        self._others = people - len(self._apart)
        self._at: dict[int, int] = {}
        self._steps = _STEPS

    def place(self) -> dict[int, int] | None:
        """The table of each person who is kept apart from somebody; None if there is no way. Raises GaveUp."""
        choices = {person: self._tables_for(person) for person in self._apart if person not in self._at}
        if not self._room_for_all(choices):
            return None
        if not choices:
            return dict(self._at)
        self._steps -= 1
        if self._steps < 0:
            raise GaveUp
        person = min(choices, key=lambda each: (len(choices[each]), -len(self._apart[each]), each))
        taken = set(self._at.values())
        tried: set[int] = set()  # sizes of tables where nobody is placed yet: one of each size is enough
        for table in choices[person]:
            if table not in taken:
                if self._room[table] in tried:
                    continue
                tried.add(self._room[table])
            self._at[person] = table
            self._room[table] -= 1
            found = self.place()
            if found is not None:
                return found
            self._room[table] += 1
            del self._at[person]
        return None

    def _tables_for(self, person: int) -> tuple[int, ...]:
        shut = {self._at.get(other) for other in self._apart[person]}
        return tuple(table for table, room in enumerate(self._room) if room and table not in shut)

    def _room_for_all(self, choices: dict[int, tuple[int, ...]]) -> bool:
        """Whether each set of tables holds the people who can sit nowhere else: all that Hall's theorem asks, for the
        sets that somebody has for a choice. (The others can sit anywhere.)"""
        needed: dict[tuple[int, ...], int] = {}
        for tables in choices.values():
            needed[tables] = needed.get(tables, 0) + 1
        for tables in needed:
            held = set(tables)
            inside = sum(number for other, number in needed.items() if held.issuperset(other))
            if inside > sum(self._room[table] for table in tables):
                return False
        return True


def places(sizes: Sequence[int], people: int, pairs: Sequence[tuple[int, int]]) -> dict[int, int] | None:
    """The table of each person in `pairs` so that no pair shares one; None if there is no way. Raises GaveUp."""
    return Rooms(sizes, people, pairs).place()


def conflict(sizes: Sequence[int], people: int, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of pairs that cannot all be kept apart, some that cannot either, none of them superfluous."""

    def possible(kept: list[tuple[int, int]]) -> bool:
        try:
            return places(sizes, people, kept) is not None
        except GaveUp:
            return True

    def needed(
        ground: list[tuple[int, int]], grown: bool, doubtful: list[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """What of the doubtful pairs is needed beside the ground to make it impossible (Junker's QuickXplain)."""
        if grown and not possible(ground):
            return []
        if len(doubtful) == 1:
            return doubtful
        half = len(doubtful) // 2
        first, second = doubtful[:half], doubtful[half:]
        of_second = needed(ground + first, True, second)
        return needed(ground + of_second, bool(of_second), first) + of_second

    return needed([], False, list(pairs))
