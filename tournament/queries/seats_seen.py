"""Optimistic lock for the seating form: a compact token of the seats that the page showed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tournament.ledger.undoing import History
from tournament.models import Stage, User

_LETTERS = 8  # of a uid, distinct within a stage


def seats_text(tables: Mapping[int, Sequence[object]]) -> str:
    """Token of seats (uids by table number, clockwise): "1:0a1b2c3d,4e5f6a7b;2:…", or "0" without seats."""
    parts = [
        f"{number}:{','.join(map(_short, players))}" for number, players in sorted(tables.items()) if players
    ]
    return ";".join(parts) or "0"


def changed_since(seen: str, tables: Mapping[int, Sequence[object]], here: Collection[object]) -> bool:
    """Whether players still `here` sit differently than in `seen`; departures do not count."""
    still = {_short(player) for player in here}
    return _places(seen, still) != _places(seats_text(tables), still)


def places_seen(seen: str, entries: Collection[str]) -> dict[str, tuple[int, int]]:
    """Table and seat by entry uid as text, from `seen`."""
    places = {
        player: (int(number), seat)
        for number, players in _tables(seen).items()
        if number.isascii() and number.isdigit() and len(number) < 9
        for seat, player in enumerate(players, 1)
    }
    return {entry: places[_short(entry)] for entry in entries if _short(entry) in places}


def _short(player: object) -> str:
    return str(player)[:_LETTERS]


def _places(text: str, still: Collection[str]) -> dict[str, list[str]]:
    tables = {
        number: [player for player in players if player in still] for number, players in _tables(text).items()
    }
    return {number: players for number, players in tables.items() if players}


def _tables(text: str) -> dict[str, list[str]]:
    return {
        number: players.split(",")
        for number, _colon, players in (part.partition(":") for part in text.split(";"))
    }


PLACE = ("table", "entry", "position")


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """Changes since page load: token of `seats` now, last changed by `who` and `at`; "" and None if unknown."""

    seats: str
    who: str = ""
    at: datetime | None = None


def meanwhile(stage: Stage, seats: str) -> Meanwhile:
    """Last change of the stage's seats; `seats`: their present token."""
    history = History(stage.tournament)
    for sequence, done in reversed(history.done.items()):
        for uid in done.payload.get("seat", ()):
            before, after = (side(("seat", uid), sequence) or {} for side in (history.before, history.after))
            table = history.last(("table", (after or before).get("table", ""))) or {}
            moved = any(before.get(fact) != after.get(fact) for fact in PLACE)
            if moved and table.get("stage") == str(stage.uid):
                return Meanwhile(seats, User.objects.get(pk=done.actor).display_name(), done.at)
    return Meanwhile(seats)
