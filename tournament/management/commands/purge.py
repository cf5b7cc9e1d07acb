"""`manage.py purge`: delete hidden rehearsals."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from tournament.backup import before as back_up_before
from tournament.ledger.purge import purge, rehearsals_to_purge
from tournament.management.base import DataCommand
from tournament.server.exports import take_away_all

MOST_DAYS = 36_500


class Command(DataCommand):
    help = "Delete hidden rehearsals permanently, with their ledgers. Real events are never deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--older-than",
            type=int,
            metavar="DAYS",
            help="Only rehearsals in which nothing has happened for this many days.",
        )
        parser.add_argument(
            "--all-rehearsals", action="store_true", help="Also rehearsals that are not hidden."
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="Say what would be deleted, and delete nothing."
        )

    def handle(
        self, *_args: Any, older_than: int | None, all_rehearsals: bool, dry_run: bool, **_options: Any
    ) -> None:
        if older_than is not None and not 0 <= older_than <= MOST_DAYS:
            raise CommandError(f"--older-than takes a number of days from 0 to {MOST_DAYS}.")
        before = None if older_than is None else timezone.now() - timedelta(days=older_than)
        found = rehearsals_to_purge(before=before, all_rehearsals=all_rehearsals)
        events = [] if dry_run else [each.tournament for each in found]
        if events:
            back_up_before("purge")
        deleted = purge(events, all_rehearsals=all_rehearsals)
        for tournament in deleted:
            take_away_all(tournament)
        left = "would delete" if dry_run else "kept, because it was just restored:"
        for each in found:
            last = f"{each.last:%Y-%m-%d}" if each.last else "never"
            done = "deleted" if each.tournament in deleted else left
            self.stdout.write(
                f"{done} {each.name} ({each.organiser}): {each.entries} players, {each.rows} ledger rows, last {last}"
            )
        if not found:
            self.stdout.write("There are no rehearsals to delete.")
