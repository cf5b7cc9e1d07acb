"""Updates of an installed Lastcard."""

from django.apps import AppConfig
from django.conf import settings


class UpdateConfig(AppConfig):
    """The command; with UPDATES_FROM a daily request, and a line on the board for staff."""

    name = "tournament.extras.update"
    buttons = [("board-foot", "update/_newer.html", "tournament.extras.update.pages.on_board")]
    jobs = ["tournament.extras.update.jobs.Asker"] if settings.UPDATES_FROM else []
