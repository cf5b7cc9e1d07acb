"""Earlier versions of a play, as the ledger keeps them: what going back to one makes of its contest. Reads only."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from tournament.actions.kernel.plays import refuse_second
from tournament.actions.kernel.refusing import or_refuse
from tournament.models import Entry, LedgerRow, Play, Table
from tournament.models.states import PLAY, can
from tournament.results.bridge import Contest, PlayerFacts, in_start_order
from tournament.results.facts import PlayFacts
from tournament.results.faults import Fault, Refused
from tournament.results.kinds import kind_of
from tournament.results.settle import with_departures

State = Play.State


def back_to(table: Table, contest: Contest, current: PlayFacts, to: int) -> tuple[Contest, PlayFacts]:
    """The play as the ledger row `to` left it, and the contest in which those are out from it on who were so then.

    It is void where it was void, and counts otherwise; whether a second person accepts it is not turned back.

    Raises Refused `unknown_version` for a row that did not write this play, `version_running` for a game that was not
    over then, `same_version` where nothing would change, `game_running`, `heat_recorded`.
    """
    if not can(PLAY, current.state, "revert"):
        raise Refused(Fault("game_running", "/play"))
    then = _version(table, current, to)
    if then.state == State.RUNNING:
        raise Refused(Fault("version_running", "/to"))
    offered = replace(
        then,
        table=current.table,
        number=current.number,
        state=State.VOID if then.state == State.VOID else State.ENTERED,
        second_look=current.second_look,
        version=current.version,
    )
    if offered.state != State.VOID:
        refuse_second(contest, current, "/play")
    after = contest
    if not kind_of(contest.kind).seats_change:  # in a session players leave between games, not in one
        after = with_departures(
            contest, table, current.number, _departures(table, current.number, to), editing=True
        )
    if _said(offered) == _said(current) and after.seats == contest.seats:
        raise Refused(Fault("same_version", "/to"))
    return _with_players(after, offered), offered


def _version(table: Table, current: PlayFacts, to: int) -> PlayFacts:
    rows = LedgerRow.objects.filter(tournament=table.stage.tournament, sequence=to)
    payload = rows.values_list("payload", flat=True).first() or {}
    facts = or_refuse(payload.get("play", {}).get(str(current.uid)), Fault("unknown_version", "/to"))
    return PlayFacts.from_json(str(current.uid), facts)


def _departures(table: Table, number: int, to: int) -> dict[UUID, str]:
    """Who was out from this play on, and as what, when the row `to` was written."""
    return {
        UUID(seat["entry"]): seat["out_as"]
        for seat in _latest(table, "seat", to).values()
        if seat["table"] == str(table.uid) and seat["out_from"] == number
    }


def states_at(table: Table, to: int) -> dict[UUID, str]:
    """The state of everybody in the tournament when the row `to` was written."""
    return {UUID(uid): facts["state"] for uid, facts in _latest(table, "entry", to).items()}


def _latest(table: Table, kind: str, to: int) -> Mapping[str, Any]:
    rows = LedgerRow.objects.filter(
        tournament=table.stage.tournament, sequence__lte=to, payload__has_key=kind
    ).order_by("sequence")
    latest: dict[str, Any] = {}
    for payload in rows.values_list("payload", flat=True):
        latest |= payload[kind]
    return {uid: facts for uid, facts in latest.items() if facts is not None}


def _said(play: PlayFacts) -> Any:
    """What a play says, but for its uids and whether it may count."""
    rows = {row.entry: (row.outcome, row.elapsed_s, dict(row.hand), row.finish) for row in play.results}
    more = (play.ended, play.duration_s, play.decks, dict(play.last_cards), play.drew, play.advance)
    return play.state == State.VOID, rows, more


def _with_players(contest: Contest, play: PlayFacts) -> Contest:
    """The session with those players of the game who have no part in it any more; of matches and heats only those who
    sit there play."""
    missing = {row.entry for row in play.results} - {player.entry for player in contest.players}
    if not kind_of(contest.kind).seats_change or not missing:
        return contest
    entries = Entry.objects.filter(uid__in=missing)
    found = [PlayerFacts(entry.uid, entry.public_name, entry.start_number) for entry in entries]
    return replace(contest, players=in_start_order([*contest.players, *found]))
