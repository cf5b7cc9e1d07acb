"""The tour of an organiser and its seasons."""

from django.apps import AppConfig


class SeasonConfig(AppConfig):
    """Addresses, buttons, actions, and rows of the API."""

    name = "tournament.extras.season"
    addresses = ["tournament.extras.season.urls"]
    buttons = [
        ("start", "tour/_organisers.html", "tournament.extras.season.pages.of_start"),
        ("event", "tour/_event.html", "tournament.extras.season.pages.of_event"),
        ("player", "tour/_history.html", "tournament.extras.season.pages.of_player"),
        ("my-events", "season/_mine.html", "tournament.extras.season.pages.of_reader"),
        ("board-after", "season/_board.html"),
        ("scene-season", "screen/_season.html", "tournament.extras.season.pages.of_screen"),
    ]
    actions = ["tournament.extras.season.actions"]
    api = ["tournament.extras.season.api.seasons", "tournament.extras.season.api.tours"]
