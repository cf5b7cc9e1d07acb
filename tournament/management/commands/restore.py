"""`manage.py restore`: replace the database with a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournament.backup.copying import BackupFailed
from tournament.backup.in_use import Locked
from tournament.backup.restoring import Came, Whole, restore, whole
from tournament.management.base import say_database


class Command(BaseCommand):
    help = (
        "Check a backup, set the current database aside and put the backup in its place, migrate it and "
        "verify every event. Stop Lastcard first."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")
        parser.add_argument("--check", action="store_true", help="only check whether the backup is complete")
        parser.add_argument(
            "--while-used",
            action="store_true",
            help="restore even while Lastcard or another program uses the database",
        )

    def handle(self, *_args: Any, file: Path, **options: Any) -> None:
        """Print a line per tournament; exit code 1 if one differs or does not verify."""
        say_database()
        try:
            backup = whole(file)
            self.stdout.write(_checked(backup))
            if options["check"]:
                return
            came = restore(backup, while_used=options["while_used"], say=self.stdout.write)
        except Locked as used:
            raise CommandError(f"Stop Lastcard first: {used}. Nothing was changed.") from used
        except BackupFailed as failed:
            raise CommandError(f"Not restored: {failed}") from failed
        except OSError as error:
            raise CommandError(f"Not restored: {error.strerror}: {error.filename}") from error
        for one in came:
            for finding in one.findings:
                self.stdout.write(f"{one.slug}: {finding}")
            self.stdout.write(_line(one))
        if wrong := sum(bool(one.findings) or one.same is False for one in came):
            differ = "1 event differs" if wrong == 1 else f"{wrong} events differ"
            raise CommandError(f"{differ} from the backup, or cannot be verified.", returncode=1)
        self.stdout.write("Restored.")


def _checked(backup: Whole) -> str:
    """The bytes are checked only with the backup's JSON file."""
    if not backup.made:
        beside = f"{backup.file.name}.json"
        return f"The backup can be read. {beside} is missing, so nobody can tell whether it was changed."
    count = len(backup.ledgers or {})
    return f"The backup is complete, made {backup.made}, {count} event{'' if count == 1 else 's'}."


def _line(one: Came) -> str:
    beside = {True: "as in the backup", False: "NOT AS IN THE BACKUP", None: "not compared"}[one.same]
    clean = "does not verify" if one.findings else "clean"
    return f"{one.slug}: {clean}, {one.rows} ledger rows, {one.head}, {beside}"
