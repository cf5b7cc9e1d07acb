"""`manage.py migrate`: Django's, by one process at a time."""

from typing import Any

from django.core.management.commands.migrate import Command as Migrate

from tournament.backup.in_use import migrating


class Command(Migrate):
    def handle(self, *args: Any, **options: Any) -> str | None:
        """Wait for whoever migrates this database just now, then do what is left to do."""
        with migrating():
            return super().handle(*args, **options)
