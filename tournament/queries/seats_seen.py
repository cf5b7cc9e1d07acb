"""The seats of a stage as a page showed them, in a short text that its form carries, so that saving it can tell
whether somebody changed them meanwhile."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tournament.ledger.undoing import History
from tournament.models import Stage, User

_LETTERS = 8  # of an entry's uid: enough to tell the players of a stage apart


def seats_text(tables: Mapping[int, Sequence[object]]) -> str:
    """Write the seats (uids by their tables' numbers, clockwise): "1:0a1b2c3d,4e5f6a7b;2:…", "0" where nobody sits."""
    parts = [
        f"{number}:{','.join(map(_short, players))}" for number, players in sorted(tables.items()) if players
    ]
    return ";".join(parts) or "0"


def changed_since(seen: str, tables: Mapping[int, Sequence[object]], here: Collection[object]) -> bool:
    """Tell whether those who are still `here` sit elsewhere at these tables than in the text `seen`. People who left
    since do not count as a change."""
    still = {_short(player) for player in here}
    return _places(seen, still) != _places(seats_text(tables), still)


def places_seen(seen: str, entries: Collection[str]) -> dict[str, tuple[int, int]]:
    """Read the table and the seat of each of these entries (uids as text) in the text `seen`."""
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


PLACE = ("table", "entry", "position")  # the facts of a seat that tell who sits where


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """The change of the seats since the page was opened: `seats` as they are now (seats_seen.seats_text), and `who`
    changed them last and when; "" and None where the ledger does not tell."""

    seats: str
    who: str = ""
    at: datetime | None = None


def meanwhile(stage: Stage, seats: str) -> Meanwhile:
    """Find the last change of the stage's seats."""
    history = History(stage.tournament)
    for sequence, done in reversed(history.done.items()):
        for uid in done.payload.get("seat", ()):
            before, after = (side(("seat", uid), sequence) or {} for side in (history.before, history.after))
            table = history.last(("table", (after or before).get("table", ""))) or {}
            moved = any(before.get(fact) != after.get(fact) for fact in PLACE)
            if moved and table.get("stage") == str(stage.uid):
                return Meanwhile(seats, User.objects.get(pk=done.actor).display_name(), done.at)
    return Meanwhile(seats)
