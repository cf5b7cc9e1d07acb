"""Django's admin: current events first, then an evening's models, then the rest."""

from typing import Any
from urllib.parse import urlencode

from django.contrib.admin import AdminSite
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.translation import gettext as _

from tournament.models import Final, Heats, Match, Player, Race, Races, Session, Tournament, User
from tournament.views.desk._page import enter

MOST_EVENTS = 10

# Order of the first group; User leads the rest.
PLAYED = (Tournament, Player, Session, Heats, Match, Final, Race, Races)


class Site(AdminSite):
    """Django's admin."""

    site_header = site_title = "Lastcard"

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Add the link to a table's desk page."""
        return [path("enter/<uuid:table>/", self.admin_view(enter), name="enter"), *super().get_urls()]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # noqa: ARG002 - Django gives it
        """Redirect to our sign-in."""
        after = request.GET.get("next", "") or reverse("admin:index")
        return redirect(f"{reverse('sign-in')}?{urlencode({'next': after})}")

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show unfinished events above the models."""
        events = Tournament.objects.visible().without_practice().exclude(state=Tournament.State.FINISHED)
        running = Count("stages__tables", Q(stages__state="running"), distinct=True)
        return super().index(
            request,
            {
                "events": events.annotate(at_play=running).running_first()[:MOST_EVENTS],
                **(extra_context or {}),
            },
        )

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Split each app's models into two groups."""
        places = {model: place for place, model in enumerate((*PLAYED, User))}
        return [
            {
                **app,
                "name": name,
                "rest": not played,
                "models": sorted(rows, key=lambda row: places.get(row["model"], len(places))),
            }
            for app in super().get_app_list(request, app_label)
            for name, played in ((_("Events and results"), True), (_("The rest"), False))
            if (rows := [row for row in app["models"] if (row["model"] in PLAYED) is played])
        ]
