"""Backup folder: listing, retention, last failure. Each backup has a JSON description. `failed.json`: the last backup
failed; `stays.json`: its hook did."""

import json
import logging
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)

NAME = "lastcard-"
STAMP = "%Y-%m-%dT%H%M%S-%fZ"
# Retention, separate before bulk actions and otherwise
LATEST = 12
HOURS = 24  # last of each hour
DAYS = 30  # last of each day
BEFORE = "before "  # reason prefix: before a bulk action
_failed_here: dict[str, Any] = {}  # even if the disk is full


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup: file, time, bytes."""

    file: Path
    made: datetime
    size: int

    def facts(self) -> dict[str, Any]:
        """JSON description; {} without one."""
        return _json(beside(self.file))

    @property
    def before(self) -> bool:
        """Whether it precedes a bulk action."""
        return str(self.facts().get("why", "")).startswith(BEFORE)


@dataclass(frozen=True, slots=True)
class Shelf:
    """State for the event board: newest backup, and why a later one failed, or ""."""

    folder: Path
    newest: datetime | None
    failed: str = ""

    @classmethod
    def now(cls) -> "Shelf":
        made = newest()
        failure = _failed_here or _json(_failure_file())
        at = failure.get("at", "")
        still = bool(at) and (made is None or datetime.fromisoformat(at) > made)
        return cls(folder(), made, str(failure.get("why", "")) if still else "")


def folder() -> Path:
    return Path(settings.BACKUP_FOLDER)


def beside(file: Path) -> Path:
    """JSON description of a backup."""
    return file.with_name(f"{file.name}.json")


def kept() -> list[Kept]:
    """All backups, newest first."""
    found = []
    for file in folder().glob(f"{NAME}*"):
        with suppress(ValueError, OSError):
            if file.suffix not in {".part", ".json"}:
                made = datetime.strptime(file.stem.removeprefix(NAME), STAMP).replace(tzinfo=UTC)
                found.append(Kept(file, made, file.stat().st_size))
    return sorted(found, key=lambda one: one.made, reverse=True)


def newest(*, by_time: bool = False) -> datetime | None:
    """Time of the newest backup, or None; `by_time` ignores those before bulk actions."""
    return next((one.made for one in kept() if not (by_time and one.before)), None)


def damage_words() -> str:
    """Advice on a damaged database."""
    for one in kept()[:1]:
        return f"The database file is damaged. Stop Lastcard and restore the newest backup: lastcard restore {one.file}"
    return f"The database file is damaged, and there is no backup in {folder()}."


def thin(backups: Iterable[Kept], most_bytes: int) -> list[Kept]:
    """Backups (newest first) to delete: outside LATEST, HOURS and DAYS, then the oldest beyond `most_bytes`, those
    before bulk actions first. The newest stays."""
    backups = list(backups)
    others = [one for one in backups if not one.before]
    large = [one for one in backups if one.before]
    wanted = {*_wanted(others), *_wanted(large)}
    sum_, going = 0, []
    for one in dict.fromkeys((*backups[:1], *others, *large)):
        if one == backups[0] or (one in wanted and sum_ + one.size <= most_bytes):
            sum_ += one.size
        else:
            going.append(one)
    return going


def _wanted(backups: list[Kept]) -> list[Kept]:
    hours = {f"{one.made:%Y-%m-%dT%H}": one for one in reversed(backups)}  # the last of each hour wins
    days = {f"{one.made:%Y-%m-%d}": one for one in reversed(backups)}
    return [*backups[:LATEST], *[*hours.values()][-HOURS:], *[*days.values()][-DAYS:]]


def tidy() -> None:
    """Delete expired backups, and partial files after a day."""
    for one in thin(kept(), settings.BACKUP_MOST_MB * 1_000_000):
        one.file.unlink(missing_ok=True)
        beside(one.file).unlink(missing_ok=True)
    old = datetime.now(UTC) - timedelta(days=1)
    for part in folder().glob(f"{NAME}*.part"):
        if datetime.fromtimestamp(part.stat().st_mtime, UTC) < old:
            part.unlink(missing_ok=True)


def note_failure(why: str) -> None:
    """Log a failed backup; event boards show it until one succeeds."""
    logger.error("No backup was made: %s", why)
    _failed_here.update(at=datetime.now(UTC).isoformat(), why=why)
    with suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True)
        _failure_file().write_text(json.dumps(_failed_here))


def note_success() -> None:
    """Clear the last failure."""
    _failed_here.clear()
    with suppress(OSError):
        _failure_file().unlink(missing_ok=True)


def _failure_file() -> Path:
    return folder() / "failed.json"


def _json(file: Path) -> dict[str, Any]:
    try:
        read = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}
