"""Referees' answers to results proposed by players."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from rulesets import ByKind
from tournament.actions.kernel import Receipt, Work, action, do_within, open_table, or_refuse, refuse_if
from tournament.actions.table.games import record_game
from tournament.actions.table.heats import record_heat
from tournament.actions.table.rounds import record_round
from tournament.actions.table.second_look import accept
from tournament.models import Play, Proposal, Stage
from tournament.results import Fault, plays_in

__all__ = ["accept_proposal", "decline_proposal"]

RECORDS: ByKind[Callable[..., Receipt]] = ByKind(
    "actions/table/proposals.py",
    {
        Stage.Kind.SESSION: record_game,
        Stage.Kind.HEATS: record_heat,
        Stage.Kind.MATCH: record_round,
        Stage.Kind.FINAL: record_round,
    },
)
State = Proposal.State


@action(least="table_referee", says=_("accepted a proposed result"), undo="at_table")
def accept_proposal(work: Work, *, proposal: UUID, result: Mapping[str, Any]) -> None:
    """Enter a proposed result as referee; `result` has the arguments of `record_round`, `record_heat` or
    `record_game`. It counts as confirmed: two parties agree.

    Refused `proposal_gone`, `malformed` (wrong kind), faults of entering.
    """
    row = _waiting(work, proposal)
    table = open_table(work, row.table.uid, *Stage.Kind)
    record = RECORDS[table.stage.kind]
    arguments = {**result, "table": table.uid, "play": row.play, "number": row.number}
    refuse_if(not _takes(record, arguments), Fault("malformed", "/result"))
    do_within(work, record, **arguments)
    work.update(row, state=State.ACCEPTED)
    entered = plays_in(Play.objects.filter(uid=row.play))[0]
    if entered.second_look:
        accept(work, table, entered)


@action(least="table_referee", says=_("declined a proposed result"), undo="at_table")
def decline_proposal(work: Work, *, proposal: UUID, reason: str) -> None:
    """Decline a proposal. Refused `proposal_gone`, `missing_reason`."""
    row = _waiting(work, proposal)
    work.because(reason)
    work.update(row, state=State.DECLINED)
    work.readers_of(row.table.stage)


def _takes(record: Callable[..., Receipt], arguments: Mapping[str, Any]) -> bool:
    try:
        signature(record).bind(None, **arguments)
    except TypeError:
        return False
    return True


def _waiting(work: Work, proposal: UUID) -> Proposal:
    waiting = Proposal.objects.filter(table__stage__tournament=work.tournament, state=State.WAITING)
    return or_refuse(
        waiting.select_related("table__stage").filter(uid=proposal).first(),
        Fault("proposal_gone", "/proposal"),
    )
