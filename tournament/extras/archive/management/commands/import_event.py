"""`manage.py import_event`: restore an archived event."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from tournament.extras.archive.actions import import_event
from tournament.extras.archive.files.reading import Archive
from tournament.extras.archive.files.schema import NotImported, refusal_text
from tournament.management.base import DataCommand


class Command(DataCommand):
    help = "Restore the event of an archive (docs/archive.md), completely or not at all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the archive")

    def handle(self, *_args: Any, file: Path, **_options: Any) -> None:
        try:
            with file.open("rb") as archive:
                imported = import_event(Archive(archive), by=None)
        except NotImported as refusal:
            raise CommandError(refusal_text(refusal)) from refusal
        except OSError as error:
            raise CommandError(f"The file cannot be read: {error.strerror}: {error.filename}") from error
        if imported.already:
            same = "The archive contains less" if imported.less else "Unchanged"
            self.stdout.write(f"The event already exists. {same}: {imported.slug}")
        elif imported.moved:
            self.stdout.write(f"Imported. Its public address was taken, so it has another: {imported.slug}")
        else:
            self.stdout.write(f"Imported: {imported.slug}")
