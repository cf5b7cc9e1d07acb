"""`manage.py static_copy`: an event's pages as static files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError

from tournament.extras.archive.files.static_copy import NotPublished, StillFrozen, write_folder, write_zip
from tournament.management.base import DataCommand, tournament_at
from tournament.server.machine import whole_file


class Command(DataCommand):
    help = "Copy an event's public pages in every language as plain HTML. Open its index.html."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the event's public address")
        parser.add_argument("to", type=Path, help="an empty or new folder, or a file that ends in .zip")
        parser.add_argument(
            "--archive",
            action="store_true",
            help="add the archive, without personal data but with penalties and pairs kept apart",
        )

    def handle(self, *_args: Any, slug: str, to: Path, archive: bool, **_options: Any) -> None:
        """A zip appears once complete."""
        tournament = tournament_at(slug)
        call_command("collectstatic", verbosity=0, interactive=False)
        try:
            if to.suffix == ".zip":
                with whole_file(to) as out:
                    write_zip(tournament, out, archive=archive)
            else:
                write_folder(tournament, to, archive=archive)
        except NotPublished as error:
            raise CommandError("A hidden rehearsal has no public pages.") from error
        except StillFrozen as error:
            raise CommandError(
                "The archive would reveal the frozen standings. Leave out --archive."
            ) from error
        except FileExistsError as error:
            raise CommandError(f"{to} is not empty.") from error
        except OSError as error:
            raise CommandError(f"No copy was made: {error.strerror}: {error.filename}") from error
        self.stdout.write(str(to))
