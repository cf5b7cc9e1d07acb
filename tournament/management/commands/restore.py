"""`manage.py restore`: replace the database with a backup."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournament.backup.copying import BackupFailed
from tournament.backup.in_use import Locked
from tournament.backup.making import key_mark
from tournament.backup.restoring import Whole, restore, whole
from tournament.management.base import say_database
from tournament.server.machine import whole_file

VOID = (
    "Sign-ins, invites, table codes and players' links of another data folder are void here, unless its secret key "
    "comes too: restore again with --key and the file secret-key of that folder."
)


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
            "--key",
            type=Path,
            metavar="FILE",
            help="also take over this secret key: secret-key of the old folder",
        )
        parser.add_argument(
            "--while-used",
            action="store_true",
            help="restore even while Lastcard or another program uses the database",
        )

    def handle(self, *_args: Any, file: Path, **options: Any) -> None:
        """Exit code 1 if an event differs or does not verify."""
        say_database()
        try:
            backup = whole(file)
            self.stdout.write(_checked(backup))
            if options["check"]:
                return
            key = _key(options["key"], backup)
            came = restore(backup, while_used=options["while_used"], say=self.stdout.write)
            if options["key"]:
                with whole_file(settings.DATA_DIR / "secret-key") as secret:
                    secret.write(key.encode())
        except Locked as used:
            raise CommandError(f"Stop Lastcard first: {used}. Nothing was changed.") from used
        except BackupFailed as failed:
            raise CommandError(f"Not restored: {failed}") from failed
        except OSError as error:
            raise CommandError(f"Not restored: {error.strerror}: {error.filename}") from error
        for one in came:
            for finding in one.findings:
                self.stdout.write(f"{one.slug}: {finding}")
            beside = {True: "as in the backup", False: "NOT AS IN THE BACKUP", None: "not compared"}[one.same]
            clean = "does not verify" if one.findings else "clean"
            self.stdout.write(f"{one.slug}: {clean}, {one.rows} ledger rows, {one.head}, {beside}")
        if wrong := sum(bool(one.findings) or one.same is False for one in came):
            differ = "1 event differs" if wrong == 1 else f"{wrong} events differ"
            raise CommandError(f"{differ} from the backup, or cannot be verified.", returncode=1)
        self.stdout.write("Restored." if backup.key == key_mark(key) else f"Restored. {VOID}")


def _key(file: Path | None, backup: Whole) -> str:
    """The secret key from now on. Raises CommandError and OSError."""
    if file is None:
        return str(settings.SECRET_KEY)
    if os.environ.get("SECRET_KEY"):
        raise CommandError(
            "SECRET_KEY is a setting here: put the key there, not in --key. Nothing was changed."
        )
    key = file.read_text(errors="replace").strip()
    if not key or (backup.key and key_mark(key) != backup.key):
        raise CommandError(f"{file} is not the key of this backup. Nothing was changed.")
    return key


def _checked(backup: Whole) -> str:
    """The bytes are checked only with the backup's JSON file."""
    if not backup.made:
        beside = f"{backup.file.name}.json"
        return f"The backup can be read. {beside} is missing, so nobody can tell whether it was changed."
    count = len(backup.ledgers or {})
    return f"The backup is complete, made {backup.made}, {count} event{'' if count == 1 else 's'}."
