"""The evening's programme as everybody sees it, with what changed since it was published."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.live.pages import published_page
from tournament.models import Tournament
from tournament.queries.programme import programme as programme_of
from tournament.server.snapshot import snapshot


@require_safe
def programme(request: HttpRequest, slug: str) -> HttpResponse:
    """Every part with its time, tables and players; nothing before it is published."""
    with snapshot():
        row = Tournament.objects.visible().filter(slug=slug).first()
        if row is None:
            raise Http404
        now = programme_of(row)
    context = {"tournament": row, "parts": now.shown if now.published else (), "gone": now.gone}
    return published_page(request, "public/programme.html", context, scope=str(row.uid), version=row.version)
