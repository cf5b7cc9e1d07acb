"""An event as a file to restore from, and a copy of its public pages."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """Addresses, links on the board and on My events, and commands."""

    name = "tournament.extras.archive"
    addresses = ["tournament.extras.archive.urls"]
    buttons = [("board-keep", "archive/_board.html"), ("my-events-foot", "archive/_restore.html")]
