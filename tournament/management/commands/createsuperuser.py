"""`manage.py createsuperuser`: Django's, also before anything was started."""

from typing import Any

from django.contrib.auth.management.commands.createsuperuser import Command as CreateSuperuser
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tournament.management.base import say_database
from tournament.management.commands.prepare import migrate


class Command(CreateSuperuser):
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> str | None:
        """Make the database first where there is none, so that an account can come before the first start."""
        say_database()
        if not MigrationRecorder(connection).has_table():
            migrate()
        return super().handle(*args, **options)
