"""A big screen: what the organiser chose for the hall, on any number of devices.

The page is published like every other, so a thousand screens cost what one costs. How phones reach it (the address and
its QR code) follows from PUBLIC_URL; without one, from whoever asks, so it is then a small answer of its own that
js/watch/screen.js puts in.
"""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.ledger.authors import last_entered
from tournament.live.pages import published_page
from tournament.models import Screen, Stage, Tournament
from tournament.pages.public.scenes import Hall, scenes_of
from tournament.queries.visible import taking_part
from tournament.server.snapshot import snapshot
from tournament.server.venue import public_address, qr_svg
from tournament.words.faults import ruleset_name

NOT_FOUND = 404


@require_safe
def screen(request: HttpRequest, slug: str, screen: UUID) -> HttpResponse:
    """What one screen shows. 404 where it was taken away: its page waits until it is there again."""
    with snapshot():
        found = Screen.objects.filter(uid=screen, tournament__slug=slug, tournament__put_away=False)
        row = found.select_related("tournament", "stage").first()
        if row is None:
            return render(request, "screen/gone.html", status=NOT_FOUND)
        tournament = row.tournament
        hall = _hall(tournament, row.stage)
        scenes = scenes_of(row, hall)
        changed_at = last_entered(tournament, hall.stages)
    context = {
        "tournament": tournament,
        "ruleset": ruleset_name(tournament.ruleset),
        "screen": row,
        "scenes": scenes,
        "changed_at": changed_at,
        **_way(tournament),
    }
    return published_page(
        request, "screen/screen.html", context, scope=str(tournament.uid), version=tournament.version
    )


@require_safe
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """The event's screens by name: what to open on the computer at a projector, by an address that one can type."""
    with snapshot():
        tournament = Tournament.objects.visible().filter(slug=slug).first()
        if tournament is None:
            raise Http404
        rows = list(Screen.objects.filter(tournament=tournament))
    context = {"tournament": tournament, "screens": rows}
    return published_page(
        request, "screen/screens.html", context, scope=str(tournament.uid), version=tournament.version
    )


@never_cache
@require_safe
def way(request: HttpRequest, slug: str) -> HttpResponse:
    """How a phone in the hall gets to the event: a piece of the screen's page, for whoever asks from where they ask."""
    tournament = Tournament.objects.visible().filter(slug=slug).first()
    if tournament is None:
        raise Http404
    return render(request, "screen/_way.html", _way_to(public_address(request, _path(tournament))))


def _hall(tournament: Tournament, chosen: Stage | None) -> Hall:
    stages = list(Stage.objects.filter(tournament=tournament).order_by("number"))
    for stage in stages:
        stage.tournament = tournament
    return Hall(tournament, taking_part(tournament, stages), stages, chosen)


def _path(tournament: Tournament) -> str:
    """The event's page without a language: a phone is led on to it in its own."""
    return f"/t/{tournament.slug}/"


def _way(tournament: Tournament) -> dict[str, Any]:
    if settings.PUBLIC_URL:
        return _way_to(f"{settings.PUBLIC_URL}{_path(tournament)}")
    return {"way_url": reverse("screen-way", args=[tournament.slug])}


def _way_to(address: str) -> dict[str, Any]:
    return {"address": address.partition("://")[2].strip("/").split("/"), "qr": qr_svg(address)}
