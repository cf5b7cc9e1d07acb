"""The page of a tournament's bracket."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.live.pages import published_page
from tournament.models import Stage, Tournament
from tournament.pages.public.bracket import bracket_of
from tournament.pages.public.stage import everybody_in
from tournament.queries.visible import shown, taking_part
from tournament.server.snapshot import snapshot


@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """The bracket of a tournament that has one."""
    with snapshot():
        row = Tournament.objects.visible().filter(slug=slug).first()
        if row is None:
            raise Http404
        rows = list(Stage.objects.filter(tournament=row).order_by("number"))
        for each in rows:
            each.tournament = row
        entries = taking_part(row, rows)
        stages = [shown(each, rows) for each in rows]
        people = {key: who for seen in stages for key, who in everybody_in(row, entries, seen).items()}
    found = bracket_of(row, stages, people)
    if found is None:
        raise Http404
    context = {"tournament": row, "bracket": found}
    return published_page(request, "public/bracket.html", context, scope=str(row.uid), version=row.version)
