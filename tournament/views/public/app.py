"""Installable app: manifest (W3C), service worker, offline page."""

from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_safe

from tournament.live.pages import DAY, lasting_page, published
from tournament.live.store import PROGRAM
from tournament.server.extras import buttons

PAPER, FELT = "#f3f4f0", "#0d4c34"  # css/tokens.css
ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("icon-maskable-512", 512, "maskable"))


@require_safe
def manifest(_request: HttpRequest) -> HttpResponseBase:
    """/<language>/manifest.webmanifest: one app (`id`) for all languages."""
    places = [
        {"name": _("Referee’s desk"), "url": reverse("desk")},
        *(place for _template, place in buttons("app-icon", {})),
        {"name": _("Rules"), "url": reverse("rules-index")},
    ]
    said = {
        "id": "/",
        "name": "Lastcard",
        "short_name": "Lastcard",
        "description": _("Live results, seats and clocks for tournaments played with real cards"),
        "lang": get_language(),
        "start_url": reverse("tournaments"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": FELT,
        "icons": [
            {
                "src": static(f"lastcard/brand/{name}.png"),
                "sizes": f"{side}x{side}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, side, purpose in ICONS
        ],
        "shortcuts": places,
    }
    return published(
        JsonResponse(said, content_type="application/manifest+json"), scope=PROGRAM, version=0, keep_s=DAY
    )


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """/sw.js: reopens the desk offline; at the root, for its scope."""
    found = finders.find("lastcard/js/service_worker.js")
    assert isinstance(found, str)
    return HttpResponse(
        Path(found).read_bytes(), content_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


@require_safe
def no_network(request: HttpRequest) -> HttpResponse:
    """Shown by js/service_worker.js offline without a cached copy."""
    return lasting_page(request, "public/no_network.html", {})
