"""Which actions are taken back from their ledger row, and who may."""

from datetime import timedelta

from tournament.models import Membership, Tournament, User
from tournament.permissions import ACTIONS, RANK, Undo, least_role, rank

WITHIN = timedelta(days=1)
UNDO = "undo"


def can_be_undone(action: str) -> bool:
    """Whether the action is declared to be taken back from its ledger row."""
    declared = ACTIONS.get(action)
    return declared is not None and declared.undo == "ledger"


def why_not_undone(action: str) -> Undo | None:
    """Why the action is not taken back from its ledger row; None where it is, and for an unknown name."""
    declared = ACTIONS.get(action)
    return declared.undo if declared and declared.undo != "ledger" else None


def may_undo(user: User, action: str, tournament: Tournament) -> bool:
    """Whether the user may take this action back: whoever may do it may; what players do by a link, an organiser."""
    return rank_to_undo(action) <= rank(user, tournament)


def rank_to_undo(action: str) -> int:
    """The least rank (tournament/permissions.py) of who may take this action back."""
    roles = (least_role(each) or Membership.Role.ORGANISER for each in (UNDO, action))
    return max(RANK[role] for role in roles)
