"""The set-up of the app and of the admin, which Django runs when the program starts, before it answers anything."""

from importlib import import_module
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.core.checks import Tags, register
from django.utils.translation import gettext_lazy as _


class OurAdmin(AdminConfig):
    """Django's admin with a start page of our own."""

    default_site = "tournament.views.admin_site.Site"


class TournamentConfig(AppConfig):
    """The one app."""

    name = "tournament"
    verbose_name = _("Events and results")

    def ready(self) -> None:
        """Load the house's rulesets, before forms and the API list the rulesets, and register how actions are
        loaded."""
        from tournament.permissions import ACTIONS
        from tournament.queries.missing_rulesets import events_have_their_rules
        from tournament.server import house_rules

        register(events_have_their_rules, Tags.database)
        ACTIONS.load = lambda: import_module("tournament.actions.every")

        if settings.HOUSE_RULES:
            house_rules.take_in_all(Path(settings.HOUSE_RULES))
