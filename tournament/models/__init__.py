"""Recorded facts; nothing derived from a score sheet."""

from tournament.models.access import ApiToken, WrongTries
from tournament.models.arrival import Invite, Registration, Tick
from tournament.models.base import PublicModel
from tournament.models.event import (
    LONGEST_DIVISION,
    Apart,
    Different,
    Entry,
    Logo,
    Membership,
    PastResult,
    Tournament,
    shown_name,
)
from tournament.models.hall import (
    LONGEST_ANNOUNCEMENT,
    LONGEST_PAGE_S,
    MOST_EXTRA,
    SHORTEST_PAGE_S,
    Announcement,
    Ask,
    Call,
    HallClock,
    Proposal,
    Screen,
    Typing,
)
from tournament.models.incident import Incident
from tournament.models.ledger import LedgerCheck, LedgerNote, LedgerRow
from tournament.models.people import (
    GUEST,
    HOST,
    LASTS,
    NEWCOMER,
    OWN_LINK,
    PRACTICE_MAX_USERS,
    Organiser,
    Player,
    User,
)
from tournament.models.play import Decision, Play, Result
from tournament.models.season import Season, SeasonEvening
from tournament.models.stage import (
    LONGEST_CARD_TEXT,
    MOST_CARD_TEXTS,
    MOST_LEVELS,
    Draw,
    Final,
    Heats,
    Match,
    Race,
    Races,
    Seat,
    Session,
    Stage,
    Table,
    level_names,
    planned_names,
    stage_title,
)
from tournament.models.states import ENTRY, PLAY, STAGE, can, leads_to
from tournament.models.webhook import Delivery, Webhook

__all__ = [
    "ENTRY",
    "GUEST",
    "HOST",
    "LASTS",
    "LEDGER_KINDS",
    "LONGEST_ANNOUNCEMENT",
    "LONGEST_CARD_TEXT",
    "LONGEST_DIVISION",
    "LONGEST_PAGE_S",
    "MOST_CARD_TEXTS",
    "MOST_EXTRA",
    "MOST_LEVELS",
    "NAMING_USERS",
    "NEWCOMER",
    "OWN_LINK",
    "PLAY",
    "PRACTICE_MAX_USERS",
    "ROWS",
    "SHORTEST_PAGE_S",
    "STAGE",
    "Announcement",
    "Apart",
    "ApiToken",
    "Ask",
    "Call",
    "Decision",
    "Delivery",
    "Different",
    "Draw",
    "Entry",
    "Final",
    "HallClock",
    "Heats",
    "Incident",
    "Invite",
    "LedgerCheck",
    "LedgerNote",
    "LedgerRow",
    "Logo",
    "Match",
    "Membership",
    "Organiser",
    "PastResult",
    "Play",
    "Player",
    "Proposal",
    "PublicModel",
    "Race",
    "Races",
    "Registration",
    "Result",
    "Screen",
    "Season",
    "SeasonEvening",
    "Seat",
    "Session",
    "Stage",
    "Table",
    "Tick",
    "Tournament",
    "Typing",
    "User",
    "Webhook",
    "WrongTries",
    "can",
    "leads_to",
    "level_names",
    "planned_names",
    "shown_name",
    "stage_title",
]

# Foreign keys point only to users and earlier models.
ROWS: tuple[type[PublicModel], ...] = (
    Organiser, Season, Tournament, SeasonEvening, Logo, Player, Entry, PastResult, Registration, Stage, Table, Invite,
    Seat, Membership, Decision, Draw, Apart, Different, Tick, Play, Result, Proposal, Call, Incident, Screen,
    Announcement, HallClock, LedgerRow, LedgerNote, LedgerCheck, ApiToken, Webhook, Delivery, Typing, Ask,
)  # fmt: skip

# In the ledger, by kind
LEDGER_KINDS: dict[str, type[PublicModel]] = {
    str(model._meta.model_name): model for model in ROWS if model.FIELDS.ledger and not model.FIELDS.part_of
}

NAMING_USERS: tuple[tuple[type[PublicModel], str], ...] = tuple(
    (model, field.name)
    for model in ROWS
    for field in model.FIELDS.fields
    if getattr(model._meta.get_field(field.name).remote_field, "model", None) is User
)
