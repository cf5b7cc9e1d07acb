"""Cached files of events in `exports/` of LASTCARD_DATA, named by the event's uid."""

from pathlib import Path
from uuid import UUID

from django.conf import settings


def folder() -> Path:
    """The folder, perhaps missing."""
    return Path(settings.DATA_DIR) / "exports"


def take_away_all(tournament: UUID) -> None:
    """Delete all files of an event."""
    for path in folder().glob(f"{tournament}.*"):
        path.unlink(missing_ok=True)
