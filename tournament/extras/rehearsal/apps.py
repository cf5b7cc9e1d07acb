"""Load test with an event day: `lastcard rehearse`."""

from django.apps import AppConfig


class RehearsalConfig(AppConfig):
    """A command alone."""

    name = "tournament.extras.rehearsal"
