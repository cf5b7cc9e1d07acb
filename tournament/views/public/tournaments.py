"""The start page."""

from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.live.pages import published_page
from tournament.models import Tournament
from tournament.pages.public.tournaments import tour_url, with_past_below
from tournament.server.database import snapshot
from tournament.words.faults import ruleset_name
from tournament.words.text import in_alphabet


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
        "organisers": sorted(
            {row.organiser: tour_url(row) for row in rows}.items(),
            key=lambda each: in_alphabet(each[0].name, get_language()),
        ),
    }
    return published_page(request, "public/tournaments.html", context, scope="site", version=version)
