"""Newest known version, cached in the data folder."""

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings

from tournament import __version__

ASKS_EVERY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Newest:
    """A version and its release notes' URL, or ""."""

    version: str
    notes: str = ""


def newer() -> Newest | None:
    """The newest version, if newer than this and checks are on."""
    found = newest_in(_read() if settings.UPDATES_FROM else {})
    return found if found and in_order(found.version) > in_order(__version__) else None


def newest_in(said: Any) -> Newest | None:
    """Parse `{"version": "0.3.0", "notes": "https://..."}`, if valid."""
    if not isinstance(said, dict):
        return None
    version, notes = said.get("version"), said.get("notes", "")
    if not isinstance(version, str) or not re.fullmatch(r"\d{1,4}(\.\d{1,4}){1,3}", version, re.ASCII):
        return None
    fine = isinstance(notes, str) and re.fullmatch(r"https://[!-~]{1,300}", notes)
    return Newest(version, notes if fine else "")


def is_due(now: datetime) -> bool:
    """Whether the last update check is a day old."""
    with suppress(ValueError, TypeError):
        return now - datetime.fromisoformat(_read().get("asked", "")) >= ASKS_EVERY
    return True


def note(now: datetime, found: Newest | None = None) -> None:
    """Record an update check; without `found` the earlier result stays."""
    kept = found or newest_in(_read())
    said = {"version": kept.version, "notes": kept.notes} if kept else {}
    _file().write_text(json.dumps({"asked": now.isoformat(), **said}))


def in_order(version: str) -> tuple[tuple[int, ...], bool]:
    """Sort key of a version; 0.4.0.dev0 comes before 0.4.0."""
    release, before, _ = version.partition(".dev")
    return tuple(map(int, re.findall(r"\d+", release))), not before


def _file() -> Path:
    return Path(settings.DATA_DIR) / "newest.json"


def _read() -> dict[str, Any]:
    try:
        said = json.loads(_file().read_text())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}
