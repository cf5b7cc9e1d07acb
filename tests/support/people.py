"""People of an organiser without a database."""

from datetime import date
from typing import Any
from uuid import UUID, uuid5

from tournament.queries.people import KnownPerson, unordered
from tournament.words.text import as_read

SPACE = UUID(int=1)


def known(name: str, *names: str, club: str = "", born: date | None = None, **more: Any) -> KnownPerson:
    """A person of these names, who came to one event."""
    uid = uuid5(SPACE, f"{name} {club} {born} {more}")
    values: dict[str, Any] = {
        "uid": uid,
        "real_name": name,
        "public_name": name,
        "names": (name, *names),
        "keys": frozenset(map(unordered, (name, *names))),
        "club": club,
        "clubs": frozenset({as_read(club)} - {""}),
        "born": born,
        "event": "Event",
        "when": date(2026, 5, 2),
        "events": 1,
        "entry": uid,
        "tournaments": frozenset({1}),
        "left_out": False,
    }
    return KnownPerson(**values | more)
