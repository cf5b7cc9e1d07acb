"""A whole event as a file, to be restored from, and a copy of its public pages as plain files."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """Addresses, links on the board and on My events, and commands: `export_event`, `import_event`, `static_copy`."""

    name = "tournament.extras.archive"
    addresses = ["tournament.extras.archive.urls"]
    buttons = [("board-keep", "archive/_board.html"), ("my-events-foot", "archive/_restore.html")]
