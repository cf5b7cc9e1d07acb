"""Base of commands about events: name the database, require a matching schema."""

import logging
import os
import stat
import sys
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tournament.backup.shelf import damage_words
from tournament.models import Tournament
from tournament.server.database import damage

NONE_YET = "There is no Lastcard database yet. Create one with `prepare`, or start Lastcard with `up`."
NEWER = "A newer Lastcard wrote this database ({names}). Update this program first. Nothing was changed."
OLDER = "An older Lastcard wrote this database. Migrate it with `prepare`, which makes a backup first."
UNWRITABLE = (
    "Lastcard cannot write to {path}. Run it as the user whose folder that is, on a disk that takes files."
)

logger = logging.getLogger(__name__)


class DataCommand(BaseCommand):
    """Command about events; CommandError if the database is missing, damaged, older or newer."""

    requires_migrations_checks = True

    def check_migrations(self) -> None:
        say_database()
        check_place()
        check_whole()
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


def check_place() -> None:
    """Warn of a folder open to other users. CommandError if the data cannot be written."""
    name = Path(connection.settings_dict["NAME"])
    files = [name.parent, name] if connection.vendor == "sqlite" and not in_memory() else []
    for path in (settings.DATA_DIR, *files):
        there = next(each for each in (path, *path.absolute().parents) if each.exists())
        if not os.access(there, os.W_OK):
            raise CommandError(UNWRITABLE.format(path=there))
    if os.name != "nt" and settings.DATA_DIR.exists() and settings.DATA_DIR.stat().st_mode & stat.S_IRWXO:
        logger.warning("Other users of this computer can look into %s: chmod 700 it.", settings.DATA_DIR)


def check_whole() -> None:
    """CommandError, with the newest backup, if the database is damaged."""
    if is_there() and damage():
        raise CommandError(damage_words())


def check_database() -> None:
    """CommandError unless exactly this program's migrations are applied."""
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
    return connection.vendor != "sqlite" or in_memory() or Path(connection.settings_dict["NAME"]).exists()


def in_memory() -> bool:
    """Whether this SQLite database has no file."""
    return bool(connection.is_in_memory_db())  # type: ignore[attr-defined]  # SQLite's has it


def tournament_at(slug: str) -> Tournament:
    """Tournament by slug; CommandError if unknown."""
    found = Tournament.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no event {slug}.")
    return found
