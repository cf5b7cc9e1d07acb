"""Players from lists, and results from a workbook."""

from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Addresses, the form for players, and buttons for referees."""

    name = "tournament.extras.imports"
    addresses = ["tournament.extras.imports.urls"]
    buttons = [
        ("players-add", "imports/_paste.html", "tournament.extras.imports.forms.players.paste_form"),
        ("players-add-row", "imports/_file.html"),
        ("players-row", "imports/_download.html"),
        ("players-foot", "imports/_private.html"),
        ("board-after", "imports/results/_button.html"),
        ("print-of-event", "imports/results/_print.html"),
    ]
