"""Who is oldest and who youngest of some players, by birth dates that nobody sees (rules of kpgut-2016, Roles)."""

from collections.abc import Collection
from datetime import date

from tournament.models import Entry


def oldest_and_youngest(entries: Collection[Entry]) -> tuple[Entry, Entry] | None:
    """The oldest and the youngest of these players; None where a birth date is not known, or fewer than two are here.

    Reads each entry's player. Those born on the same day are ordered by their ids, so that the answer is always the
    same and the two are two people.
    """
    born: list[tuple[date, str, Entry]] = [
        (entry.player.birth_date, str(entry.uid), entry) for entry in entries if entry.player.birth_date
    ]
    if len(born) < len(entries) or len(born) < 2:
        return None
    born.sort(key=lambda one: one[:2])
    return born[0][2], born[-1][2]
