"""Printed seats: per table, and for the door by name or table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from tournament.extras.printing.views.prints import on_paper, players_at
from tournament.models import Entry, Membership, Seat, Stage, Table
from tournament.queries.stage_rules import (
    decks_text,
    known_by_age,
    needs_of,
    players_text,
    start_text,
    taken_out_text,
)
from tournament.views import get_stage, page, signed_in_page
from tournament.views.organiser.on_paper import paper_context
from tournament.words.text import in_alphabet


@dataclass(frozen=True, slots=True)
class Place:
    entry: Entry
    table: int
    seat: int


@signed_in_page
def seats_print(request: HttpRequest, stage: UUID) -> HttpResponse:
    row = get_stage(request, stage, Membership.Role.HEAD_REFEREE)
    rows = Table.objects.filter(stage=row).select_related("oldest", "youngest").order_by("number")
    players = players_at(row)
    tables = [(table, players[table.pk]) for table in rows if table.pk in players]
    places = [
        Place(entry, table.number, seat) for table, entries in tables for seat, entry in enumerate(entries, 1)
    ]
    with on_paper(request, row.tournament):
        context = {
            **paper_context(request, row.tournament),
            "stage": row,
            "sheets": [_sheet(row, table, entries) for table, entries in tables],
            "places": _by_name(places, row),
            "start": start_text(row.tournament.ruleset),
            "taken_out": taken_out_text(row),
        }
    return page(request, "printing/seats.html", row.tournament, **context)


@signed_in_page
def seat_list(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Seats `by` name or table."""
    row = get_stage(request, stage, Membership.Role.HEAD_REFEREE)
    seats = Seat.objects.playing_on().filter(table__stage=row).select_related("entry", "table")
    places: list[Place] = []
    for seat in seats.order_by("table__number", "position"):
        number = seat.table.number
        before = places[-1] if places and places[-1].table == number else None
        places.append(Place(seat.entry, number, before.seat + 1 if before else 1))
    by_table = request.GET.get("by") == "table"
    return page(
        request,
        "printing/seat_list.html",
        row.tournament,
        **paper_context(request, row.tournament),
        stage=row,
        by_table=by_table,
        tables=[
            {"number": number, "places": [place for place in places if place.table == number]}
            for number in dict.fromkeys(place.table for place in places if by_table)
        ],
        places=_by_name(places, row),
    )


def _sheet(stage: Stage, table: Table, entries: Sequence[Entry]) -> dict[str, Any]:
    needs = needs_of(stage, len(entries))
    oldest, youngest = known_by_age(table, entries)
    return {
        "number": table.number,
        "entries": entries,
        "players": players_text(needs.players),
        "decks": decks_text(needs),
        "by_age": needs.by_age,
        "oldest": oldest,
        "youngest": youngest,
    }


def _by_name(places: Sequence[Place], stage: Stage) -> list[Place]:
    language = stage.tournament.language
    return sorted(places, key=lambda place: (in_alphabet(place.entry.public_name, language), place.table))
