"""Calls inside an action: somebody at a table wants a referee, and a referee came."""

from uuid import UUID

from tournament.actions.kernel.work import Work
from tournament.models import Call, Play, Table


def open_call(work: Work, table: Table, kind: Call.Kind, play: Play | None = None) -> None:
    """Call a referee to the table, unless it waits for one of this kind already."""
    if not Call.objects.filter(table=table, kind=kind, answered_at=None).exists():
        work.changed(Call.objects.create(table=table, kind=kind, play=play, at=work.at))


def answer(work: Work, call: Call) -> None:
    """The actor came."""
    work.update(call, answered_at=work.at, answered_by=work.command.actor)


def answer_contest(work: Work, table: Table, play: UUID) -> None:
    """This play is contested no more: the call about it is answered, and goes on about another one that still is."""
    call = Call.objects.filter(table=table, kind=Call.Kind.CONTEST, answered_at=None).first()
    if call is None:
        return
    contested = Play.objects.filter(
        table=table, state=Play.State.ENTERED, second_look=Play.SecondLook.CONTESTED
    )
    other = contested.order_by("number").first()
    if other is None:
        answer(work, call)
    elif call.play is None or call.play.uid == play:
        work.update(call, play=other)
