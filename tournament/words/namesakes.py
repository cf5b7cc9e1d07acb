"""Namesakes of an event, distinguished by club, else by start number."""

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TypeVar

from tournament.models import Entry
from tournament.words.text import alike, as_read

Key = TypeVar("Key", bound=Hashable)


def name_suffixes(people: Iterable[tuple[Key, str, str, str]]) -> dict[Key, str]:
    """`name_suffix` by key, of (key, public name, club, state): club if unique among namesakes, else start number; ""
    without namesakes. Cancelled entries make no other ambiguous."""
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
