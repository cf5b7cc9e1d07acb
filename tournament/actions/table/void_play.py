"""Voiding any play: it stays readable and counts for nobody."""

from dataclasses import replace
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel.plays import play_named, refuse_stale, settle_and_store
from tournament.actions.kernel.work import Work, action
from tournament.models import Play
from tournament.results.faults import Fault, Refused


@action(least="table_referee", says=_("voided a game, round or heat"), undo="at_table")
def void_play(work: Work, *, play: UUID, version: int, reason: str) -> None:
    """Void a game, round or heat, with a reason; an ejection in a voided game stands (KPGUT).

    Correcting a void play makes it count again. Raises Refused `missing_reason`, `already_void`, or Conflict.
    """
    row, contest, current = play_named(work, play)
    offered = replace(current, state=Play.State.VOID)
    refuse_stale(work, current, offered, version)
    if current.state == Play.State.VOID:
        raise Refused(Fault("already_void", "/play"))
    work.because(reason)
    settle_and_store(work, row, contest, offered)
