"""App configurations."""

from importlib import import_module
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin import autodiscover
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app, check_dependencies
from django.contrib.auth.signals import user_logged_in
from django.core.checks import CheckMessage, Tags, register
from django.utils.translation import gettext_lazy as _


class OurAdmin(SimpleAdminConfig):
    """Django's admin with our start page; registers models at first request (extras/administration)."""

    default_site = "tournament.views.admin_site.Site"

    def ready(self) -> None:
        register(check_dependencies, Tags.admin)
        register(admin_is_sound, Tags.admin)


class TournamentConfig(AppConfig):
    """The app."""

    name = "tournament"
    verbose_name = _("Events and results")

    def ready(self) -> None:
        """Compile translations (checkouts), load custom rulesets before forms and API list them, register what loads
        late, checks and sign-in handling."""
        from tournament.permissions import ACTIONS
        from tournament.queries.installation import events_have_their_rules
        from tournament.server import house_rules
        from tournament.server.environment import compile_catalogues
        from tournament.server.middleware import end_in_time

        if not settings.INSTALLED:
            compile_catalogues(settings.LOCALE_PATHS[0])
        register(events_have_their_rules, Tags.database)
        ACTIONS.load = lambda: import_module("tournament.actions.every")
        user_logged_in.connect(end_in_time)

        if settings.HOUSE_RULES:
            house_rules.take_in_all(Path(settings.HOUSE_RULES))


def admin_is_sound(**asked: Any) -> list[CheckMessage]:
    """Django's admin check, after autodiscover."""
    autodiscover()
    found: list[CheckMessage] = check_admin_app(**asked)
    return found
