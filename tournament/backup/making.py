"""Making backups: on request, before bulk actions, by time."""

import hashlib
import json
import logging
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep

from django.conf import settings
from django.db import Error, connection
from django.utils.crypto import salted_hmac

from tournament.backup import hook, shelf
from tournament.backup.copying import ENDINGS, BackupFailed, Facts, copy_to, facts_in, size
from tournament.backup.in_use import Locked, lock
from tournament.server.machine import whole_file

logger = logging.getLogger(__name__)

LEFT_FREE = 200_000_000  # bytes of disk to leave free
BEFORE_MOST = 500_000_000  # bytes; larger databases are not copied while a user waits
BEFORE_S = 15.0  # seconds, the user's longest wait
BEFORE_EVERY = timedelta(minutes=2)  # a younger backup suffices
WAIT_S = 60.0  # seconds to wait for another backup
_one_at_a_time = threading.Lock()


def make_backup(file: Path | None = None, *, why: str = "asked for") -> Path:
    """Back up atomically to `file` or a new file in the folder, with a JSON description; returns the path. Raises
    BackupFailed and OSError, leaving nothing behind."""
    with _alone(WAIT_S):
        return _make(file, why)


def before(why: str) -> None:
    """Back up before a bulk action, unless nothing changed or a backup is younger than BEFORE_EVERY. Blocks for at
    most BEFORE_S; never raises, but logs failures and shows them on the board."""
    if not settings.BACKUP_EVERY or connection.in_atomic_block:
        return
    try:
        made = shelf.newest()
        if (made and datetime.now(UTC) - made < BEFORE_EVERY) or _nothing_new():
            return
        if (bytes_ := size()) > BEFORE_MOST:
            logger.warning("No backup before %s: %d MB would take too long.", why, bytes_ // 1_000_000)
            return
        with _alone(BEFORE_S):
            _make(None, f"{shelf.BEFORE}{why}", most_s=BEFORE_S)
    except (BackupFailed, OSError, Error) as failed:
        shelf.note_failure(_words(failed))


def keep_up() -> None:
    """Back up if due (BACKUP_EVERY minutes) and data changed. Never raises."""
    try:
        with _alone(0):
            made = shelf.newest(by_time=True)
            due = made is None or datetime.now(UTC) - made >= timedelta(minutes=settings.BACKUP_EVERY)
            if due and not _nothing_new():
                _make(None, "by time")
    except Locked:
        return
    except (BackupFailed, OSError, Error) as failed:
        shelf.note_failure(_words(failed))


def _make(file: Path | None, why: str, *, most_s: float | None = None) -> Path:
    made = datetime.now(UTC)
    own = file is None
    if file is None:
        file = shelf.folder() / f"{shelf.NAME}{made.strftime(shelf.STAMP)}.{ENDINGS[connection.vendor]}"
    file.parent.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(file.parent).free < size() + LEFT_FREE:
        raise BackupFailed("the disk is too full")
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        facts = copy_to(part, most_s=most_s)
        with whole_file(shelf.beside(file)) as about:
            about.write(_description(part, facts, why=why, made=made).encode())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    if own:
        shelf.note_success()
        shelf.tidy()
        hook.begin(file)
    return file


def _description(copy: Path, facts: Facts, *, why: str, made: datetime) -> str:
    said = {
        "format": 1,
        "made": made.isoformat(),
        "why": why,
        "database": connection.vendor,
        "server": ".".join(map(str, connection.get_database_version())),
        "bytes": copy.stat().st_size,
        "sha256": sha256(copy),
        "key": key_mark(settings.SECRET_KEY),
        **facts,
    }
    return json.dumps(said, indent=1) + "\n"


def key_mark(key: str) -> str:
    """A mark of the secret key for backups, from which nothing follows about the key."""
    return salted_hmac("tournament.backup", "key", secret=key, algorithm="sha256").hexdigest()[:16]


def sha256(file: Path) -> str:
    """Digest as 64 hexadecimal digits."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _nothing_new() -> bool:
    found = next(iter(shelf.kept()), None)
    if found is None:
        return False
    said = found.facts()
    with connection.cursor() as cursor:
        now = facts_in(cursor)
    return {name: said.get(name) for name in now} == now


@contextmanager
def _alone(wait_s: float) -> Iterator[None]:
    """Lock across threads and processes. Raises Locked after `wait_s` seconds."""
    until = monotonic() + wait_s
    if not _one_at_a_time.acquire(timeout=wait_s) if wait_s else not _one_at_a_time.acquire(blocking=False):
        raise Locked("another backup is being made")
    try:
        shelf.folder().mkdir(parents=True, exist_ok=True)
        while True:
            try:
                held = lock(shelf.folder() / "lock")
                break
            except Locked:
                if monotonic() >= until:
                    raise
                sleep(0.05)
        with held:
            yield
    finally:
        _one_at_a_time.release()


def _words(failed: Exception) -> str:
    if isinstance(failed, OSError) and failed.filename:
        return f"{failed.strerror or failed}: {failed.filename}"
    return str(failed)
