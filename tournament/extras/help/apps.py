"""The guides in docs/ as pages."""

from django.apps import AppConfig


class HelpConfig(AppConfig):
    """Addresses, and the links to them, among these the "?" of pages."""

    name = "tournament.extras.help"
    addresses = ["tournament.extras.help.urls"]
    buttons = [
        ("help", "help/_link.html", "tournament.extras.help.pages.of_page"),
        ("nav-end", "help/_nav.html"),
        ("guide", "help/_guide.html"),
        ("desk-bar", "help/_bar.html"),
        ("draw", "help/_draws.html"),
        ("api-docs", "api/_help.html"),
    ]
