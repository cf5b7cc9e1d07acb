"""The record of a stage's draw, as a file."""

from uuid import UUID

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.models import Stage
from tournament.queries.draws import last_draw
from tournament.queries.visible import freezing


@require_safe
@never_cache
def draw_record(request: HttpRequest, slug: str, stage: UUID) -> JsonResponse:
    """The record of the last draw: all that repeats it but the pairs that were kept apart, which stay with the
    organisers. 404 where the seats follow from no draw, and while the stage is frozen."""
    del request  # the same for everybody
    row = Stage.objects.select_related("tournament").filter(uid=stage, tournament__slug=slug).first()
    drawn = last_draw(row) if row and not row.tournament.put_away and not freezing(row) else None
    if drawn is None:
        raise Http404
    return JsonResponse(drawn.public, json_dumps_params={"indent": 1})
