"""Seasons on pages, on paper and in Excel."""

from django.apps import AppConfig


class SeasonConfig(AppConfig):
    """Addresses, and buttons on an organiser's page, on My events and on an event's board."""

    name = "tournament.extras.season"
    addresses = ["tournament.extras.season.urls"]
    buttons = [
        ("tour", "season/_tour.html", "tournament.extras.season.pages.of_tour"),
        ("my-events", "season/_mine.html", "tournament.extras.season.pages.of_reader"),
        ("board-after", "season/_board.html"),
    ]
