"""`manage.py migrate`, one process at a time."""

from typing import Any

from django.core.management.commands.migrate import Command as Migrate

from tournament.backup.in_use import migrating


class Command(Migrate):
    def handle(self, *args: Any, **options: Any) -> str | None:
        with migrating():
            return super().handle(*args, **options)
