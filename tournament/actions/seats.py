"""Seats: who sits where, and who is who at a table."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from tournament.actions._plays import table_named
from tournament.actions._work import Work, action
from tournament.actions.stages import stage_named
from tournament.faults import Fault, Refused
from tournament.models import Entry, Membership, Seat, Stage, Table, Tournament

MOST_TABLES = 999  # in a stage


@action
def seat_table(work: Work, *, stage: UUID, table: UUID, number: int, entries: Sequence[UUID]) -> None:
    """Seat these players at a table, clockwise; a table of a new uid is set up with that number.

    In a session the seats may change between games; elsewhere they stay once the table has begun. Raises
    Refused `table_has_begun`, `seated_elsewhere`, `number_taken`, `unknown_player`, `duplicate_player`,
    `already_out`.
    """
    row = stage_named(work, stage)
    seat_at(work, row, table, number, entries)


@action
def seat_stage(work: Work, *, stage: UUID, tables: Sequence[Mapping[str, Any]], seed: str = "") -> None:
    """Seat the whole stage in one step: `{"number", "entries"}` for each table, its players clockwise.

    A table of a new number is set up, one that is not named is taken away. Tables whose seats stay as they are are left
    alone, also those that have begun. `seed` is that of the draw which gave these seats, if it was one; it is kept as
    the row's note. Raises Refused as `seat_table`, and `table_has_begun` for one that is not named.
    """
    row = stage_named(work, stage)
    work.note = seed
    work.readers_of(row)
    wanted = {int(given["number"]): list(given["entries"]) for given in tables}
    existing = {table.number: table for table in Table.objects.filter(stage=row).select_related("stage")}
    seated = {number: _seated(table) for number, table in existing.items()}
    changed = [number for number, entries in wanted.items() if seated.get(number) != entries]
    for number, table in existing.items():
        if number in changed or number not in wanted:
            _refuse_begun(row, table, gone=number not in wanted)
            clear_seats(work, table, keep_out=number in wanted)
    for number in sorted(changed):
        uid = existing[number].uid if number in existing else uuid4()
        seat_at(work, row, uid, number, wanted[number])
    for number, table in existing.items():
        if number not in wanted:
            take_away(work, table)


@action
def name_roles(
    work: Work,
    *,
    table: UUID,
    oldest: UUID | None = None,
    youngest: UUID | None = None,
    starter: UUID | None = None,
) -> None:
    """Say who is oldest and youngest at the table (KPGUT), and whom the card draw made the starter.

    Raises Refused `not_seated` for somebody who does not sit there, `same_player` for one who is both.
    """
    row = table_named(work, table)
    seated = {seat.entry.uid: seat.entry for seat in Seat.objects.filter(table=row).select_related("entry")}
    named = {"oldest": oldest, "youngest": youngest, "starter": starter}
    faults = [
        Fault("not_seated", f"/{role}") for role, entry in named.items() if entry and entry not in seated
    ]
    if oldest and oldest == youngest:
        faults.append(Fault("same_player", "/youngest"))
    if faults:
        raise Refused(*faults)
    for role, entry in named.items():
        setattr(row, role, seated[entry] if entry else None)
    row.save(update_fields=list(named))
    work.changed(row)
    work.readers_of(row.stage)


def seat_at(work: Work, stage: Stage, uid: UUID, number: int, entries: Sequence[UUID]) -> None:
    """See `seat_table`."""
    table = Table.objects.filter(uid=uid).select_related("stage").first()
    if table and table.stage_id != stage.pk:
        raise Refused(Fault("unknown_table", "/table"))
    _refuse_begun(stage, table, number=number)
    if not 1 <= number <= MOST_TABLES:
        raise Refused(Fault("malformed", "/number", {"number": number}))
    if stage.state == Stage.State.RUNNING and stage.kind != Stage.Kind.SESSION and len(entries) < 2:
        raise Refused(Fault("too_few_players", f"/tables/{number}", {"least": 2}))
    if Table.objects.filter(stage=stage, number=number).exclude(uid=uid).exists():
        raise Refused(Fault("number_taken", f"/tables/{number}", {"table": number}))
    rows = {entry.uid: entry for entry in present_in(work.tournament)}
    elsewhere = set(
        Seat.objects.filter(table__stage=stage, out_as="")
        .exclude(table__uid=uid)
        .values_list("entry__uid", flat=True)
    )
    faults = [
        Fault(code, f"/entries/{entry}", {"player": str(entry), "table": number})
        for index, entry in enumerate(entries)
        for code in [_unseatable(entry, rows, elsewhere, again=entry in entries[:index])]
        if code
    ]
    if faults:
        raise Refused(*faults)
    if table is None:
        table = Table.objects.create(uid=uid, stage=stage, number=number)
    work.changed(table)
    work.readers_of(stage)
    kept = clear_seats(work, table, keep_out=True, again=entries)
    seats = [
        Seat(uid=kept.get(entry, uuid4()), table=table, entry=rows[entry], position=position)
        for position, entry in enumerate(entries, 1)
    ]
    Seat.objects.bulk_create(seats)
    work.changed(*seats)
    for position, seat in enumerate(
        Seat.objects.filter(table=table).exclude(out_as="").order_by("position"), 1
    ):
        work.changed(seat)
        Seat.objects.filter(pk=seat.pk).update(position=len(seats) + position)
        seat.position = len(seats) + position
    out = {role for role in ("oldest", "youngest", "starter") if _gone(getattr(table, role), entries)}
    for role in out:
        setattr(table, role, None)
    table.save(update_fields=["oldest", "youngest", "starter"])


def _refuse_begun(stage: Stage, table: Table | None, *, number: int = 0, gone: bool = False) -> None:
    """Seats stay once the table has begun, but for a session's, which may change between games; a table at which
    anything was played is never taken away (`gone`)."""
    number = table.number if table else number
    begun = table is not None and table.plays.exists()
    if stage.state == Stage.State.FINISHED or (begun and (gone or stage.kind != Stage.Kind.SESSION)):
        raise Refused(Fault("table_has_begun", f"/tables/{number}", {"table": number}))


def _seated(table: Table) -> list[UUID]:
    """Who sits at the table, clockwise, without those who are out."""
    seats = Seat.objects.filter(table=table, out_as="").order_by("position")
    return list(seats.values_list("entry__uid", flat=True))


def take_away(work: Work, table: Table) -> None:
    """Delete a table without seats, and the roles that people had at it."""
    for membership in Membership.objects.filter(table=table):
        work.deleted(membership)
        membership.delete()
    work.deleted(table)
    table.delete()


def _gone(entry: Entry | None, entries: Sequence[UUID]) -> bool:
    return entry is not None and entry.uid not in entries


def clear_seats(
    work: Work, table: Table, *, keep_out: bool = False, again: Sequence[UUID] = ()
) -> dict[UUID, UUID]:
    """Empty the seats (those of players who are out stay, out of the way, but for who is seated `again`); gives each
    entry's seat uid."""
    seats = Seat.objects.filter(table=table).select_related("entry")
    kept: dict[UUID, UUID] = {}
    for seat in seats:
        if keep_out and seat.out_as and seat.entry.uid not in again:
            Seat.objects.filter(pk=seat.pk).update(position=seat.position + 1000)
            continue
        kept[seat.entry.uid] = seat.uid
        work.deleted(seat)
        seat.delete()
    return kept


def _unseatable(entry: UUID, present: Mapping[UUID, Entry], elsewhere: set[UUID], *, again: bool) -> str:
    if again:
        return "duplicate_player"
    if entry not in present:
        return "unknown_player"
    return "seated_elsewhere" if entry in elsewhere else ""


def present_in(tournament: Tournament) -> list[Entry]:
    """Everybody who can be given a seat."""
    return list(Entry.objects.filter(tournament=tournament).to_seat().select_related("player"))
