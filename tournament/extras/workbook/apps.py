"""All data of an event for programs, as an Excel workbook with formulas or as CSV."""

from django.apps import AppConfig


class WorkbookConfig(AppConfig):
    """Addresses, links to them on pages and in the API, and a command."""

    name = "tournament.extras.workbook"
    addresses = ["tournament.extras.workbook.urls"]
    buttons = [
        ("data", "workbook/_links.html"),
        ("data-to-edit", "workbook/_to_edit.html"),
    ]
    api = ["tournament.extras.workbook.urls"]
