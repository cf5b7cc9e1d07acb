"""The start page."""

from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.live.pages import published_page
from tournament.models import Tournament
from tournament.pages.public.tournaments import with_past_below
from tournament.server.database import snapshot
from tournament.words.faults import ruleset_name


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """Listed tournaments: running, coming, past."""
    with snapshot():
        version = Tournament.objects.aggregate(total=Sum("version"))["total"] or 0
        listed = Tournament.objects.listed().with_sizes().running_first()
        rows = list(listed.select_related("organiser", "registration"))
    context = {
        "practice": settings.TRY,
        **with_past_below(rows, lambda row: (row, ruleset_name(row.ruleset))),
    }
    return published_page(request, "public/tournaments.html", context, scope="site", version=version)
