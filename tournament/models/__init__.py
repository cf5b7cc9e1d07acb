"""Facts as they happened; nothing here that a score sheet could give."""

from tournament.models.event import Entry, Membership, Tournament
from tournament.models.ledger import LedgerNote, LedgerRow
from tournament.models.people import Organiser, Player, User
from tournament.models.play import Decision, Play, Result
from tournament.models.stage import Seat, Stage, Table

__all__ = [
    "Decision",
    "Entry",
    "LedgerNote",
    "LedgerRow",
    "Membership",
    "Organiser",
    "Play",
    "Player",
    "Result",
    "Seat",
    "Stage",
    "Table",
    "Tournament",
    "User",
]
