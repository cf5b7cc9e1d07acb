"""Seats and roles at tables."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import (
    UNCHANGED,
    Room,
    Unchanged,
    Work,
    action,
    keep_draw,
    or_refuse,
    players_to_seat,
    refuse,
    refuse_if,
    table_named,
)
from tournament.models import Apart, Entry, Seat, Stage, Table, Tournament
from tournament.queries.draws import changed_since
from tournament.results import Fault

__all__ = ["keep_apart", "name_roles", "no_longer_apart", "seat_stage", "seat_table"]


@action(least="organiser", says=_("seated the players at a table"), undo="ledger")
def seat_table(work: Work, *, stage: UUID, table: UUID, number: int, entries: Sequence[UUID]) -> None:
    """Seat `entries` at a table, clockwise; a new uid creates the table. Once play began seats are fixed, in a session
    only during a game. Refused `table_has_begun`, `game_running_here`, `seated_elsewhere`, `number_taken`,
    `duplicate_player`, `already_out`."""
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
    """Seat a whole stage: `{"number", "entries"}` per table, clockwise. Unnamed tables are removed, unchanged ones
    stay even if begun.

    `seed` is stored as note, `draw` is the record (`DrawRecord.as_json`; {}: not drawn). `seen` is an optimistic lock
    (`seats_text`; "": none). Refused as `seat_table`, `table_twice`, `table_has_begun` for unnamed tables,
    `seats_changed`.
    """
    row, numbers = stage_named(work, stage), [int(given["number"]) for given in tables]
    work.note = seed
    refuse(
        Fault("table_twice", f"/tables/{index}/number", {"table": number})
        for index, number in enumerate(numbers)
        if number in numbers[:index]
    )
    seat_tables(
        work,
        row,
        {number: list(given["entries"]) for number, given in zip(numbers, tables, strict=True)},
        seen,
        work.ready,
    )
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
    """Set oldest and youngest (KPGUT) and the starter. Refused `not_seated`, `same_player`."""
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
    """Seat a whole stage, entries by table number; see `seat_stage`. `read` before the lock."""
    work.readers_of(stage)
    room, present = read or (Room.of(stage), players_to_seat(work.tournament))
    now = {number: room.seated(table) for number, table in room.tables.items()}
    out = {seat.entry.uid for seats in room.seats.values() for seat in seats if seat.out_as}
    out -= {uid for players in now.values() for uid in players}
    refuse_if(seen and changed_since(seen, now, present.keys() - out), Fault("seats_changed"))
    changed = [number for number, entries in sorted(wanted.items()) if now.get(number) != list(entries)]
    gone = [table for number, table in room.tables.items() if number not in wanted]
    for table in gone:
        with work.faults:
            room.refuse_begun(table, table.number, gone=True)
    taken = {
        uid
        for number, table in room.tables.items()
        if number in wanted and number not in changed
        for uid in room.seated(table)
    }
    for number in changed:
        with work.faults:
            room.refuse_begun(room.tables.get(number), number)
            room.refuse_running(room.tables.get(number), wanted[number], present)
            room.check(number, wanted[number], present, taken)
        taken.update(wanted[number])
    refuse(work.faults)
    room.seat(
        work,
        [
            (room.tables.get(number) or Table(stage=stage, number=number), wanted[number])
            for number in changed
        ],
        present,
    )
    room.take_away(work, gone)


def seat_at(work: Work, stage: Stage, uid: UUID, number: int, entries: Sequence[UUID]) -> None:
    """See `seat_table`."""
    found = Table.objects.filter(uid=uid).values_list("stage_id", flat=True).first()
    refuse_if(found is not None and found != stage.pk, Fault("unknown_table", "/table"))
    work.readers_of(stage)
    room = Room.of(stage)
    table = next((table for table in room.tables.values() if table.uid == uid), None)
    room.refuse_begun(table, number)
    refuse_if(
        number in room.tables and room.tables[number] is not table,
        Fault("number_taken", f"/tables/{number}", {"table": number}),
    )
    present = players_to_seat(work.tournament)
    room.refuse_running(table, entries, present)
    others = (other for other in room.tables.values() if other is not table)
    room.check(number, entries, present, {seated for other in others for seated in room.seated(other)})
    room.seat(work, [(table or Table(uid=uid, stage=stage, number=number), entries)], present)


# ---- Separated pairs ----


@action(least="organiser", says=_("separated two players"), undo="ledger")
def keep_apart(work: Work, *, first: UUID, second: UUID) -> None:
    """Seat two players apart from the next draw on. Refused `same_two`, `apart_already`."""
    here = Entry.objects.taking_part().filter(tournament=work.tournament)
    entries = here.in_bulk([first, second], field_name="uid")
    refuse(
        Fault("unknown_player", f"/{place}", {"player": str(uid)})
        for place, uid in (("first", first), ("second", second))
        if uid not in entries
    )
    refuse_if(first == second, Fault("same_two", "/second"))
    one, other = entries[first], entries[second]
    refuse_if(
        Apart.objects.filter(Q(first=one, second=other) | Q(first=other, second=one)).exists(),
        Fault("apart_already", "/second"),
    )
    work.add(Apart(tournament=work.tournament, first=one, second=other))


@action(least="organiser", says=_("let two players share a table again"), undo="ledger")
def no_longer_apart(work: Work, *, pair: UUID) -> None:
    """End a separation."""
    pairs = Apart.objects.filter(tournament=work.tournament, uid=pair)
    work.delete(or_refuse(pairs.first(), Fault("unknown_pair", "/pair")))
