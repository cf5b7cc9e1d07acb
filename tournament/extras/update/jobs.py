"""Daily request for a newer Lastcard at UPDATES_FROM, without data, redirects or proxies."""

import asyncio
import json
import logging
import re
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone

from tournament import __version__
from tournament.server.background import Beside

logger = logging.getLogger("tournament.newest")

ASKS_EVERY = timedelta(days=1)
CLOCK_EVERY_S = 3600.0  # seconds between looks at the clock
TIMEOUT_S = 10.0
MOST_READ = 64 * 1024  # bytes


class Asker(Beside):
    """Asks once a day, across restarts and failures. `now` is for tests."""

    name = "newest"

    def __init__(self, *, now: Callable[[], datetime] = timezone.now) -> None:
        super().__init__()
        self._now = now

    async def _run(self) -> None:
        while True:
            with suppress(OSError):  # disk full: do not ask
                await self.look()
            await asyncio.sleep(CLOCK_EVERY_S)

    async def look(self) -> None:
        """Ask if due. Raises OSError if the answer cannot be stored."""
        now = self._now()
        if not is_due(now):
            return
        note(now)
        try:
            said = await asyncio.to_thread(json_at, settings.UPDATES_FROM)
        except (OSError, HTTPException, ValueError) as error:
            said = None
            logger.warning("UPDATES_FROM did not answer: %s", error)
        if found := newest_in(said):
            note(now, found)
        else:
            logger.warning("UPDATES_FROM did not name a version")


def json_at(address: str) -> Any:
    """The JSON that a GET answers. Raises OSError, HTTPException or ValueError."""
    parts = urlsplit(address)
    to = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    with closing(to(parts.netloc, timeout=TIMEOUT_S)) as connection:
        path = address.partition(parts.netloc)[2]
        connection.request("GET", path or "/", headers={"User-Agent": "Lastcard"})
        answer = connection.getresponse()
        if answer.status != HTTPStatus.OK:
            raise OSError(f"status {answer.status}")
        return json.loads(answer.read(MOST_READ))


# ---- The newest known version, cached in the data folder ----


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
