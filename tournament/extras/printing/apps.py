"""Seat lists, table sheets, results for the wall and certificates on paper."""

from django.apps import AppConfig


class PrintingConfig(AppConfig):
    """Addresses, and links to them."""

    name = "tournament.extras.printing"
    addresses = ["tournament.extras.printing.urls"]
    buttons = [
        ("board-during", "printing/_during.html"),
        ("board-end", "printing/_end.html"),
        ("tables", "printing/_tables.html"),
        ("print-back", "printing/_back.html"),
    ]
