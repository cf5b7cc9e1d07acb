"""Departures: the contest in which players are out of their table from a play on."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from tournament.models import Entry, Seat, Table
from tournament.results.bridge import Contest, SeatFacts
from tournament.results.faults import Fault, Refused

# How the seats say that somebody is out of the event. The standings know no difference between leaving and not coming.
OUT_AS = {
    Entry.State.DISQUALIFIED: Seat.OutAs.REMOVED,
    Entry.State.LEFT: Seat.OutAs.WITHDRAWN,
    Entry.State.NO_SHOW: Seat.OutAs.WITHDRAWN,
}


def with_departures(
    contest: Contest, table: Table, number: int, departures: Mapping[UUID, str], *, editing: bool
) -> Contest:
    """The contest in which these players are out of this table from play `number` on, or from before where they were
    out already; when a play is edited, players who were out from it and are not named are back.

    Raises Refused `unknown_player` for somebody without a seat here, `already_out` for who was out before otherwise.
    """
    here = {seat.entry: seat for seat in contest.seats if seat.table == table.number}
    faults = [
        Fault(code, f"/{how}/{entry}", {"player": str(entry)})
        for entry, how in departures.items()
        for code in [_not_leaving(here.get(entry), number, how)]
        if code
    ]
    if faults:
        raise Refused(*faults)

    def seated(seat: SeatFacts) -> SeatFacts:
        if seat.table != table.number or (seat.out_from or number) < number:
            return seat
        if seat.entry in departures:
            return replace(seat, out_as=departures[seat.entry], out_from=number)
        return replace(seat, out_as="", out_from=None) if editing and seat.out_from == number else seat

    return replace(contest, seats=tuple(seated(seat) for seat in contest.seats))


def _not_leaving(seat: SeatFacts | None, number: int, how: str) -> str:
    if seat is None:
        return "unknown_player"
    was_out = seat.out_from is not None and seat.out_from < number
    return "already_out" if was_out and seat.out_as != how else ""
