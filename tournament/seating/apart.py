"""Exhaustive search for seats of pairs to separate, so "impossible" is a proof.

Only people in such pairs are placed; the rest fill up. Work is limited by count, not time: same answer on every
machine.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

Pairs = Sequence[tuple[int, int]]
Choices = dict[int, tuple[int, ...]]  # possible tables per unplaced person

_WORK = 3_000_000  # per seating or proof, and again per conflict search


class GaveUp(Exception):
    """Work limit reached without seating or proof."""


class Rooms:
    """Tables with `sizes` seats; people are indexes, pairs of whom must not share a table."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._work = _WORK

    def place(self, pairs: Pairs) -> dict[int, int] | None:
        """Table per person so that no pair shares one; None if impossible. Raises GaveUp."""
        enemies: dict[int, set[int]] = {}
        for one, other in pairs:
            enemies.setdefault(one, set()).add(other)
            enemies.setdefault(other, set()).add(one)
        at: dict[int, int] = {}
        room = list(self._sizes)
        tried: list[tuple[int, Iterator[int]]] = []  # person, remaining tables
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
        """Subset of pairs that cannot be separated; minimal within the work limit."""
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
        """Doubtful pairs that make the ground impossible (Junker's QuickXplain)."""
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
    """Hall's condition for the occurring sets of tables. Others can sit anywhere."""
    needed = Counter(choices.values())
    for tables in needed:
        held = set(tables)
        inside = sum(number for others, number in needed.items() if held.issuperset(others))
        if inside > sum(room[table] for table in tables):
            return False
    return True


def _unlike(tables: Sequence[int], at: dict[int, int], room: Sequence[int]) -> list[int]:
    """Skip equivalent empty tables of equal room."""
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
    """Pairs among people with at least as many such pairs as tables; others cannot cause a shortage."""
    core = list(pairs)
    while core:
        enemies = Counter(person for pair in core for person in pair)
        kept = [(one, other) for one, other in core if min(enemies[one], enemies[other]) >= tables]
        if len(kept) == len(core):
            break
        core = kept
    return core
