"""All that can be printed of an event."""

from collections.abc import Mapping
from contextlib import AbstractContextManager

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.utils.translation import override

from tournament.models import Entry, Membership, Seat, Stage, Tournament
from tournament.results import grouped, kind_of, number_or_none
from tournament.views import get_tournament, page, signed_in_page
from tournament.views.organiser.on_paper import language_of, paper_context

LONGEST_NUMBER = 5  # digits


@signed_in_page
def prints(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    seated = Count("tables", filter=Q(tables__seats__in=Seat.objects.playing_on()), distinct=True)
    stages = list(Stage.objects.filter(tournament=tournament).annotate(seated=seated).order_by("number"))
    begun = [stage for stage in stages if stage.state != Stage.State.PLANNED]
    return page(
        request,
        "printing/prints.html",
        tournament,
        **paper_context(request, tournament),
        stages=stages,
        results=bool(begun),
        certificates=any(not kind_of(stage.kind).one_play for stage in begun),
        players=Entry.objects.filter(tournament=tournament).to_seat().exists(),
    )


def players_at(stage: Stage) -> Mapping[int, list[Entry]]:
    """Players still in, clockwise, by table pk."""
    seats = Seat.objects.playing_on().filter(table__stage=stage).select_related("entry__player")
    return grouped((seat.table_id, seat.entry) for seat in seats.order_by("position"))


def on_paper(request: HttpRequest, tournament: Tournament) -> AbstractContextManager[None]:
    """Activate the paper's language, for players; the page around it is the organiser's."""
    return override(language_of(request, tournament))


def number_in(request: HttpRequest, field: str, usual: int, most: int) -> int:
    """The query's number for `field`, 1 to `most`; default `usual`."""
    number = number_or_none(request.GET.get(field, ""), longest=LONGEST_NUMBER)
    return usual if number is None else min(max(number, 1), most)
