"""Facts as they happened; nothing here that a score sheet could give."""

from tournament.models.arrival import Invite, Registration, Tick
from tournament.models.event import Apart, Entry, Membership, Tournament
from tournament.models.ledger import LedgerNote, LedgerRow
from tournament.models.people import Organiser, Player, User
from tournament.models.play import Decision, Play, Result
from tournament.models.stage import Draw, Seat, Stage, Table

__all__ = [
    "Apart",
    "Decision",
    "Draw",
    "Entry",
    "Invite",
    "LedgerNote",
    "LedgerRow",
    "Membership",
    "Organiser",
    "Play",
    "Player",
    "Registration",
    "Result",
    "Seat",
    "Stage",
    "Table",
    "Tick",
    "Tournament",
    "User",
]
