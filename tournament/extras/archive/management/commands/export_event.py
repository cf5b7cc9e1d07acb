"""`manage.py export_event`: archive of an event."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from tournament.extras.archive.files.schema import People
from tournament.extras.archive.files.stored import export_event
from tournament.management.base import DataCommand, tournament_at
from tournament.server.machine import whole_file


class Command(DataCommand):
    help = "Write a whole event into an archive (docs/archive.md), and print its path."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the event's public address")
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            help="where to write it (default: here, under a name that says what it contains)",
        )
        parser.add_argument(
            "--without-personal-data",
            action="store_true",
            help="leave out real names, birth dates, contacts and notes about people",
        )
        parser.add_argument(
            "--anonymous", action="store_true", help="also leave out public names and clubs: “Player 7”"
        )

    def handle(self, *_args: Any, slug: str, file: Path | None, **options: Any) -> None:
        tournament = tournament_at(slug)
        people = People.PUBLIC_NAMES if options["without_personal_data"] else People.EVERYTHING
        people = People.ANONYMOUS if options["anonymous"] else people
        file = file or Path(people.file_of(slug))
        try:
            with whole_file(file) as out:
                export_event(tournament, out, people)
        except OSError as error:
            raise CommandError(f"No archive was made: {error.strerror}: {error.filename}") from error
        self.stdout.write(str(file))
