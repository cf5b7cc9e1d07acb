"""The API for programs, and the tokens that they send."""

from django.apps import AppConfig


class ProgramsConfig(AppConfig):
    """Addresses, and links to the tokens. Reads the list `api` of all extras."""

    name = "tournament.extras.programs"
    addresses = ["tournament.extras.programs.urls"]
    buttons = [("access", "programs/_tokens.html")]
