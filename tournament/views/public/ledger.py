"""Where an event's ledger ends, and whether a digest that somebody kept was its end once. Not published: it answers."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.ledger.chain import SHORT, digest_in, end_shown, rows_of_digest
from tournament.models import Stage, Tournament
from tournament.server.snapshot import snapshot
from tournament.views._answer import page

LONGEST = 200  # characters of what is typed


@never_cache
@require_safe
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """The digest of the last row, and a field: `?head=` is looked for in this event's ledger alone."""
    asked = request.GET.get("head", "")[:LONGEST].replace("\0", "")
    digest = digest_in(asked)
    with snapshot():
        tournament = Tournament.objects.visible().filter(slug=slug).first()
        if tournament is None:
            raise Http404
        found = rows_of_digest(digest, tournament).first()
        end = end_shown(tournament, Stage.objects.filter(tournament=tournament))
    context = {
        "asked": asked,
        "readable": bool(digest),
        "found": found,
        "after": end.sequence - found.sequence if found and end else 0,
        "end": end,
        "short": SHORT,
    }
    with timezone.override(tournament.zone):
        return page(request, "public/ledger.html", context, tournament)
