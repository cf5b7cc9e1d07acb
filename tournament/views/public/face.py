"""An event's logo and colour; addresses name the content, for caching."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from tournament.live.pages import published
from tournament.models import Logo, Tournament
from tournament.server.colours import COLOUR, style_sheet
from tournament.server.database import snapshot
from tournament.server.pictures import CONTENT_TYPE

KEPT_S = 365 * 24 * 3600  # immutable
DAY_S = 24 * 3600  # tones may change with the program


@require_safe
def logo(_request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """The logo with this digest prefix, else 404."""
    with snapshot():
        row = get_object_or_404(Tournament.objects.visible(), slug=slug)
        if not digest or row.logo[: len(digest)] != digest:
            raise Http404
        content = get_object_or_404(Logo, tournament=row).content
    return published(
        HttpResponse(bytes(content), content_type=CONTENT_TYPE),
        scope=str(row.uid),
        version=row.version,
        keep_s=KEPT_S,
    )


@require_safe
def colour(_request: HttpRequest, slug: str, colour: str) -> HttpResponse:
    """Style sheet of a colour (six digits)."""
    del slug  # for static copies
    if not COLOUR.fullmatch(f"#{colour}"):
        raise Http404
    answer = HttpResponse(style_sheet(f"#{colour}"), content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = f"public, max-age={DAY_S}"
    return answer
