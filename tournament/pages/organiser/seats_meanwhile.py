"""Who changed the seats of a stage while somebody else had them open."""

from dataclasses import dataclass
from datetime import datetime

from tournament.ledger.undoing import History
from tournament.models import Stage, User

PLACE = ("table", "entry", "position")  # the facts of a seat that say who sits where


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """What became of the seats since the page was opened: `seats` as they are now (seats_seen.seats_text), and `who`
    changed them last, at what time; "" and None where the ledger does not say."""

    seats: str
    who: str = ""
    at: datetime | None = None


def meanwhile(stage: Stage, seats: str) -> Meanwhile:
    """The last change of who sits where in the stage."""
    history = History(stage.tournament)
    for sequence, done in reversed(history.done.items()):
        for uid in done.payload.get("seat", ()):
            before, after = (side(("seat", uid), sequence) or {} for side in (history.before, history.after))
            table = history.last(("table", (after or before).get("table", ""))) or {}
            moved = any(before.get(fact) != after.get(fact) for fact in PLACE)
            if moved and table.get("stage") == str(stage.uid):
                who = User.objects.get(pk=done.actor).display_name()
                return Meanwhile(seats, who, done.at)
    return Meanwhile(seats)
