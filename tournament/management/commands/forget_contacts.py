"""`manage.py forget_contacts`: erase contacts 90 days after the last event."""

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from tournament.actions.people.personal_data import erase_old_contacts, old_contacts
from tournament.management.base import DataCommand


class Command(DataCommand):
    help = "Erase the contacts of players whose last event was more than 90 days ago, as the running server does."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="Say how many there are, and erase nothing."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        now = timezone.now()
        if options["dry_run"]:
            self.stdout.write(f"{len(old_contacts(now))} contacts would be erased")
        else:
            self.stdout.write(f"{erase_old_contacts(now)} contacts erased")
