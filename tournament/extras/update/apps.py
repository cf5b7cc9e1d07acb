"""Updates of an installed Lastcard, with a way back, and word of a newer one."""

from django.apps import AppConfig
from django.conf import settings


class UpdateConfig(AppConfig):
    """The command `update`; with UPDATES_FROM also a daily request, and a line on the board for staff."""

    name = "tournament.extras.update"
    buttons = [("board-foot", "update/_newer.html", "tournament.extras.update.pages.on_board")]
    jobs = ["tournament.extras.update.jobs.Asker"] if settings.UPDATES_FROM else []
