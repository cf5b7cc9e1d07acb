"""`manage.py export_workbook`: an event's results or data as a file."""

from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management.base import CommandError

from tournament.extras.workbook.files import jobs
from tournament.extras.workbook.files.jobs import AUDIENCES, EVERYBODY, ORGANISERS
from tournament.extras.workbook.files.sheets import write_csv, write_workbook
from tournament.files.results_file.results_file import results_file
from tournament.files.workbook.event import Event, read_event
from tournament.management.base import DataCommand, tournament_at
from tournament.server.database import snapshot
from tournament.server.machine import whole_file

# By the ending of the file's name.
FILES: Mapping[str, Callable[[Event, IO[bytes]], object]] = {
    ".xlsx": lambda event, file: file.write(results_file(event)),
    "-data.xlsx": write_workbook,
    "-data.zip": write_csv,
}


class Command(DataCommand):
    help = "Write an event's results as an Excel file, or its data, and print the file's path."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the event's public address")
        parser.add_argument(
            "--as",
            dest="audience",
            choices=AUDIENCES,
            default=EVERYBODY,
            help="everybody: as on its public page (default); organisers: the current results, with the ledger",
        )
        parser.add_argument(
            "--data",
            choices=["xlsx", "zip"],
            help="the data for programs, as an Excel workbook or as CSV files, instead of the results",
        )
        parser.add_argument(
            "--language", choices=[*dict(settings.LANGUAGES)], help="of the results; default: the event's own"
        )
        parser.add_argument(
            "--to", type=Path, metavar="FILE", help="default: SLUG.xlsx here, SLUG-data.xlsx or SLUG-data.zip"
        )
        parser.add_argument("--job", metavar="PROGRAM", help=SUPPRESS)  # internal, by the server

    def handle(self, *_args: Any, slug: str, audience: str, **options: Any) -> None:
        """The file appears once complete."""
        tournament = tournament_at(slug)
        ending = f"-data.{options['data']}" if options["data"] else ".xlsx"
        try:
            if options["job"]:
                jobs.run(tournament, audience, options["job"])
            else:
                file = options["to"] or Path(f"{slug}{ending}")
                whole, language = audience == ORGANISERS, options["language"] or ""
                with snapshot():
                    tournament.refresh_from_db()
                    event = read_event(tournament, everything=whole, language=language, answers=whole)
                with whole_file(file) as out:
                    FILES[ending](event, out)
                self.stdout.write(str(file))
        except OSError as error:
            raise CommandError(
                f"No file was made: {error.strerror}: {error.filename}",
                returncode=jobs.exit_code(error),
            ) from error
