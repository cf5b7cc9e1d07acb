"""A copy of an event's public pages as plain files."""

from django.apps import AppConfig


class StaticCopyConfig(AppConfig):
    """An address, a form on the archive's page, and the command `static_copy`."""

    name = "tournament.extras.static_copy"
    addresses = ["tournament.extras.static_copy.urls"]
    buttons = [("archive", "static_copy/_section.html")]
