"""The thread of a server that makes a backup when it is time."""

import threading

from django.conf import settings
from django.db import connections

from tournament.backup.making import keep_up

LOOKS = 30.0  # seconds between two looks at the clock


class Timer:
    """Looks now and then whether it is time; nothing is done where BACKUP_EVERY is 0."""

    def __init__(self, looks: float = LOOKS) -> None:
        self._looks = looks
        self._stop = threading.Event()

    def start(self) -> None:
        """Begin, in a thread that the end of the process does not wait for: a copy that is cut off is none."""
        if settings.BACKUP_EVERY:
            threading.Thread(target=self._run, name="backups", daemon=True).start()

    def stop(self) -> None:
        """Begin no further one."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.wait(self._looks):
            keep_up()
            connections.close_all()
