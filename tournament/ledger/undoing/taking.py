"""Which actions can be undone, by whom, with what result."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from tournament.ledger.undoing.history import (
    UNDO,
    Change,
    Done,
    History,
    Key,
    Obstacles,
    Undoing,
    cannot,
    differing,
    is_blocked,
    put_back,
)
from tournament.models import Membership, Tournament, User
from tournament.permissions import ACTIONS, RANK, Undo, least_role, rank
from tournament.results import Fault

WITHIN = timedelta(days=1)
AT_TABLE = "undo_at_table"  # undoes rows of one table


def can_be_undone(action: str) -> bool:
    """Whether the action is declared with undo "ledger"."""
    declared = ACTIONS.get(action)
    return declared is not None and declared.undo == "ledger"


def why_not_undone(action: str) -> Undo | None:
    """Why the action has no ledger undo; None if it has one, or is unknown."""
    declared = ACTIONS.get(action)
    return declared.undo if declared and declared.undo != "ledger" else None


def may_undo(user: User, action: str, tournament: Tournament, table: UUID | None = None) -> bool:
    """Whether the user may undo this action at `table`: if they may do it; organisers, if players do it by link."""
    return rank_to_undo(action, AT_TABLE if table else UNDO) <= rank(user, tournament, table)


def rank_to_undo(action: str, by: str = UNDO) -> int:
    """Least rank (permissions.py) that may undo this action, `by` this one."""
    roles = (least_role(each) or Membership.Role.ORGANISER for each in (by, action))
    return max(RANK[role] for role in roles)


def undoing_of(history: History, sequence: int, at: datetime | None = None) -> Undoing | None:
    """Undoing of the row as of `at` (default: now); None without such a row."""
    one = history.done.get(sequence)
    if one is None:
        return None
    first, again = history.first(one)
    made = Undoing(sequence, first.action, one.at, again)
    fault = _closed(history, one, first, at or timezone.now())
    if fault:
        return replace(made, fault=fault)
    changes: dict[Key, Change] = {}
    for kind, touched in one.payload.items():
        for uid, after in touched.items():
            key = (kind, uid)
            before, now = history.before(key, sequence), history.at_present(key)
            names = differing(before, after)
            if not names:
                continue
            if is_blocked(before=before, after=after, now=now):
                return replace(made, fault=history.by("changed_since", history.who_wrote(key, sequence)))
            then = before if before is None or now is None else put_back(now, before, names)
            changes[key] = Change(now, then)
    if not changes:
        return replace(made, fault=cannot("again"))
    fault = next(Obstacles(history, changes, sequence).faults(), None)
    return replace(made, fault=fault) if fault else replace(made, changes=changes)


def _closed(history: History, one: Done, first: Done, at: datetime) -> Fault | None:
    if one.sequence in history.undone:
        return history.by("already_undone", history.done[history.undone[one.sequence]])
    if why := why_not_undone(first.action):
        return cannot(why)
    return Fault("too_old", "/row") if at - one.at > WITHIN else None
