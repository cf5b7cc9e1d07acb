"""Facts as they happened; nothing here that a score sheet could give."""

from tournament.models.access import ApiToken, WrongTries
from tournament.models.arrival import Invite, Registration, Tick
from tournament.models.calls import Call, Proposal, Typing
from tournament.models.event import Apart, Entry, Membership, Tournament
from tournament.models.incident import Incident
from tournament.models.ledger import LedgerCheck, LedgerNote, LedgerRow
from tournament.models.people import Organiser, Player, User
from tournament.models.play import Decision, Play, Result
from tournament.models.screen import Screen
from tournament.models.stage import Draw, Seat, Stage, Table
from tournament.models.webhook import Delivery, Webhook

__all__ = [
    "Apart",
    "ApiToken",
    "Call",
    "Decision",
    "Delivery",
    "Draw",
    "Entry",
    "Incident",
    "Invite",
    "LedgerCheck",
    "LedgerNote",
    "LedgerRow",
    "Membership",
    "Organiser",
    "Play",
    "Player",
    "Proposal",
    "Registration",
    "Result",
    "Screen",
    "Seat",
    "Stage",
    "Table",
    "Tick",
    "Tournament",
    "Typing",
    "User",
    "Webhook",
    "WrongTries",
]
