"""Big screens, published. Address and QR code need PUBLIC_URL, else a fragment for the request's host, inserted by
js/watch/screen.js."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.ledger.authors import last_entered
from tournament.models import Screen, Tournament
from tournament.pages.public.scenes import Hall, scenes_of
from tournament.queries.visible import taking_part
from tournament.server.database import snapshot
from tournament.server.venue import public_address, qr_svg
from tournament.views import NOT_FOUND, public_page
from tournament.words.faults import ruleset_name


@require_safe
def screen(request: HttpRequest, slug: str, screen: UUID) -> HttpResponse:
    """A screen; 404 if it was removed, and its page waits until it is back."""
    with snapshot():
        found = Screen.objects.filter(uid=screen, tournament__slug=slug, tournament__put_away=False)
        row = found.select_related("tournament", "stage").first()
        if row is None:
            return render(request, "screen/gone.html", status=NOT_FOUND)
        tournament = row.tournament
        stages = list(tournament.stages.order_by("number"))
        hall = Hall(tournament, taking_part(tournament, stages), stages, row.stage)
        scenes = scenes_of(row, hall)
        changed_at = last_entered(tournament, hall.stages)
    return public_page(
        request,
        "screen/screen.html",
        tournament,
        tournament=tournament,
        ruleset=ruleset_name(tournament.ruleset),
        screen=row,
        scenes=scenes,
        changed_at=changed_at,
        **(
            _way_to(f"{settings.PUBLIC_URL}{_path(tournament)}")
            if settings.PUBLIC_URL
            else {"way_url": reverse("screen-way", args=[tournament.slug])}
        ),
    )


@require_safe
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """An event's screens, at a typeable address."""
    with snapshot():
        tournament = get_object_or_404(Tournament.objects.visible(), slug=slug)
        rows = list(Screen.objects.filter(tournament=tournament))
    return public_page(request, "screen/screens.html", tournament, tournament=tournament, screens=rows)


@never_cache
@require_safe
def way(request: HttpRequest, slug: str) -> HttpResponse:
    """Fragment with the event's address, from the request's host."""
    tournament = get_object_or_404(Tournament.objects.visible(), slug=slug)
    return render(request, "screen/_way.html", _way_to(public_address(request, _path(tournament))))


def _path(tournament: Tournament) -> str:
    return f"/t/{tournament.slug}/"


def _way_to(address: str) -> dict[str, Any]:
    return {"address": address.partition("://")[2].strip("/").split("/"), "qr": qr_svg(address)}
