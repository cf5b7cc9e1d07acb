"""Undo of ledger rows, up to a day old."""

from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, or_refuse, store_moved
from tournament.actions.kernel.plays import put_back
from tournament.actions.table.second_look import ask_about_since
from tournament.ledger.undoing import UNDO, History, Undoing, may_undo, undoing_of, why_not_undone
from tournament.models import Stage, Tournament
from tournament.results import Fault, Forbidden, Refused, contests_now, given, settle
from tournament.server.clock import now

__all__ = ["undo", "undo_at_table"]


def _undoing(tournament: Tournament, *, row: int, **_reason: str) -> Undoing:
    return or_refuse(
        undoing_of(History(tournament), given.whole(row, "/row"), now()), Fault("unknown_row", "/row")
    )


@action(least="head_referee", says=_("undid"), undo="ledger", ahead=_undoing)
def undo(work: Work, *, row: int, reason: str = "") -> None:
    """Undo this ledger row: delete what it created, recreate (without names) what it deleted, restore the rest
    except names. An undo can be undone. Needs the right to the undone action. Raises Forbidden, Refused
    `unknown_row`, codes of tournament/ledger/undoing, scoring's faults, `does_not_fit`."""
    _undo(work, row, reason)


@action(least="table_referee", says=_("undid"), undo="at_table")
def undo_at_table(work: Work, *, table: UUID, row: int, reason: str = "") -> None:
    """Undo a row that touched only this table; recorded as `undo`."""
    work.action = UNDO
    _undo(work, row, reason, table)


def _undo(work: Work, row: int, reason: str, table: UUID | None = None) -> None:
    undoing: Undoing = work.ready or _undoing(work.tournament, row=row)
    if why_not_undone(undoing.action) is None and not may_undo(
        work.command.actor, undoing.action, work.tournament, table
    ):
        raise Forbidden(undoing.action)
    touched = [change.now or change.then or {} for change in undoing.changes.values()]
    if table and any(facts.get("table") != str(table) for facts in touched):
        raise Forbidden(undoing.action)
    if undoing.fault:
        raise Refused(undoing.fault)
    work.replaces, work.note = row, reason
    try:
        with transaction.atomic():
            put_back(work, undoing.changes)
    except (IntegrityError, ObjectDoesNotExist):
        raise Refused(Fault("does_not_fit", "/row")) from None
    stages = list(Stage.objects.filter(tournament=work.tournament).select_related("tournament"))
    work.readers_of(*stages)
    for stage in stages:
        if stage.state != Stage.State.PLANNED:
            for contest in contests_now(stage):
                store_moved(work, settle(contest))
        asked = undoing.changes.get(("stage", str(stage.uid)))
        if asked and asked.moves("second_look") and stage.second_look and stage.state == Stage.State.RUNNING:
            ask_about_since(work, stage, row)  # about plays entered in between
