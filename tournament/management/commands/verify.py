"""`manage.py verify`: does every tournament agree with its ledger?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from tournament.ledger import triggers
from tournament.ledger.verify import verify
from tournament.live.snapshot import snapshot
from tournament.models import Tournament


class Command(BaseCommand):
    help = "Check each tournament's facts and score sheets against its ledger, and the ledger's chain with itself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "slugs", nargs="*", help="Public addresses of the tournaments to check; all when none."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print a line for each finding and for each tournament; exit code 1 when anything was found."""
        tournaments = Tournament.objects.order_by("pk")
        if options["slugs"]:
            tournaments = tournaments.filter(slug__in=options["slugs"])
            missing = set(options["slugs"]) - set(tournaments.values_list("slug", flat=True))
            if missing:
                raise CommandError(f"There is no tournament {', '.join(sorted(missing))}.")
        found = 0
        if not triggers.present(connection):
            found += 1
            self.stdout.write("triggers_missing: the ledger's rows can be changed")
        for tournament in tournaments:
            with snapshot():
                tournament.refresh_from_db()
                findings = verify(tournament)
            found += len(findings)
            for finding in findings:
                self.stdout.write(f"{tournament.slug}: {finding}")
            if not findings:
                self.stdout.write(
                    f"{tournament.slug}: clean, {tournament.version} ledger rows, {tournament.ledger_head}"
                )
        if found:
            raise CommandError(f"{found} findings", returncode=1)
