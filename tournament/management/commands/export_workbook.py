"""`manage.py export_workbook`: an event's Excel workbook in a file."""

from argparse import SUPPRESS, ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from tournament.files.workbook import jobs
from tournament.files.workbook.cache import AUDIENCES, EVERYBODY, ORGANISERS
from tournament.files.workbook.event import read_event
from tournament.files.workbook.sheets import write_workbook
from tournament.management.base import DataCommand
from tournament.management.commands.export_event import tournament_at, whole_file
from tournament.models import Tournament
from tournament.server.database import snapshot


class Command(DataCommand):
    help = "Write an event's results as an Excel file, and print its path."

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
            "--language", choices=[*dict(settings.LANGUAGES)], help="default: the event's own"
        )
        parser.add_argument("--to", type=Path, metavar="FILE", help="default: SLUG.xlsx here")
        parser.add_argument("--job", metavar="PROGRAM", help=SUPPRESS)  # by the server: keep it

    def handle(self, *_args: Any, slug: str, audience: str, **options: Any) -> None:
        """Write it under another name first, so that it is there only once it is whole."""
        tournament = tournament_at(slug)
        language = options["language"] or tournament.language
        try:
            if options["job"]:
                jobs.run(tournament, audience, language, options["job"])
            else:
                self.stdout.write(str(_written(tournament, audience, language, options["to"])))
        except OSError as error:
            raise CommandError(
                f"No Excel file was made: {error.strerror}: {error.filename}",
                returncode=jobs.exit_code(error),
            ) from error


def _written(tournament: Tournament, audience: str, language: str, file: Path | None) -> Path:
    with snapshot():
        tournament.refresh_from_db()
        event = read_event(tournament, everything=audience == ORGANISERS, language=language)
    file = file or Path(f"{tournament.slug}.xlsx")
    with whole_file(file) as out:
        write_workbook(event, out)
    return file
