"""People of one event whose names read the same, told apart by their club, or by their start number where the clubs do
not differ."""

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TypeVar

from tournament.models import Entry
from tournament.words.text import alike, as_read

Key = TypeVar("Key", bound=Hashable)


def name_suffixes(people: Iterable[tuple[Key, str, str, str]]) -> dict[Key, str]:
    """Give the `name_suffix` of each of an event's entries (key, public name, club, state): the club, if none of the
    others whose name reads the same has one that reads the same, else the start number; "" if there are no such others.
    An entry that is cancelled makes no other one ambiguous."""
    read = [
        (key, alike(name), as_read(club), state != Entry.State.CANCELLED) for key, name, club, state in people
    ]
    names = Counter(name for _key, name, _club, counts in read if counts)
    clubs = Counter((name, club) for _key, name, club, counts in read if counts)
    return {
        key: ""
        if names[name] == counts
        else Entry.NameSuffix.CLUB
        if club and clubs[name, club] == counts
        else Entry.NameSuffix.NUMBER
        for key, name, club, counts in read
    }
