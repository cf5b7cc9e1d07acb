"""Seats: who sits where, and the roles at a table."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import (
    UNCHANGED,
    Room,
    Unchanged,
    Work,
    action,
    keep_draw,
    players_to_seat,
    refuse,
    refuse_if,
    table_named,
)
from tournament.models import Entry, Seat, Stage, Table, Tournament
from tournament.queries.seats_seen import changed_since
from tournament.results import Fault, Refused

__all__ = ["name_roles", "seat_stage", "seat_table"]


@action(least="organiser", says=_("seated the players at a table"), undo="ledger")
def seat_table(work: Work, *, stage: UUID, table: UUID, number: int, entries: Sequence[UUID]) -> None:
    """Seat these players at a table, clockwise; a table with a new uid is created with that number.

    In a session the seats may change between games; elsewhere they stay once play at the table has begun. Raises
    Refused `table_has_begun`, `game_running_here`, `seated_elsewhere`, `number_taken`, `unknown_player`,
    `duplicate_player`, `already_out`.
    """
    seat_at(work, stage_named(work, stage), table, number, entries)


def _read(tournament: Tournament, *, stage: UUID, **_given: object) -> tuple[Room, dict[UUID, Entry]] | None:
    row = Stage.objects.filter(tournament=tournament, uid=stage).first()
    return (Room.of(row), players_to_seat(tournament)) if row else None


@action(least="organiser", says=_("seated the players of a stage"), undo="ledger", bulk=True, ahead=_read)
def seat_stage(
    work: Work,
    *,
    stage: UUID,
    tables: Sequence[Mapping[str, Any]],
    seed: str = "",
    draw: Mapping[str, Any] | None = None,
    seen: str = "",
) -> None:
    """Seat the whole stage in one step: `{"number", "entries"}` for each table, its players clockwise.

    Tables with a new number are created, tables that are not named are removed. Tables with unchanged seats are not
    touched, even if play there has begun. `seed` is the seed of the draw that gave these seats, if any; it is stored as
    the row's note. `draw` is the draw's record (`tournament.seating.DrawRecord.as_json()`), stored as the last draw of
    the stage; {} says that these seats no longer follow from a draw. `seen` is what the person saw of the seats before
    choosing these (`seats_seen.seats_text`). Raises Refused as `seat_table`, `table_has_begun` for a table that is not
    named, and `seats_changed` if the seats are not as seen.
    """
    row = stage_named(work, stage)
    work.note = seed
    wanted = {int(given["number"]): list(given["entries"]) for given in tables}
    seat_tables(work, row, wanted, seen, work.ready)
    if draw is not None:
        keep_draw(work, row, draw)


@action(least="table_referee", says=_("named the roles at a table"), undo="at_table")
def name_roles(
    work: Work,
    *,
    table: UUID,
    oldest: UUID | Unchanged | None = UNCHANGED,
    youngest: UUID | Unchanged | None = UNCHANGED,
    starter: UUID | Unchanged | None = UNCHANGED,
) -> None:
    """Set who is oldest and youngest at the table (KPGUT), and whom the card draw made the starter.

    Raises Refused `not_seated` for a player who does not sit there, `same_player` for one player who is both.
    """
    row = table_named(work, table)
    seated = {seat.entry.uid: seat.entry for seat in Seat.objects.filter(table=row).select_related("entry")}
    roles = {"oldest": oldest, "youngest": youngest, "starter": starter}
    named = {role: uid for role, uid in roles.items() if uid is not UNCHANGED}
    refuse(Fault("not_seated", f"/{role}") for role, uid in named.items() if uid and uid not in seated)
    for role, uid in named.items():
        setattr(row, role, seated[uid] if uid else None)
    refuse_if(row.oldest and row.oldest == row.youngest, Fault("same_player", "/youngest"))
    work.save(row, *Table.ROLES)
    work.readers_of(row.stage)


def seat_tables(
    work: Work,
    stage: Stage,
    wanted: Mapping[int, Sequence[UUID]],
    seen: str = "",
    read: tuple[Room, dict[UUID, Entry]] | None = None,
) -> None:
    """Seat the whole stage, the players of each table by its number; see `seat_stage`."""
    work.readers_of(stage)
    room, present = read or (Room.of(stage), players_to_seat(work.tournament))
    _refuse_changed(room, seen, present)
    changed = [
        number
        for number, entries in sorted(wanted.items())
        if number not in room.tables or room.seated(room.tables[number]) != list(entries)
    ]
    gone = [table for number, table in room.tables.items() if number not in wanted]
    for number, table in room.tables.items():
        if number in changed or number not in wanted:
            room.refuse_begun(table, number, gone=number not in wanted)
    taken = {
        uid
        for number, table in room.tables.items()
        if number in wanted and number not in changed
        for uid in room.seated(table)
    }
    for number in changed:
        room.refuse_begun(room.tables.get(number), number)
        room.refuse_running(room.tables.get(number), wanted[number], present)
        room.check(number, wanted[number], present, taken)
        taken.update(wanted[number])
    room.seat(
        work,
        [
            (room.tables.get(number) or Table(stage=stage, number=number), wanted[number])
            for number in changed
        ],
        present,
    )
    room.take_away(work, gone)


def _refuse_changed(room: Room, seen: str, present: Collection[UUID]) -> None:
    """Refuse to write over seats that are not as they were `seen` ("": nobody looked)."""
    now = {number: room.seated(table) for number, table in room.tables.items()}
    out = {seat.entry.uid for seats in room.seats.values() for seat in seats if seat.out_as}
    sitting = {uid for players in now.values() for uid in players}
    refuse_if(seen and changed_since(seen, now, set(present) - (out - sitting)), Fault("seats_changed"))


def seat_at(work: Work, stage: Stage, uid: UUID, number: int, entries: Sequence[UUID]) -> None:
    """See `seat_table`."""
    found = Table.objects.filter(uid=uid).values_list("stage_id", flat=True).first()
    refuse_if(found is not None and found != stage.pk, Fault("unknown_table", "/table"))
    work.readers_of(stage)
    room = Room.of(stage)
    table = next((table for table in room.tables.values() if table.uid == uid), None)
    room.refuse_begun(table, number)
    if number in room.tables and room.tables[number] is not table:
        raise Refused(Fault("number_taken", f"/tables/{number}", {"table": number}))
    present = players_to_seat(work.tournament)
    room.refuse_running(table, entries, present)
    others = (other for other in room.tables.values() if other is not table)
    room.check(number, entries, present, {seated for other in others for seated in room.seated(other)})
    room.seat(work, [(table or Table(uid=uid, stage=stage, number=number), entries)], present)
