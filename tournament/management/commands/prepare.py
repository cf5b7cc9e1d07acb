"""`manage.py prepare`: once before serving, for all servers on a database."""

from typing import Any

from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.core.management.commands.migrate import Command as Migrate
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournament.backup import before
from tournament.backup.in_use import migrating
from tournament.management.base import check_place, check_whole, say_database
from tournament.server.database import keep_to_owner
from tournament.server.static_files import collect_once


class Command(BaseCommand):
    help = "Back up and migrate the database and collect the static files, so that `up --prepared` can serve."

    def handle(self, *_: Any, **__: Any) -> None:
        say_database()
        check_place()
        check_whole()
        migrate()
        self.check(tags=[Tags.database], databases=["default"])
        collect()


def migrate() -> None:
    """Migrate, one process at a time; back up an existing database first."""
    keep_to_owner()
    with migrating():
        if not connection.introspection.table_names():
            print("Setting up the database: a minute or two, once.", flush=True)
        if to_migrate():
            before("migrate")
        call_command(Migrate(), verbosity=0, interactive=False)


def collect() -> None:
    """Collect the static files, once per version."""
    collect_once(lambda: call_command("collectstatic", verbosity=0, interactive=False))


def to_migrate() -> bool:
    """Whether a migration will change an existing database."""
    executor = MigrationExecutor(connection)
    return bool(
        executor.loader.applied_migrations and executor.migration_plan(executor.loader.graph.leaf_nodes())
    )
