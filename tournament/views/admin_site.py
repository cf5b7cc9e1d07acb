"""The start page of Django's admin, and the order of its models there and beside every page.

First come the events that are not over, with their pages outside the admin, then the models that an evening is asked
about, and under a heading of their own all others. Results are entered at the referee's desk: templates in
templates/admin/ lead there, and to the event's pages, from every row.
"""

from typing import Any

from django.contrib.admin import AdminSite
from django.db.models import Count, Q
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext as _

from tournament.models import Final, Heats, Match, Player, Session, Tournament, User
from tournament.views.desk.from_admin import enter

MOST_EVENTS = 10  # on the start page

# The models of an evening, in their order; among the rest accounts come first.
PLAYED = (Tournament, Player, Session, Heats, Match, Final)


class Site(AdminSite):
    """Django's admin, under our name."""

    site_header = site_title = "Lastcard"

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Add the way to a table at the desk, which leads back."""
        return [path("enter/<uuid:table>/", self.admin_view(enter), name="enter"), *super().get_urls()]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the events that are not over, above the models."""
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
        """List the models of each app in two groups, each shown as an app of its own."""
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
