"""Seasons on pages, on paper, in Excel and in the API, which also has the tour of an organiser."""

from django.apps import AppConfig


class SeasonConfig(AppConfig):
    """Addresses, reads of the API, and buttons on an organiser's page, on My events and on an event's board."""

    name = "tournament.extras.season"
    addresses = ["tournament.extras.season.urls"]
    buttons = [
        ("tour", "season/_tour.html", "tournament.extras.season.pages.of_tour"),
        ("my-events", "season/_mine.html", "tournament.extras.season.pages.of_reader"),
        ("board-after", "season/_board.html"),
    ]
    api = ["tournament.extras.season.api.seasons", "tournament.extras.season.api.tours"]
