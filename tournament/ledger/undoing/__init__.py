"""Undo: which ledger rows can be undone, and the resulting facts. Reads only; actions/event/undo.py writes.

Conflicts are per fact: a new start number does not block the undo of a check-in, a new state does.

| refused | when |
| --- | --- |
| `too_old` | older than a day |
| `cannot_be_undone` | declared with another way back, or names lost |
| `already_undone` | by a row that still holds |
| `changed_since` | same facts changed, or stage moved on |
| `in_use_since` | an entry's seat, a table's result, an invite's role |
| `next_stage_began` | heats would run again after it |
| `last_organiser` | none would be left |
"""

from tournament.ledger.undoing.history import UNDO, Change, History, Undoing
from tournament.ledger.undoing.taking import (
    WITHIN,
    can_be_undone,
    may_undo,
    rank_to_undo,
    undoing_of,
    why_not_undone,
)

__all__ = [
    "UNDO",
    "WITHIN",
    "Change",
    "History",
    "Undoing",
    "can_be_undone",
    "may_undo",
    "rank_to_undo",
    "undoing_of",
    "why_not_undone",
]
