"""Bulk seating in a constant number of queries: read, validate, write."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.db.models import F, Max

from tournament.actions.kernel.work import Work, first_wrong
from tournament.models import (
    Call,
    Draw,
    Entry,
    Incident,
    Membership,
    Play,
    Proposal,
    Seat,
    Stage,
    Table,
    Tournament,
)
from tournament.queries.stage_rules import oldest_and_youngest
from tournament.results import Fault, kind_of, refuse, refuse_if
from tournament.seating import MOST_TABLES

_ASIDE = 10_000  # offset of seat positions, to make room


@dataclass
class Room:
    """The present seating of a stage."""

    stage: Stage
    tables: dict[int, Table]  # by number
    seats: dict[int, list[Seat]] = field(default_factory=dict)  # by table key, clockwise
    begun: set[int] = field(default_factory=set)  # keys of tables with plays or incidents but removals
    running: set[int] = field(default_factory=set)  # keys of tables with a running game

    @classmethod
    def of(cls, stage: Stage) -> "Room":
        rows = Table.objects.filter(stage=stage).select_related(*Table.ROLES)
        room = cls(stage, {table.number: table for table in rows.order_by("number")})
        for table in room.tables.values():
            table.stage = stage
        here = {table.pk: table for table in room.tables.values()}
        for seat in Seat.objects.filter(table__stage=stage).select_related("entry").order_by("position"):
            seat.table = here[seat.table_id]
            room.seats.setdefault(seat.table_id, []).append(seat)
        plays = Play.objects.filter(table__stage=stage).order_by()
        incidents = (
            Incident.objects.filter(table__stage=stage).exclude(kind=Incident.Kind.EJECTION).order_by()
        )
        room.begun = set(plays.values_list("table_id", flat=True).union(incidents.values_list("table_id")))
        if room.begun:
            room.running = set(plays.filter(state=Play.State.RUNNING).values_list("table_id", flat=True))
        return room

    def seated(self, table: Table | None) -> list[UUID]:
        """Entries at the table, clockwise, without those out."""
        return [] if table is None else [seat.entry.uid for seat in self._seats(table) if not seat.out_as]

    def refuse_begun(self, table: Table | None, number: int, *, gone: bool = False) -> None:
        """Refuse to change or remove (`gone`) a table after play began; a session's may change between games."""
        number = table.number if table else number
        begun = table is not None and table.pk in self.begun
        refuse_if(
            self.stage.state == Stage.State.FINISHED
            or (begun and (gone or not kind_of(self.stage.kind).seats_change)),
            Fault("table_has_begun", f"/tables/{number}", {"table": number}),
        )

    def refuse_running(self, table: Table | None, entries: Sequence[UUID], present: Collection[UUID]) -> None:
        """Refuse to move players during a game; latecomers may sit behind them."""
        if table is None or table.pk not in self.running:
            return
        stay = [uid for uid in self.seated(table) if uid in present]
        refuse_if(
            list(entries[: len(stay)]) != stay,
            Fault("game_running_here", f"/tables/{table.number}", {"table": table.number}),
        )

    def check(
        self, number: int, entries: Sequence[UUID], present: Mapping[UUID, Entry], elsewhere: Collection[UUID]
    ) -> None:
        """Refuse players who cannot sit at this table; `elsewhere` sit at another one."""
        refuse_if(not 1 <= number <= MOST_TABLES, Fault("malformed", "/number", {"number": number}))
        alone = self.stage.state == Stage.State.RUNNING and not kind_of(self.stage.kind).seats_change
        refuse_if(alone and len(entries) < 2, Fault("too_few_players", f"/tables/{number}", {"least": 2}))
        first = {entry: place for place, entry in reversed(list(enumerate(entries)))}
        refuse(
            Fault(code, f"/entries/{entry}", {"player": str(entry), "table": number})
            for place, entry in enumerate(entries)
            if (
                code := first_wrong(
                    duplicate_player=first[entry] < place,
                    unknown_player=entry not in present,
                    seated_elsewhere=entry in elsewhere,
                )
            )
        )

    def seat(
        self, work: Work, places: Sequence[tuple[Table, Sequence[UUID]]], present: Mapping[UUID, Entry]
    ) -> None:
        """Store seats, clockwise, and new tables. Players who are out go behind, unless reseated."""
        Table.objects.bulk_create([table for table, _entries in places if table.pk is None])
        work.changed(*(table for table, _entries in places))
        freed: list[Seat] = []
        behind: list[Seat] = []
        taken: list[Seat] = []
        for table, entries in places:
            kept: dict[UUID, UUID] = {}
            position = len(entries)
            for seat in self._seats(table):
                if seat.out_as and seat.entry.uid not in entries:
                    position += 1
                    seat.position = position
                    behind.append(seat)
                else:
                    kept[seat.entry.uid] = seat.uid
                    freed.append(seat)
            taken += [
                Seat(uid=kept.get(uid) or uuid4(), table=table, entry=present[uid], position=place)
                for place, uid in enumerate(entries, 1)
            ]
        self._free(work, freed)
        if behind:
            Seat.objects.filter(pk__in=[seat.pk for seat in behind]).update(position=F("position") + _ASIDE)
            Seat.objects.bulk_update(behind, ["position"])
        Seat.objects.bulk_create(taken)
        work.changed(*taken, *behind)
        self._name_roles(places, present)

    def take_away(self, work: Work, tables: Iterable[Table]) -> None:
        """Delete tables with seats, roles, calls and proposals; their removals stay."""
        rows = list(tables)
        if not rows:
            return
        work.update_all((removal, {"table": None}) for removal in Incident.objects.filter(table__in=rows))
        self._free(work, [seat for table in rows for seat in self._seats(table)])
        work.deleted(*Membership.objects.filter(table__in=rows))
        for asked in (*Call.objects.filter(table__in=rows), *Proposal.objects.filter(table__in=rows)):
            work.delete(asked)
        work.deleted(*rows)
        Table.objects.filter(pk__in=[table.pk for table in rows]).delete()  # cascades to roles

    def _seats(self, table: Table) -> list[Seat]:
        return self.seats.get(table.pk, [])

    def _free(self, work: Work, seats: Sequence[Seat]) -> None:
        work.deleted(*seats)
        if seats:
            Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()

    def _name_roles(
        self, places: Sequence[tuple[Table, Sequence[UUID]]], present: Mapping[UUID, Entry]
    ) -> None:
        """In a session, oldest and youngest follow from birth dates if all are known."""
        moved = []
        for table, entries in places:
            before = [getattr(table, f"{role}_id") for role in Table.ROLES]
            seated = {present[uid].pk for uid in entries}
            for role in Table.ROLES:
                if getattr(table, f"{role}_id") not in seated:
                    setattr(table, role, None)
            by_age = oldest_and_youngest([present[uid] for uid in entries])
            if by_age and kind_of(self.stage.kind).timed:
                table.oldest, table.youngest = by_age
            if before != [getattr(table, f"{role}_id") for role in Table.ROLES]:
                moved.append(table)
        Table.objects.bulk_update(moved, Table.ROLES)


def keep_draw(work: Work, stage: Stage, record: Mapping[str, Any]) -> None:
    """Store the draw of the seats; {}: not drawn."""
    last = Draw.objects.filter(stage=stage).aggregate(last=Max("number"))["last"] or 0
    work.changed(Draw.objects.create(stage=stage, number=last + 1, record=dict(record)))


def players_to_seat(tournament: Tournament) -> dict[UUID, Entry]:
    """Entries that can be seated, by uid, with players."""
    entries = Entry.objects.filter(tournament=tournament).to_seat().select_related("player")
    return {entry.uid: entry for entry in entries}
