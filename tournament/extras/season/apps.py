"""Seasons on pages, on paper and in Excel; in the API also an organiser's tour."""

from django.apps import AppConfig


class SeasonConfig(AppConfig):
    """Addresses, buttons, and reads of the API."""

    name = "tournament.extras.season"
    addresses = ["tournament.extras.season.urls"]
    buttons = [
        ("tour", "season/_tour.html", "tournament.extras.season.pages.of_tour"),
        ("my-events", "season/_mine.html", "tournament.extras.season.pages.of_reader"),
        ("board-after", "season/_board.html"),
    ]
    api = ["tournament.extras.season.api.seasons", "tournament.extras.season.api.tours"]
