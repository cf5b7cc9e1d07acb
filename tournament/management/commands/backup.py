"""`manage.py backup`: online copy of the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from tournament.backup import BackupFailed, hook, make_backup
from tournament.management.base import DataCommand


class Command(DataCommand):
    help = "Copy the whole database to a file while Lastcard runs, and print its path."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="where to write it (default: a new file in backups/)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            self.stdout.write(str(make_backup(options["file"])))
        except BackupFailed as failed:
            raise CommandError(f"No backup was made: {failed}") from failed
        except OSError as error:
            raise CommandError(f"No backup was made: {error.strerror}: {error.filename}") from error
        if not hook.wait():
            raise CommandError("The backup is only on this computer: BACKUP_HOOK failed, see the log.")
