"""`manage.py prepare`: what comes before serving, once for all servers that share a database."""

from typing import Any

from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.core.management.commands.migrate import Command as Migrate
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournament.backup import before
from tournament.backup.in_use import migrating
from tournament.management.base import say_database
from tournament.server.database import keep_to_owner
from tournament.server.static_files import collect_once


class Command(BaseCommand):
    help = "Back up and migrate the database and collect the static files, so that `up --prepared` can serve."

    def handle(self, *_: Any, **__: Any) -> None:
        say_database()
        migrate()
        self.check(tags=[Tags.database], databases=["default"])
        collect()


def migrate() -> None:
    """Bring the database up to date; where that changes one that is there, it is backed up first.
    Another process that does so just now is waited for."""
    keep_to_owner()
    with migrating():
        if to_migrate():
            before("migrate")
        call_command(Migrate(), verbosity=0, interactive=False)


def collect() -> None:
    """Put the static files where they are served from, once for each version of them."""
    collect_once(lambda: call_command("collectstatic", verbosity=0, interactive=False))


def to_migrate() -> bool:
    """Tell whether there is a database that a migration will change."""
    executor = MigrationExecutor(connection)
    applied = executor.loader.applied_migrations
    return bool(applied and executor.migration_plan(executor.loader.graph.leaf_nodes()))
