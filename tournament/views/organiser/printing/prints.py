"""What can be printed, in one place; and lists of seats for the door."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.models import Entry, Membership, Seat, Stage
from tournament.results.kinds import kind_of
from tournament.views._access import get_stage, get_tournament, signed_in
from tournament.views._answer import page
from tournament.views._paper_size import paper_context
from tournament.words.text import in_alphabet


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody sits."""

    entry: Entry
    table: int
    seat: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits at a table, clockwise."""

    number: int
    places: Sequence[Place]


@signed_in
@require_safe
def prints(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that can be printed about the event, and about each of its stages."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    seated = Count("tables", filter=Q(tables__seats__in=Seat.objects.playing_on()), distinct=True)
    stages = list(Stage.objects.filter(tournament=tournament).annotate(seated=seated).order_by("number"))
    begun = [stage for stage in stages if stage.state != Stage.State.PLANNED]
    context = {
        **paper_context(request, tournament),
        "stages": stages,
        "results": bool(begun),
        "certificates": any(not kind_of(stage.kind).one_play for stage in begun),
        "players": Entry.objects.filter(tournament=tournament).to_seat().exists(),
    }
    return page(request, "organiser/print/prints.html", context, tournament)


@signed_in
@require_safe
def seat_list(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Who sits where, `by` name or table as the address says."""
    row = get_stage(request, stage, Membership.Role.HEAD_REFEREE)
    places = _places(row)
    by_table = request.GET.get("by") == "table"
    context = {
        **paper_context(request, row.tournament),
        "stage": row,
        "by_table": by_table,
        "tables": _by_table(places) if by_table else [],
        "places": sorted(
            places,
            key=lambda place: (in_alphabet(place.entry.public_name, row.tournament.language), place.table),
        ),
    }
    return page(request, "organiser/print/seat_list.html", context, row.tournament)


def _places(stage: Stage) -> list[Place]:
    """Everybody who sits at a table, table by table, clockwise; without those who are out."""
    seats = Seat.objects.playing_on().filter(table__stage=stage).select_related("entry", "table")
    places: list[Place] = []
    for seat in seats.order_by("table__number", "position"):
        number = seat.table.number
        before = places[-1] if places and places[-1].table == number else None
        places.append(Place(seat.entry, number, before.seat + 1 if before else 1))
    return places


def _by_table(places: Sequence[Place]) -> list[Sitting]:
    numbers = dict.fromkeys(place.table for place in places)
    return [Sitting(number, [place for place in places if place.table == number]) for number in numbers]
