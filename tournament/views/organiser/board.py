"""The board of one tournament: every stage and table, and what to do next."""

from zoneinfo import ZoneInfo

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.models import Entry, Membership, Tournament
from tournament.permissions import may
from tournament.views._access import get_tournament, signed_in, user_of
from tournament.views._answer import page, receipt_of
from tournament.views.organiser._stage_state import next_step, stage_views
from tournament.views.organiser.checklist import checklist_of


@signed_in
@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Every stage with its tables; head referees see it too, without what only an organiser may do."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    organises = may(user_of(request), "start_stage", tournament)
    with timezone.override(ZoneInfo(tournament.time_zone)):
        views = stage_views(tournament)
    counts = entry_counts(tournament)
    context = {
        "section": "events",
        "views": views,
        "organises": organises,
        "checklist": checklist_of(tournament),
        "counts": counts,
        "entered": sum(counts.values()),
        "next": next_step(tournament, views, counts) if organises else None,
        "at": receipt_of(request, tournament),
    }
    return page(request, "organiser/board.html", context, tournament)


def entry_counts(tournament: Tournament) -> dict[str, int]:
    """How many entries there are in each state."""
    entries = Entry.objects.filter(tournament=tournament).order_by()
    return dict(entries.values_list("state").annotate(count=Count("id")))
