"""People and seatings for tests, and every way of seating a few people."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tournament.seating import Person


def crowd(count: int, groups: Sequence[str] = ()) -> list[Person[int]]:
    """People with the start numbers 1, 2 ... for ids; their groups in turn."""
    return [
        Person(number, number, groups[(number - 1) % len(groups)] if groups else "")
        for number in range(1, count + 1)
    ]


def every_seating(people: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Each way to put so many people (by index) at tables of these sizes: the table of each."""

    def rest(at: tuple[int, ...], room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(at) == people:
            yield at
            return
        for table, free in enumerate(room):
            if free:
                yield from rest((*at, table), (*room[:table], free - 1, *room[table + 1 :]))

    yield from rest((), tuple(sizes))


def together(
    tables: Iterable[Sequence[object]], pairs: Iterable[tuple[object, object]]
) -> list[tuple[object, object]]:
    """The pairs that share a table."""
    seated = [set(table) for table in tables]
    return [pair for pair in pairs if any(table.issuperset(pair) for table in seated)]


def spread(tables: Sequence[Sequence[int]], people: Iterable[Person[int]]) -> dict[str, int]:
    """Measure by how much each group's numbers at two tables differ."""
    group = {person.id: person.group for person in people}
    counts = [Counter(group[player] for player in table) for table in tables]
    return {
        name: max(count[name] for count in counts) - min(count[name] for count in counts)
        for name in set(group.values()) - {""}
    }
