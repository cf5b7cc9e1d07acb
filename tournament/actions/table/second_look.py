"""Four-eyes check: a play becomes official when accepted by another person than its author.

| second look | becomes | by |
| --- | --- | --- |
| none | wanted | organiser's request; entry or correction if required |
| wanted | accepted | a referee other than its author; players by code |
| wanted | contested | a referee; players by code |
| accepted | contested | a referee |
| contested | accepted | a referee other than its author; players, if they contested |
| contested | wanted | a correction |

Until then it counts provisionally; a stage with wanted or contested plays cannot finish. Players have
`ACCEPT_WITHIN`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import (
    Work,
    action,
    answer_contest,
    open_call,
    open_table,
    play_named,
    plays_seen,
    refuse_if,
    refuse_stale,
)
from tournament.ledger.past import MAY_COUNT, entry_of, entry_rows, last_rows
from tournament.models import Call, LedgerRow, Play, Stage, Table
from tournament.queries.incidents import ACCEPT_WITHIN, BY_PLAYERS
from tournament.results import Fault, PlayFacts, Refused, plays_in

__all__ = ["accept_play", "accept_plays", "ask_second_look", "ask_second_look_at", "contest_play"]

Look = Play.SecondLook
State = Play.State


@action(least="organiser", says=_("set whether results need confirmation"), undo="ledger")
def ask_second_look(work: Work, *, stage: UUID, wanted: bool, reason: str = "") -> None:
    """Require a second person's confirmation of future plays of a stage, or stop with a `reason`, also to wait for it.
    Refused `illegal_move` (stage over)."""
    row = stage_named(work, stage)
    refuse_if(row.state == Stage.State.FINISHED, Fault("illegal_move", "/stage", {"state": str(row.state)}))
    work.update(row, second_look=wanted)
    if wanted:
        work.note = reason
        return
    work.because(reason)
    for play in plays_in(Play.objects.filter(table__stage=row, state__in=MAY_COUNT, second_look=Look.WANTED)):
        _set(work, play, "")


def ask_about_since(work: Work, stage: Stage, row: int) -> None:
    """Request confirmation of the plays entered since this ledger row that count or are on hold."""
    for play in plays_in(
        Play.objects.filter(table__stage=stage, state__in=MAY_COUNT, second_look="", version__gt=row)
    ):
        _set(work, play, Look.WANTED)


@action(least="organiser", says=_("asked for confirmation"), undo="at_table")
def ask_second_look_at(work: Work, *, play: UUID) -> None:
    """Request confirmation of a play, even again. Refused `already_void`, `looked_at_already`."""
    table, _contest, current = play_named(work, play)
    refuse_if(current.state not in {State.ENTERED, State.RUNNING}, Fault("already_void", "/play"))
    refuse_if(current.second_look in {Look.WANTED, Look.CONTESTED}, Fault("looked_at_already", "/play"))
    _set(work, current, Look.WANTED, table.stage)


@action(least="table_referee", says=_("confirmed a result"), undo="at_table")
def accept_play(work: Work, *, play: UUID, version: int) -> None:
    """Confirm a play as second referee. Refused `nothing_to_accept`, `own_entry` (last entered or corrected by the
    actor); Conflict."""
    table, _contest, current = play_named(work, play)
    _refuse_other(work, current, version, Look.ACCEPTED, {Look.WANTED, Look.CONTESTED})
    entry = entry_of(work.tournament.pk, current)
    refuse_if(entry is not None and entry.actor_id == work.command.actor.pk, Fault("own_entry", "/play"))
    accept(work, table, current)


@action(least="table_referee", says=_("confirmed results"), undo="ledger")
def accept_plays(work: Work, *, table: UUID, plays: Sequence[Mapping[str, Any]]) -> None:
    """Confirm plays of a table, all or none. Refused `own_entry`, or as `plays_seen`."""
    row = open_table(work, table)
    found = seen_provisional(row, plays)
    entered = entry_rows((work.tournament.pk, play.uid, play.version) for play in found)
    own = any(each.actor_id == work.command.actor.pk for each in entered.values())
    refuse_if(own, Fault("own_entry", "/plays"))
    for play in found:
        accept(work, row, play)


@action(least="table_referee", says=_("contested a result"), undo="at_table")
def contest_play(work: Work, *, play: UUID, version: int) -> None:
    """Contest a play, which then awaits a correction or another referee. Refused `nothing_to_accept`; Conflict."""
    table, _contest, current = play_named(work, play)
    _refuse_other(work, current, version, Look.CONTESTED, {Look.WANTED, Look.ACCEPTED})
    contest(work, table, current)


def seen_provisional(table: Table, plays: Sequence[Mapping[str, Any]]) -> list[PlayFacts]:
    """Seen plays (`plays_seen`) whose second look is wanted."""
    return plays_seen(
        table, plays, lambda play: (play.state, play.second_look) == (State.ENTERED, Look.WANTED)
    )


def seen_by_players(work: Work, table: Table, play: UUID, version: int, becomes: str) -> PlayFacts:
    """A play that players may answer: it awaits confirmation, or they contested it. Refused `nothing_to_accept`,
    `too_late_to_accept`; Conflict."""
    found, _contest, current = play_named(work, play)
    refuse_if(found.pk != table.pk, Fault("unknown_play", "/play"))
    of = {Look.WANTED}
    if becomes == Look.ACCEPTED and contested_by_players(work.tournament.pk, current):
        of.add(Look.CONTESTED)
    _refuse_other(work, current, version, becomes, of)
    refuse_too_late(work, entry_of(work.tournament.pk, current))
    return current


def refuse_too_late(work: Work, entry: LedgerRow | None) -> None:
    """Refused `too_late_to_accept` after ACCEPT_WITHIN."""
    if entry is None or work.at - entry.at > ACCEPT_WITHIN:
        raise Refused(
            Fault("too_late_to_accept", "/play", {"minutes": ACCEPT_WITHIN // timedelta(minutes=1)})
        )


def contested_by_players(tournament: int, play: PlayFacts) -> bool:
    """Whether the players contested it."""
    row = last_rows(tournament, [play] if play.second_look == Look.CONTESTED else []).get(play.uid)
    return row is not None and row.action == BY_PLAYERS


def accept(work: Work, table: Table, play: PlayFacts) -> None:
    """Mark the play as accepted, which answers the players' contest."""
    _set(work, play, Look.ACCEPTED, table.stage)
    if play.second_look == Look.CONTESTED:
        answer_contest(work, table, play.uid)


def contest(work: Work, table: Table, play: PlayFacts) -> None:
    """Mark the play as contested; call a referee."""
    _set(work, play, Look.CONTESTED, table.stage)
    open_call(work, table, Call.Kind.CONTEST, Play.objects.get(uid=play.uid))


def _refuse_other(work: Work, current: PlayFacts, version: int, becomes: str, of: set[Look]) -> None:
    refuse_stale(work, current, replace(current, second_look=becomes), version)
    refuse_if(
        current.state != State.ENTERED or current.second_look not in of, Fault("nothing_to_accept", "/play")
    )


def _set(work: Work, play: PlayFacts, look: str, *stages: Stage) -> None:
    Play.objects.filter(uid=play.uid).update(second_look=look, version=work.sequence)
    work.wrote(replace(play, second_look=look), *stages)
