"""The API for programs, and the tokens that they send."""

from django.apps import AppConfig


class ProgramsConfig(AppConfig):
    """Addresses, among these those of `api/`, and links to the tokens. It reads the list `api` of the others."""

    name = "tournament.extras.programs"
    addresses = ["tournament.extras.programs.urls"]
    buttons = [("access", "programs/_tokens.html")]
