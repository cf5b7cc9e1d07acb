"""Draws repeated by hand: `lastcard draw`."""

from django.apps import AppConfig


class DrawConfig(AppConfig):
    """A command alone."""

    name = "tournament.extras.draw"
