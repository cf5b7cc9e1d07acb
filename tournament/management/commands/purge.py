"""`manage.py purge`: delete rehearsals that were put away, for good."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournament.backup import before as back_up_before
from tournament.files.workbook.cache import take_away_all
from tournament.ledger.purge import Purged, purge, rehearsals_to_purge

MOST_DAYS = 36_500


class Command(BaseCommand):
    help = (
        "Delete rehearsals that were put away, with their ledgers, for good. Real events are never deleted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--older-than",
            type=int,
            metavar="DAYS",
            help="Only those in which nothing happened for so many days.",
        )
        parser.add_argument(
            "--all-rehearsals", action="store_true", help="Also rehearsals that were not put away."
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="Delete nothing; say what would be deleted."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print a line for each rehearsal."""
        days = options["older_than"]
        if days is not None and not 0 <= days <= MOST_DAYS:
            raise CommandError(f"--older-than takes a number of days from 0 to {MOST_DAYS}.")
        before = None if days is None else timezone.now() - timedelta(days=days)
        everything = options["all_rehearsals"]
        found = rehearsals_to_purge(before=before, all_rehearsals=everything)
        dry = options["dry_run"]
        if found and not dry:
            back_up_before("purge")
        deleted = [] if dry else purge([each.tournament for each in found], all_rehearsals=everything)
        for tournament in deleted:
            take_away_all(tournament)
        for each in found:
            if dry:
                self.stdout.write(f"would delete {_line(each)}")
            elif each.tournament in deleted:
                self.stdout.write(f"deleted {_line(each)}")
            else:
                self.stdout.write(f"left, since it was brought back just now: {_line(each)}")
        if not found:
            self.stdout.write("No rehearsal is there to delete.")


def _line(each: Purged) -> str:
    last = f"{each.last:%Y-%m-%d}" if each.last else "never"
    return f"{each.name} ({each.organiser}): {each.entries} players, {each.rows} ledger rows, last {last}"
