"""The folder of backups: the list of them, which are kept, and the last failure.

Each backup has a file of JSON beside it that says what it holds. `failed.json` is there while the last attempt failed,
`stays.json` while the last backup could not be taken elsewhere (hook.py).
"""

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
# Kept of the backups before something large, and of all others, by time or asked for; each counts by itself:
LATEST = 12  # so many of the latest are kept,
HOURS = 24  # the last one of each of so many latest hours with any,
DAYS = 30  # and the last one of each of so many latest days
BEFORE = "before "  # begins the reason of a backup that is made before something large
_failed_here: dict[str, Any] = {}  # the last failure in this process, even if not on the disk


@dataclass(frozen=True, slots=True)
class Kept:
    """One backup: its file, when it was made, and its bytes."""

    file: Path
    made: datetime
    size: int

    def facts(self) -> dict[str, Any]:
        """The facts in the file beside the backup; empty where there is none."""
        return _json(beside(self.file))

    @property
    def before(self) -> bool:
        """Whether it was made before something large."""
        return str(self.facts().get("why", "")).startswith(BEFORE)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The state of backups for the event board: the newest, and why the last attempt failed ("" if it did not)."""

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
    """The file that says what a backup holds."""
    return file.with_name(f"{file.name}.json")


def kept() -> list[Kept]:
    """List every backup in the folder, the newest first."""
    found = []
    for file in folder().glob(f"{NAME}*"):
        with suppress(ValueError, OSError):
            if file.suffix not in {".part", ".json"}:
                made = datetime.strptime(file.stem.removeprefix(NAME), STAMP).replace(tzinfo=UTC)
                found.append(Kept(file, made, file.stat().st_size))
    return sorted(found, key=lambda one: one.made, reverse=True)


def newest(*, by_time: bool = False) -> datetime | None:
    """Give the time of the newest backup; None without any. `by_time`: of those before something large none counts."""
    return next((one.made for one in kept() if not (by_time and one.before)), None)


def thin(backups: Iterable[Kept], most_bytes: int) -> list[Kept]:
    """List the backups (given newest first) that are not kept: those that are neither among the latest nor the last of
    their hour or day, and the oldest of the others while all together have more than `most_bytes`, first of those
    before something large. The newest is always kept."""
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
    """List those (given newest first) that are among the latest, or the last of their hour or day."""
    hours = {f"{one.made:%Y-%m-%dT%H}": one for one in reversed(backups)}  # the oldest hour first
    days = {f"{one.made:%Y-%m-%d}": one for one in reversed(backups)}
    return [*backups[:LATEST], *[*hours.values()][-HOURS:], *[*days.values()][-DAYS:]]


def tidy() -> None:
    """Delete backups that are no longer kept, and the remains of one that was interrupted a day ago."""
    for one in thin(kept(), settings.BACKUP_MOST_MB * 1_000_000):
        one.file.unlink(missing_ok=True)
        beside(one.file).unlink(missing_ok=True)
    old = datetime.now(UTC) - timedelta(days=1)
    for part in folder().glob(f"{NAME}*.part"):
        if datetime.fromtimestamp(part.stat().st_mtime, UTC) < old:
            part.unlink(missing_ok=True)


def note_failure(why: str) -> None:
    """Report that no backup was made: in the log, and on the event boards of every process until one is made."""
    logger.error("No backup was made: %s", why)
    _failed_here.update(at=datetime.now(UTC).isoformat(), why=why)
    with suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True)
        _failure_file().write_text(json.dumps(_failed_here))


def note_success() -> None:
    """Forget the last failure."""
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
