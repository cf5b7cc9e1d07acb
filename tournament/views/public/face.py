"""An event's logo and colour, each at an address that names its content, so that a browser keeps it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from tournament.live.pages import published
from tournament.models import Logo, Tournament
from tournament.server.colours import COLOUR, style_sheet
from tournament.server.database import snapshot
from tournament.server.pictures import CONTENT_TYPE

KEPT_S = 365 * 24 * 3600  # the address of another picture is another one
DAY_S = 24 * 3600  # a later program may derive other tones


@require_safe
def logo(_request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """The picture whose digest begins so; 404 once the event has another one or none."""
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
    """The style sheet of an event's colour, which follows from the six digits alone."""
    del slug  # the event's part of the address lets a static copy hold it
    if not COLOUR.fullmatch(f"#{colour}"):
        raise Http404
    answer = HttpResponse(style_sheet(f"#{colour}"), content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = f"public, max-age={DAY_S}"
    return answer
