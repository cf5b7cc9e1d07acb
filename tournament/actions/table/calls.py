"""Calls of the head referee: one open call per table and kind."""

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, answer, call_for_help, or_refuse, played_table, refuse_if
from tournament.models import Call, Membership
from tournament.permissions import RANK, rank
from tournament.results import Fault, Forbidden

__all__ = ["answer_call", "call_referee", "take_back_call"]

Kind = Call.Kind


@action(least="table_referee", says=_("called the head referee"), undo="at_table")
def call_referee(work: Work, *, table: UUID) -> None:
    """Call the head referee (players: `call_at_table`). Refused `called_already`, `stage_not_running`."""
    call_for_help(work, played_table(work, table))


@action(least="table_referee", says=_("withdrew a call"), undo="at_table")
def take_back_call(work: Work, *, call: UUID) -> None:
    """Withdraw a call. Refused `answered_already`."""
    row = _open_call(work, call)
    refuse_if(row.kind != Kind.HELP, Fault("unknown_call", "/call"))
    work.delete(row)


@action(least="table_referee", says=_("answered a call"), undo="at_table")
def answer_call(work: Work, *, call: UUID) -> None:
    """Answer a call; calls for help need a head referee. Refused `answered_already`."""
    row = _open_call(work, call)
    head = RANK[Membership.Role.HEAD_REFEREE]
    if row.kind == Kind.HELP and rank(work.command.actor, work.tournament) < head:
        raise Forbidden(work.action)
    answer(work, row)


def _open_call(work: Work, uid: UUID) -> Call:
    calls = Call.objects.select_related("table", "play").filter(table__stage__tournament=work.tournament)
    row = or_refuse(calls.filter(uid=uid).first(), Fault("unknown_call", "/call"))
    refuse_if(row.answered_at is not None, Fault("answered_already", "/call"))
    return row
