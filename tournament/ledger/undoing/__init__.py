"""Undo: which ledger rows can be undone, and the facts afterwards. Reads only; actions/event/undo.py writes.

    change     the facts of one row before and after an undo
    history    the ledger read once: every version of every row's facts, and who wrote it
    taking     whether an action can be undone here and by whom; from a ledger row to its undoing
    obstacles  what prevents an undo

A ledger row keeps the facts after it of everything that it touched; the facts before it are in earlier rows. So any
row can be undone by replacing the facts after it with those before it, as long as nobody built on them since. Changes
are compared fact by fact: a new start number does not prevent the undo of a check-in, a new state does.

| refused | when |
| --- | --- |
| `too_old` | the row is older than a day |
| `cannot_be_undone` | its declaration names another way back, or names went that the ledger does not keep |
| `already_undone` | a row that still holds took it back |
| `changed_since` | somebody changed the same facts, or moved the stage on |
| `in_use_since` | somebody uses what it made: a seat of an entry, a result at a table, a role by an invite |
| `next_stage_began` | heats would run again whose next stage has begun |
| `last_organiser` | nobody would be left who may do everything |
"""

from tournament.ledger.undoing.change import Change, Undoing
from tournament.ledger.undoing.history import UNDO, History
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
