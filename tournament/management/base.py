"""Base of commands about events: name the database, require a matching schema."""

import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

NONE_YET = "There is no Lastcard database yet. Create one with `prepare`, or start Lastcard with `up`."
NEWER = "A newer Lastcard wrote this database ({names}). Update this program first. Nothing was changed."
OLDER = "An older Lastcard wrote this database. Migrate it with `prepare`, which makes a backup first."


class DataCommand(BaseCommand):
    """Command about events; raises CommandError if the database is missing, older or newer."""

    requires_migrations_checks = True

    def check_migrations(self) -> None:
        """Print and check the database first."""
        say_database()
        check_database()


def say_database() -> None:
    """Print the database on standard error, without password."""
    print(f"Database: {database_words()}", file=sys.stderr)


def database_words() -> str:
    """Path of an SQLite database, else `host:port/name`."""
    place = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(place["NAME"])
    return f"{place['HOST'] or 'localhost'}:{place['PORT'] or 5432}/{place['NAME']}"


def check_database() -> None:
    """Raise CommandError unless exactly this program's migrations are applied."""
    if not is_there():
        raise CommandError(NONE_YET)
    loader = MigrationLoader(connection)
    applied = {key for key in loader.applied_migrations if key[0] == "tournament"}
    if not applied:
        raise CommandError(NONE_YET)
    if newer := sorted(name for _, name in applied - set(loader.disk_migrations)):
        raise CommandError(NEWER.format(names=", ".join(newer)))
    if set(loader.graph.leaf_nodes("tournament")) - applied:
        raise CommandError(OLDER)


def is_there() -> bool:
    """Whether a database exists (opening SQLite's creates it)."""
    if connection.vendor != "sqlite" or connection.is_in_memory_db():  # type: ignore[attr-defined]  # SQLite's has it
        return True
    return Path(connection.settings_dict["NAME"]).exists()
