"""The thread of a server that makes a backup when it is time."""

from django.conf import settings

from tournament.backup.making import keep_up
from tournament.server.background import Every

LOOKS = 30.0  # seconds between two looks at the clock


class Timer(Every):
    """Looks now and then whether it is time; nothing is done where BACKUP_EVERY is 0. A copy that is cut off by the
    process's end is none."""

    name = "backups"

    def __init__(self, seconds: float = LOOKS) -> None:
        super().__init__(seconds)

    def start(self) -> None:
        """Begin, where backups are made by time."""
        if settings.BACKUP_EVERY:
            super().start()

    def look(self) -> None:
        """Make one that is due."""
        keep_up()
