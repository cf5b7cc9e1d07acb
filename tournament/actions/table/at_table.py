"""Actions of players with a table's code or, to sit down, a stage's, and referees' answers. Those with `token` raise
Forbidden if it is invalid (links.py) or revoked (`renew_link_of_table`), and Refused `stage_not_running`."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from inspect import signature
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rulesets import ByKind
from tournament.actions.kernel import (
    Receipt,
    Room,
    Work,
    action,
    call_for_help,
    do_within,
    open_table,
    or_refuse,
    players_to_seat,
    refuse,
    refuse_if,
    row_of_link,
    table_named,
    writing,
)
from tournament.actions.table.games import record_game
from tournament.actions.table.heats import record_heat
from tournament.actions.table.rounds import record_round
from tournament.actions.table.second_look import (
    accept,
    contest,
    refuse_too_late,
    seen_by_players,
    seen_provisional,
)
from tournament.ledger.past import entry_rows
from tournament.links import short_code
from tournament.models import Ask, Play, Proposal, Stage, Table, Typing, User
from tournament.queries.draws import may_sit, played_all
from tournament.results import Fault, Forbidden, Refused, given, plays_in, sound_fields

__all__ = [
    "accept_play_at_table",
    "accept_plays_at_table",
    "accept_proposal",
    "answer_ask",
    "answer_ask_at_table",
    "ask_to_join",
    "call_at_table",
    "contest_play_at_table",
    "decline_proposal",
    "propose_result",
    "renew_link_of_table",
    "sit_down",
    "withdraw_proposal",
]


MOST_ASKS = 3  # waiting phones per table

State = Proposal.State


@action(by_link=True, says=_("confirmed a result at the table"), undo="at_table")
def accept_play_at_table(work: Work, *, token: str, play: UUID, version: int) -> None:
    """Accept a play for the players, even one they contested. Refused `nothing_to_accept` (also if a referee
    contested), `too_late_to_accept`; Conflict."""
    table = _own_table(work, token)
    accept(work, table, seen_by_players(work, table, play, version, Play.SecondLook.ACCEPTED))


@action(by_link=True, says=_("confirmed results at the table"), undo="at_table")
def accept_plays_at_table(work: Work, *, token: str, plays: Sequence[Mapping[str, Any]]) -> None:
    """Accept plays, given as (`play`, `version`), all or none. Refused as `accept_plays`, `too_late_to_accept`."""
    table = _own_table(work, token)
    found = seen_provisional(table, plays)
    entered = entry_rows((work.tournament.pk, play.uid, play.version) for play in found)
    for play in found:
        refuse_too_late(work, entered.get(play.uid))
        accept(work, table, play)


@action(by_link=True, says=_("contested a result at the table"), undo="at_table")
def contest_play_at_table(work: Work, *, token: str, play: UUID, version: int) -> None:
    """Contest a play and call a referee. Raises as `accept_play_at_table`."""
    table = _own_table(work, token)
    contest(work, table, seen_by_players(work, table, play, version, Play.SecondLook.CONTESTED))


@action(by_link=True, says=_("called a referee to the table"), undo="at_table")
def call_at_table(work: Work, *, token: str) -> None:
    """Call a referee. Refused `called_already`."""
    call_for_help(work, _own_table(work, token))


@action(by_link=True, says=_("proposed a result"), undo="at_table")
def propose_result(
    work: Work,
    *,
    token: str,
    proposal: UUID,
    play: UUID,
    number: int,
    fields: Mapping[str, str],
    instead: UUID | None = None,
) -> None:
    """Propose the next result, in place of the pending `instead`; `fields` as in the referee's form, ids and numbers
    only.

    Refused `entered_meanwhile`, `proposed_meanwhile` (another phone, a different result), `game_running`,
    `proposal_exists`, `play_exists`.
    """
    table = _own_table(work, token)
    plays = Play.objects.filter(table=table)
    refuse_if(plays.filter(state=Play.State.RUNNING).exists(), Fault("game_running"))
    refuse_if(
        given.whole(number, "/number") != (plays.aggregate(last=Max("number"))["last"] or 0) + 1,
        Fault("entered_meanwhile", "/number"),
    )
    refuse_if(Proposal.objects.filter(uid=proposal).exists(), Fault("proposal_exists", "/proposal"))
    refuse_if(Play.objects.filter(uid=play).exists(), Fault("play_exists", "/play"))
    kept = sound_fields(fields)
    waiting = Proposal.objects.filter(table=table, state=State.WAITING)
    refuse_if(
        any(each.fields != kept and each.uid != instead for each in waiting),
        Fault("proposed_meanwhile", "/instead"),
    )
    for before in waiting:
        work.update(before, state=State.WITHDRAWN)
    work.add(Proposal(uid=proposal, table=table, number=number, play=play, fields=kept, at=work.at))
    work.readers_of(table.stage)


@action(by_link=True, says=_("withdrew a proposed result"), undo="at_table")
def withdraw_proposal(work: Work, *, token: str, proposal: UUID) -> None:
    """Withdraw a proposal. Refused `proposal_gone`."""
    table = _own_table(work, token)
    row = or_refuse(
        Proposal.objects.filter(table=table, uid=proposal, state=State.WAITING).first(),
        Fault("proposal_gone", "/proposal"),
    )
    work.update(row, state=State.WITHDRAWN)
    work.readers_of(table.stage)


@action(by_link=True, says=_("sat down at a table"), undo="ledger")
def sit_down(work: Work, *, token: str, entries: Sequence[UUID]) -> None:
    """Seat `entries` for a game at an open table, by the stage's code: one with no other players and no waiting
    result, else a new one. Refused `too_few_players`, `played_all`, `duplicate_player`, `game_running_here`."""
    stage = _own_stage(work, token)
    refuse_if(len(entries) < 2, Fault("too_few_players", "/entries", {"least": 2}))
    done = played_all(stage)
    refuse(
        Fault("played_all", f"/entries/{uid}", {"player": str(uid)}) for uid in entries if str(uid) in done
    )
    room = Room.of(stage)
    seated = {seat.entry.uid: seat.entry for seats in room.seats.values() for seat in seats}
    present = seated | players_to_seat(work.tournament)
    waiting = set(
        Proposal.objects.filter(table__stage=stage, state=State.WAITING).values_list("table", flat=True)
    )
    others = {
        table: [uid for uid in room.seated(table) if uid not in entries] for table in room.tables.values()
    }
    free = [table for table, rest in others.items() if not rest and table.pk not in waiting]
    new = Table(stage=stage, number=max(room.tables, default=0) + 1)
    here = min(free, key=lambda table: (not room.seated(table), table.number), default=new)
    left = {table: rest for table, rest in others.items() if table is not here and rest != room.seated(table)}
    for table, rest in left.items():
        room.refuse_running(table, rest, present)
    room.check(here.number, entries, {UUID(uid): entry for uid, entry in may_sit(stage).items()}, ())
    room.seat(work, [*left.items(), (here, entries)], present)
    work.readers_of(stage)


@action(least="head_referee", says=_("gave a table a new code"), undo="links")
def renew_link_of_table(work: Work, *, table: UUID) -> None:
    """Revoke all codes of a table."""
    row = table_named(work, table)
    row.link_number += 1
    work.save(row, "link_number")


@action(by_link=True, says=_("asked to join a table"), undo="links")
def ask_to_join(work: Work, *, table: UUID, code: str) -> None:
    """Ask for the table's long code; the request's uid is `ask_of` the command. Forbidden for a wrong short code,
    Refused `stage_not_running`, `too_many_asks`."""
    row = open_table(work, table)
    if code != short_code(row.uid, row.link_number):
        raise Forbidden(work.action)
    refuse_if(Ask.objects.waiting().filter(table=row).count() >= MOST_ASKS, Fault("too_many_asks"))
    Ask.objects.create(
        uid=ask_of(work.tournament.uid, work.command.id), table=row, number=row.link_number, at=work.at
    )


@action(least="table_referee", says=_("answered a phone’s request to join a table"), undo="links")
def answer_ask(work: Work, *, table: UUID, ask: UUID, yes: bool) -> None:
    """Answer a request to join. Refused `ask_gone`."""
    _answer_at(table_named(work, table), ask, yes=yes)


@action(by_link=True, says=_("answered a phone’s request to join a table"), undo="links")
def answer_ask_at_table(work: Work, *, token: str, ask: UUID, yes: bool) -> None:
    """`answer_ask`, by the long code."""
    _answer_at(_own_table(work, token), ask, yes=yes)


def ask_of(tournament: UUID, command: UUID) -> UUID:
    """Uid of a command's request."""
    return uuid5(tournament, str(command))


def _answer_at(table: Table, uid: UUID, *, yes: bool) -> None:
    refuse_if(
        not Ask.objects.waiting().filter(table=table, uid=uid).update(answer=yes), Fault("ask_gone", "/ask")
    )


def _own_stage(work: Work, token: str) -> Stage:
    row = row_of_link(work, Stage.objects.filter(tournament=work.tournament), token, "stage")
    if "open" not in row.source:
        raise Forbidden(work.action)
    refuse_if(
        row.state != Stage.State.RUNNING, Fault("stage_not_running", "/stage", {"state": str(row.state)})
    )
    return row


def _own_table(work: Work, token: str) -> Table:
    tables = Table.objects.select_related("stage__tournament").filter(stage__tournament=work.tournament)
    row = row_of_link(work, tables, token, "table")
    refuse_if(
        row.stage.state != Stage.State.RUNNING,
        Fault("stage_not_running", "/table", {"state": str(row.stage.state)}),
    )
    return row


# ---- Referees' answers to results proposed by players ----

RECORDS: ByKind[Callable[..., Receipt]] = ByKind(
    "actions/table/at_table.py",
    {
        Stage.Kind.SESSION: record_game,
        Stage.Kind.HEATS: record_heat,
        Stage.Kind.MATCH: record_round,
        Stage.Kind.FINAL: record_round,
        Stage.Kind.RACE: record_round,
        Stage.Kind.RACES: record_round,
    },
)


@action(least="table_referee", says=_("accepted a proposed result"), undo="at_table")
def accept_proposal(work: Work, *, proposal: UUID, result: Mapping[str, Any]) -> None:
    """Enter a proposed result as referee; `result` has the arguments of `record_round`, `record_heat` or
    `record_game`. It counts as confirmed: two parties agree. Refused `proposal_gone`, or as when
    entering it directly."""
    row = _waiting(work, proposal)
    table = open_table(work, row.table.uid)
    record = RECORDS[table.stage.kind]
    arguments = {**result, "table": table.uid, "play": row.play, "number": row.number}
    try:
        signature(record).bind(None, **arguments)
    except TypeError:
        raise Refused(Fault("malformed", "/result")) from None
    do_within(work, record, **arguments)
    work.update(row, state=State.ACCEPTED)
    entered = plays_in(Play.objects.filter(uid=row.play))[0]
    if entered.second_look:
        accept(work, table, entered)


@action(least="table_referee", says=_("declined a proposed result"), undo="at_table")
def decline_proposal(work: Work, *, proposal: UUID, reason: str) -> None:
    """Decline a proposal. Refused `proposal_gone`."""
    row = _waiting(work, proposal)
    work.because(reason)
    work.update(row, state=State.DECLINED)
    work.readers_of(row.table.stage)


def _waiting(work: Work, proposal: UUID) -> Proposal:
    waiting = Proposal.objects.filter(table__stage__tournament=work.tournament, state=State.WAITING)
    return or_refuse(
        waiting.select_related("table__stage").filter(uid=proposal).first(),
        Fault("proposal_gone", "/proposal"),
    )


# ---- Who is entering something at a table now ----

WARN_FOR = timedelta(seconds=30)  # since the last sign
KEEP_FOR = timedelta(hours=1)  # a game


def say_entering(user: User, device: str, table: Table, game: str = "") -> None:
    """Note that this device enters something, or times this game."""
    now = timezone.now()
    with writing():
        Typing.objects.filter(at__lt=now - KEEP_FOR).delete()
        Typing.objects.update_or_create(
            table=table, device=device, defaults={"user": user, "at": now, "game": game}
        )


def say_done(device: str, table: Table) -> None:
    """Note that this device sent or closed its form."""
    with writing():
        Typing.objects.filter(table=table, device=device).delete()


def entering_elsewhere(device: str, table: Table, within: timedelta = WARN_FOR) -> list[Typing]:
    """Other devices that are entering, with users, latest first."""
    others = Typing.objects.filter(table=table, at__gte=timezone.now() - within).exclude(device=device)
    return list(others.select_related("user").order_by("-at"))
