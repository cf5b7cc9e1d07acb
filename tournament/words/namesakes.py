"""People of one name, told apart by their club, or by their start number where the clubs do not differ."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tournament.models import Entry


class Named(NamedTuple):
    """Somebody as they are told apart; `number` is their start number, 0 if they have none."""

    name: str
    club: str
    number: int


def namesakes(people: Mapping[str, Named]) -> dict[str, str]:
    """Give, for everybody whose name others have too, what to add to it: the club if none of those others has the same,
    else the start number."""
    names = Counter(each.name for each in people.values())
    clubs = Counter((each.name, each.club) for each in people.values())
    return {
        key: each.club if each.club and clubs[each.name, each.club] == 1 else str(each.number or "")
        for key, each in people.items()
        if names[each.name] > 1
    }


def told_apart(entries: Iterable[Entry]) -> dict[str, str]:
    """Give the public name of each entry by its uid, with the club or the start number where others have it too."""
    people = {str(each.uid): Named(each.public_name, each.club, each.start_number) for each in entries}
    added = namesakes(people)
    return {
        uid: f"{each.name} ({added[uid]})" if added.get(uid) else each.name for uid, each in people.items()
    }
