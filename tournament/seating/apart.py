"""Seats for people who are kept apart: an exhaustive search, so that "impossible" is a proof.

Only those who are kept apart from somebody are placed; everybody else fills up the tables in any way. Work is counted
in tables tried for somebody, and limited, so that the answer is the same on every machine.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

Pairs = Sequence[tuple[int, int]]
Choices = dict[int, tuple[int, ...]]  # the tables at which each person who is not placed yet could sit

_WORK = 3_000_000  # to find a seating or prove that there is none, and as much to find the pairs in conflict


class GaveUp(Exception):
    """Neither a seating nor a proof that there is none was found with the work allowed."""


class Rooms:
    """Tables with room for `sizes` players each, and the people (by index) who are kept apart: `pairs`."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._work = _WORK

    def place(self, pairs: Pairs) -> dict[int, int] | None:
        """Place each person in the pairs so that no pair shares a table; None if there is no way. Raises GaveUp."""
        enemies: dict[int, set[int]] = {}
        for one, other in pairs:
            enemies.setdefault(one, set()).add(other)
            enemies.setdefault(other, set()).add(one)
        at: dict[int, int] = {}
        room = list(self._sizes)
        tried: list[tuple[int, Iterator[int]]] = []  # who was placed, and the tables that are left to try
        while True:
            choices = self._choices(enemies, at, room)
            if _room_for_all(choices, room):
                if not choices:
                    return at
                person = min(choices, key=lambda each: (len(choices[each]), -len(enemies[each]), each))
                tried.append((person, iter(_unlike(choices[person], at, room))))
            while tried:
                person, tables = tried[-1]
                if person in at:
                    room[at.pop(person)] += 1
                table = next(tables, None)
                if table is not None:
                    at[person] = table
                    room[table] -= 1
                    break
                tried.pop()
            else:
                return None

    def conflict(self, pairs: Pairs) -> Pairs:
        """Find a minimal subset of pairs that cannot all be kept apart: none of them is superfluous, if the work
        allowed suffices to find it."""
        self._work = _WORK
        suspects = pairs
        try:
            core = _core(pairs, len(self._sizes))
            if self.place(core) is None:
                suspects = core
            return self._needed([], suspects, grown=False)
        except GaveUp:
            return suspects

    def _needed(self, ground: Pairs, doubtful: Pairs, *, grown: bool) -> Pairs:
        """Find which doubtful pairs, added to the ground, make it impossible (Junker's QuickXplain)."""
        if grown and self.place(ground) is None:
            return []
        if len(doubtful) == 1:
            return doubtful
        half = len(doubtful) // 2
        first, second = doubtful[:half], doubtful[half:]
        of_second = self._needed([*ground, *first], second, grown=True)
        return [*self._needed([*ground, *of_second], first, grown=bool(of_second)), *of_second]

    def _choices(self, enemies: dict[int, set[int]], at: dict[int, int], room: Sequence[int]) -> Choices:
        self._work -= len(room) * (len(enemies) - len(at))
        if self._work < 0:
            raise GaveUp
        with_room = [table for table, places in enumerate(room) if places]
        return {
            person: tuple(table for table in with_room if table not in shut)
            for person, others in enemies.items()
            if person not in at
            for shut in [{at[other] for other in others if other in at}]
        }


def _room_for_all(choices: Choices, room: Sequence[int]) -> bool:
    """Tell whether each person's set of tables holds everybody with no other tables to choose from: Hall's condition,
    for those sets of tables. (People who are not kept apart from anybody can sit anywhere.)"""
    needed = Counter(choices.values())
    for tables in needed:
        held = set(tables)
        inside = sum(number for others, number in needed.items() if held.issuperset(others))
        if inside > sum(room[table] for table in tables):
            return False
    return True


def _unlike(tables: Sequence[int], at: dict[int, int], room: Sequence[int]) -> list[int]:
    """Leave out tables that are like another: nobody placed there yet, and the same room."""
    taken = set(at.values())
    like: set[int] = set()
    unlike = []
    for table in tables:
        if table in taken or room[table] not in like:
            unlike.append(table)
        if table not in taken:
            like.add(room[table])
    return unlike


def _core(pairs: Pairs, tables: int) -> Pairs:
    """Keep the pairs among people who are each kept apart from as many of one another as there are tables: those with
    fewer such pairs are not the cause if the number of tables does not suffice."""
    core = list(pairs)
    while core:
        enemies = Counter(person for pair in core for person in pair)
        kept = [(one, other) for one, other in core if min(enemies[one], enemies[other]) >= tables]
        if len(kept) == len(core):
            break
        core = kept
    return core
