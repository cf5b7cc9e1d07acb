"""Seat lists on paper: a page for each table, and who sits where for the door."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.models import Entry, Membership, Seat, Stage, Table
from tournament.queries.ages import known_by_age
from tournament.queries.table_setup import needs_of, taken_out
from tournament.queries.table_setup_words import decks_text, players_text, start_text, taken_out_text
from tournament.views._access import get_stage, signed_in
from tournament.views._answer import page
from tournament.views._paper_size import on_paper, paper_context
from tournament.words.text import in_alphabet


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page of one table: its number, who sits there clockwise, what it needs, and by age who is who."""

    number: int
    entries: Sequence[Entry]
    players: str
    decks: str
    by_age: bool
    oldest: Entry | None
    youngest: Entry | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody sits."""

    entry: Entry
    table: int
    seat: int


@signed_in
@require_safe
def seats_print(request: HttpRequest, stage: UUID) -> HttpResponse:
    """The seats of a stage, to be printed."""
    row = get_stage(request, stage, Membership.Role.HEAD_REFEREE)
    tables = _tables(row)
    places = [
        Place(entry, table.number, seat) for table, entries in tables for seat, entry in enumerate(entries, 1)
    ]
    with on_paper(request, row.tournament):
        context = {
            **paper_context(request, row.tournament),
            "stage": row,
            "sheets": [_sheet(row, table, entries) for table, entries in tables],
            "places": sorted(
                places,
                key=lambda place: (
                    in_alphabet(place.entry.public_name, row.tournament.language),
                    place.table,
                ),
            ),
            "start": start_text(row.tournament.ruleset),
            "taken_out": taken_out_text(taken_out(row)),
        }
    return page(request, "organiser/seats_print.html", context, row.tournament)


def _tables(stage: Stage) -> list[tuple[Table, list[Entry]]]:
    """The tables with who sits there, without those who are out."""
    rows = Table.objects.filter(stage=stage).select_related("oldest", "youngest").order_by("number")
    tables: dict[int, tuple[Table, list[Entry]]] = {table.pk: (table, []) for table in rows}
    seats = Seat.objects.playing_on().filter(table__stage=stage).select_related("entry__player")
    for seat in seats.order_by("position"):
        tables[seat.table_id][1].append(seat.entry)
    return [(table, entries) for table, entries in tables.values() if entries]


def _sheet(stage: Stage, table: Table, entries: Sequence[Entry]) -> Sheet:
    needs = needs_of(stage, len(entries))
    oldest, youngest = known_by_age(table, entries)
    return Sheet(
        table.number,
        entries,
        players_text(needs.players),
        decks_text(needs),
        needs.by_age,
        oldest,
        youngest,
    )
