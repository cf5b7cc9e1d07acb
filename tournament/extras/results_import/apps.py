"""Results of a whole evening from a filled-in workbook."""

from django.apps import AppConfig


class ResultsImportConfig(AppConfig):
    """Addresses, and buttons for referees of the whole event."""

    name = "tournament.extras.results_import"
    addresses = ["tournament.extras.results_import.urls"]
    buttons = [
        ("board-after", "results_import/_button.html"),
        ("print-of-event", "results_import/_print.html"),
    ]
