"""`manage.py createsuperuser`, also before the first start."""

from typing import Any

from django.contrib.auth.management.commands.createsuperuser import Command as CreateSuperuser
from django.core.management.base import CommandParser
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tournament.management.base import say_database
from tournament.management.commands.prepare import migrate


class Command(CreateSuperuser):
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Ask for no e-mail address."""
        super().add_arguments(parser)
        parser.set_defaults(email="")

    def handle(self, *args: Any, **options: Any) -> str | None:
        say_database()
        if not MigrationRecorder(connection).has_table():
            migrate()
        return super().handle(*args, **options)
