"""The start page of Django's admin, and the order of its models there and beside every page.

First come the events that are not over, with their pages outside the admin: results are entered at the referee's desk
and nowhere else. Then the models that an evening consists of, and under a heading of their own those that the program
keeps for itself. Templates in templates/admin/ lead from a row to its event's pages.
"""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from tournament.models import (
    Entry,
    Membership,
    Play,
    Player,
    Stage,
    Table,
    Tournament,
    User,
)

MOST_EVENTS = 10  # on the start page

# The models of an evening, in their order.
PLAYED = (
    Tournament,
    Player,
    Entry,
    Stage,
    Table,
    Play,
    Membership,
    User,
)


class Site(AdminSite):
    """Django's admin, under our name."""

    site_header = site_title = "Lastcard"

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the events that are not over, above the models."""
        events = Tournament.objects.visible().without_practice().exclude(state=Tournament.State.FINISHED)
        return super().index(
            request, {"events": events.running_first()[:MOST_EVENTS], **(extra_context or {})}
        )

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """List the models of each app in two groups, each shown as an app of its own; after the stages those of each
        kind under its name."""
        places = {model: place for place, model in enumerate(PLAYED)}
        apps = super().get_app_list(request, app_label)
        for app in apps:
            app["models"] += [
                {
                    **row,
                    "name": kind.label,
                    "object_name": kind.value,
                    "admin_url": f"{row['admin_url']}?kind__exact={kind.value}",
                    "add_url": f"{row['add_url']}?kind={kind.value}",
                }
                for row in app["models"]
                if row["model"] is Stage
                for kind in Stage.Kind
            ]
        return [
            {**app, "name": name, "models": sorted(rows, key=lambda row: places.get(row["model"], 0))}
            for app in apps
            for name, played in ((_("Tournaments and results"), True), (_("Records and upkeep"), False))
            if (rows := [row for row in app["models"] if (row["model"] in places) is played])
        ]
