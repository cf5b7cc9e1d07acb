"""Updates of an installed Lastcard, with a way back: `lastcard update`."""

from django.apps import AppConfig


class UpdateConfig(AppConfig):
    """A command alone."""

    name = "tournament.extras.update"
