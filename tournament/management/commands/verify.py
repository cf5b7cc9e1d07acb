"""`manage.py verify`: events against their ledgers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db import connection

from tournament.ledger import triggers
from tournament.ledger.chain import digest_in, rows_of_digest
from tournament.ledger.verify import verify
from tournament.management.base import DataCommand
from tournament.models import Tournament
from tournament.server.database import snapshot


class Command(DataCommand):
    help = "Check each event's facts and score sheets against its ledger, and the ledger's chain."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "slugs", nargs="*", help="Public addresses of the events to check (default: all)."
        )
        parser.add_argument(
            "--head", metavar="DIGEST", help="Find the ledger row with this digest, which may be shortened."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Exit code 1 on findings or an unknown digest."""
        tournaments = Tournament.objects.order_by("pk")
        if options["slugs"]:
            tournaments = tournaments.filter(slug__in=options["slugs"])
            if missing := set(options["slugs"]) - set(tournaments.values_list("slug", flat=True)):
                raise CommandError(f"There is no event {', '.join(sorted(missing))}.")
        found = self._find(options["head"]) if options["head"] is not None else 0
        if not triggers.present(connection):
            found += 1
            self.stdout.write("triggers_missing: the ledger's rows can be changed")
        for tournament in tournaments:
            with snapshot():
                tournament.refresh_from_db()
                findings = verify(tournament)
            found += len(findings)
            clean = f"clean, {tournament.version} ledger rows, {tournament.ledger_head}"
            for said in [str(finding) for finding in findings] or [clean]:
                self.stdout.write(f"{tournament.slug}: {said}")
        if found:
            raise CommandError(f"{found} finding{'s' if found > 1 else ''}", returncode=1)

    def _find(self, head: str) -> int:
        rows = list(rows_of_digest(digest_in(head)))
        for row in rows:
            slug, since = row.tournament.slug, row.tournament.version - row.sequence
            self.stdout.write(
                f"{slug}: {head} is row {row.sequence} of {row.at:%Y-%m-%d %H:%M:%S} UTC, {since} rows since"
            )
        if not rows:
            self.stdout.write(f"head_unknown: no ledger has {head}")
        return 0 if rows else 1
