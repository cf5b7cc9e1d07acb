"""Who is oldest and who youngest of some players, by birth dates that nobody sees (rules of kpgut-2016, Roles)."""

from collections.abc import Collection
from datetime import date

from tournament.models import Entry, Table


def by_age(entries: Collection[Entry]) -> list[Entry]:
    """These players, the oldest first; none where a birth date is not known.

    Reads each entry's player. Those born on the same day are ordered by their ids, so that the answer is always the
    same and the oldest and the youngest are two people.
    """
    born: list[tuple[date, str, Entry]] = [
        (entry.player.birth_date, str(entry.uid), entry) for entry in entries if entry.player.birth_date
    ]
    if len(born) < len(entries):
        return []
    return [entry for _day, _uid, entry in sorted(born, key=lambda one: one[:2])]


def oldest_and_youngest(entries: Collection[Entry]) -> tuple[Entry, Entry] | None:
    """The oldest and the youngest of two players or more; None where a birth date is not known."""
    ordered = by_age(entries)
    return (ordered[0], ordered[-1]) if len(ordered) > 1 else None


def known_by_age(table: Table, players: Collection[Entry]) -> tuple[Entry | None, Entry | None]:
    """The oldest and the youngest of those who still sit at a table: by birth dates, else as somebody said there; None
    for whom nobody knows, or who sits there no more."""
    said = [entry if entry in players else None for entry in (table.oldest, table.youngest)]
    return oldest_and_youngest(players) or (said[0], said[1])
