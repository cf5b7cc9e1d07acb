"""Background processes for long workbooks.

A job is `export_workbook SLUG --job` at low priority. Its state is `SERIES.json` in the cache folder, removed on
success. It is alive while `SERIES.lock` is held, which server and job share and the system releases when both end.

| event | result |
| --- | --- |
| two requests, even on two servers | one job |
| server killed | job continues; the next server finds the lock |
| job failed | its server records why, then unlocks |
| both killed | state without lock: restarted, at most three times |
| disk full | no partial workbook; recorded, or raised to the caller |
"""

import errno
import hashlib
import json
import logging
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread, Timer
from typing import IO, Literal
from uuid import UUID

from django.conf import settings
from django.db import connection

from tournament.files.workbook.event import read_event
from tournament.models import LedgerRow, Play, Stage, Tournament
from tournament.server.database import snapshot
from tournament.server.environment import program_digest
from tournament.server.exports import folder
from tournament.server.machine import be_nice, take_lock, whole_file
from tournament.server.sqlite import WAL, sqlite3

# ---- File cache for workbooks of big events, in `exports/` of LASTCARD_DATA ----

EVERYBODY, ORGANISERS = AUDIENCES = ("everybody", "organisers")
MOST_BYTES = 500 * 1024 * 1024
MOST_AGE_S = 7 * 24 * 3600
DIGITS = 12  # of a digest


@dataclass(frozen=True, slots=True)
class Series:
    """Workbooks of one event and audience."""

    tournament: UUID
    audience: str

    def __str__(self) -> str:
        return f"{self.tournament}.{self.audience}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The current workbook of a series: `version`, ledger `head`."""

    series: Series
    seen: str
    version: int
    head: str

    @property
    def file(self) -> Path:
        return folder() / f"{self.series}.{self.seen}-{self.version}-{self.head[:DIGITS]}.xlsx"


@dataclass(frozen=True, slots=True)
class Kept:
    """A cached workbook: `head` abbreviated, `at`: the moment shown."""

    file: Path
    version: int
    head: str
    at: datetime
    size: int  # bytes


def wanted(tournament: Tournament, audience: str, *, program: str = "") -> Wanted:
    """Key of the current workbook; `program` overrides the digest. Call within the tournament's `snapshot()`."""
    series = Series(tournament.uid, audience)
    digest = hashlib.sha256((program or program_digest()).encode())
    if audience == EVERYBODY:
        frozen = Stage.objects.filter(tournament=tournament, frozen_after__isnull=False).order_by("number")
        digest.update(repr(list(frozen.values_list("uid", "frozen_after", "revealed"))).encode())
    return Wanted(series, digest.hexdigest()[:DIGITS], tournament.version, tournament.ledger_head)


def newest(wanted: Wanted, version: int | None = None) -> Kept | None:
    """Newest usable workbook, or that of `version`; same history and visibility."""
    found = [each for each in _kept(wanted) if version in (None, each.version)]
    rows = LedgerRow.objects.filter(
        tournament__uid=wanted.series.tournament, sequence__in=[each.version for each in found]
    )
    heads = {**dict(rows.values_list("sequence", "digest")), wanted.version: wanted.head}
    return max(
        (each for each in found if each.head == heads.get(each.version, "-")[:DIGITS]),
        key=lambda each: each.version,
        default=None,
    )


def put(wanted: Wanted, at: datetime, write: Callable[[IO[bytes]], None]) -> None:
    """Store the output of `write`, showing moment `at`, atomically with fsync. Raises OSError, leaving no file."""
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    part = folder() / f"{wanted.series}.{secrets.token_hex(4)}.part"
    try:
        with open(part, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.utime(part, (at.timestamp(), at.timestamp()))
        part.replace(wanted.file)
    finally:
        part.unlink(missing_ok=True)
    take_away_old(wanted.file)


def take_away_old(new: Path) -> None:
    """Delete files older than MOST_AGE_S, then the oldest beyond MOST_BYTES; never `new`."""
    oldest, left = datetime.now(UTC).timestamp() - MOST_AGE_S, MOST_BYTES
    found = []
    for path in folder().iterdir():
        with suppress(FileNotFoundError):  # another job has renamed its part
            found += [(path, path.stat())] if path.suffix != ".lock" else []
    for path, stat in sorted(found, key=lambda each: (each[0] == new, each[1].st_mtime), reverse=True):
        left -= stat.st_size if path.suffix == ".xlsx" else 0
        if path != new and (stat.st_mtime < oldest or (left < 0 and path.suffix == ".xlsx")):
            path.unlink(missing_ok=True)


def take_away_parts(series: Series) -> None:
    """Delete partial files of a killed process."""
    for path in folder().glob(f"{series}.*.part"):
        path.unlink(missing_ok=True)


def _kept(wanted: Wanted) -> Iterator[Kept]:
    """Cached workbooks of this visibility and any history."""
    named = re.compile(re.escape(f"{wanted.series}.{wanted.seen}-") + r"(\d{1,18})-([0-9a-f]*)\.xlsx")
    for path in folder().glob(f"{wanted.series}.*.xlsx"):
        found = named.fullmatch(path.name)
        with suppress(FileNotFoundError):  # deleted concurrently
            if found:
                stat = path.stat()
                yield Kept(
                    path, int(found[1]), found[2], datetime.fromtimestamp(stat.st_mtime, UTC), stat.st_size
                )


logger = logging.getLogger("tournament.exports.jobs")

JOBS_AT_ONCE = 2  # jobs on this computer
MOST_TRIES = 3  # interruptions
LONGEST_S = 3600  # seconds
TELL_S = 0.3  # seconds between progress reports
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FULL_SQLITE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR | 3 << 8}  # SQLITE_FULL, SQLITE_IOERR_WRITE
FULL_CODE = 28  # exit code: disk full

Why = Literal["full", "stopped", "fault"]


@dataclass(frozen=True, slots=True)
class Job:
    """Progress: `done` of `rows` written, 0 of 0 while reading; `why` it failed, or ""."""

    done: int = 0
    rows: int = 0
    why: Why | Literal[""] = ""
    tries: int = 1


def is_big(tournament: Tournament) -> bool:
    """Whether the workbook is too slow for a request."""
    results = Play.objects.filter(table__stage__tournament=tournament, results__isnull=False).order_by()
    return results.values("results")[settings.WORKBOOK_AT_ONCE :][:1].exists()


def look(series: Series) -> Job | None:
    """Running or failed job; None if none, successful or to be restarted."""
    if _is_held(_lock(series)):
        return _read(series) or Job()
    job = _read(series)
    return job if job and job.why else None


def begin(
    series: Series, slug: str, allowed: Callable[[], bool] = lambda: True
) -> Literal["begun", "waits", "refused"] | Why:
    """Start a job that writes the current workbook. "waits": a job of the series is running, or JOBS_AT_ONCE
    are; "refused": not `allowed`; else why none could start."""
    with ExitStack() as held:
        try:
            folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            own = _held(held, [_lock(series)])
            places = (folder() / f"job-{number}.lock" for number in range(JOBS_AT_ONCE))
            place = _held(held, places) if own else None
            if own is None or place is None:
                return "waits"
            if not allowed():
                return "refused"
            before = _read(series)
            take_away_parts(series)
            if before and not before.why and before.tries >= MOST_TRIES:
                _write(series, replace(before, why="stopped"))
                return "stopped"
            _write(series, Job(tries=before.tries + 1 if before and not before.why else 1))
            process = _started(series, slug, [own, place])
        except OSError as error:
            logger.exception("no workbook of %s is written", slug)
            return "full" if error.errno in FULL else "fault"
        Thread(target=_watch, args=(process, series, held.pop_all()), daemon=True).start()
        return "begun"


def run(tournament: Tournament, audience: str, program: str) -> None:
    """Within the job: write the workbook, report progress. `program`: the server's digest. Raises OSError."""
    from tournament.extras.workbook.files.sheets import write_workbook  # imports XlsxWriter

    _end_after(LONGEST_S)
    with _copied(Series(tournament.uid, audience)), snapshot():
        be_nice()  # not before: writers wait for the copy
        tournament.refresh_from_db()
        new = wanted(tournament, audience, program=program)
        event = read_event(tournament, everything=audience == ORGANISERS)
    put(new, event.read_at, lambda file: write_workbook(event, file, _Telling(new.series)))
    _state(new.series).unlink(missing_ok=True)


def _end_after(seconds: float) -> None:
    # In the job itself, which outlives its server.
    end = Timer(seconds, os.kill, [os.getpid(), signal.SIGTERM])
    end.daemon = True
    end.start()


@contextmanager
def _copied(series: Series) -> Iterator[None]:
    """Read from a copy if SQLite uses a rollback journal, whose readers block writers: it takes a tenth of the time.
    Raises OSError."""
    if connection.vendor != "sqlite" or WAL or connection.in_atomic_block:
        yield
        return
    place = connection.settings_dict
    name, copy = place["NAME"], folder() / f"{series}.{os.getpid()}.database.part"
    connection.close()
    try:
        with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        place["NAME"] = copy
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode in FULL_SQLITE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(copy)) from error
        raise
    finally:
        connection.close()
        place["NAME"] = name
        copy.unlink(missing_ok=True)


def exit_code(error: OSError) -> int:
    """Exit code by which the server knows why a job failed."""
    return FULL_CODE if error.errno in FULL else 1


class _Telling:
    def __init__(self, series: Series) -> None:
        self._series, self._job = series, _read(series) or Job()
        self._last = 0.0

    def __call__(self, done: int, rows: int) -> None:
        if time.monotonic() - self._last >= TELL_S:
            self._last = time.monotonic()
            with suppress(OSError):  # progress is optional
                _write(self._series, replace(self._job, done=done, rows=rows))


def _started(series: Series, slug: str, locks: list[int]) -> subprocess.Popen[bytes]:
    """Own session: survives Ctrl-C on the server."""
    return subprocess.Popen(  # noqa: S603 - our own program; the slug is that of a tournament
        _command(series, slug),
        cwd=settings.CODE_DIR,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=locks if hasattr(os, "fork") else (),  # on Windows only the server holds them
        start_new_session=True,
    )


def _command(series: Series, slug: str) -> list[str]:
    said = ["--as", series.audience, "--job", program_digest()]
    return [sys.executable, "-m", "tournament", "export_workbook", *said, "--", slug]


def _watch(process: subprocess.Popen[bytes], series: Series, held: ExitStack) -> None:
    """Record a job's failure, release its locks."""
    with held:
        if code := process.wait():
            logger.error("the workbook %s was not finished: exit code %s", series, code)
            why: Why = "full" if code == FULL_CODE else "stopped" if code < 0 else "fault"
            with suppress(OSError):
                take_away_parts(series)
                _write(series, replace(_read(series) or Job(), why=why))


def _state(series: Series) -> Path:
    return folder() / f"{series}.json"


def _read(series: Series) -> Job | None:
    try:
        return Job(**json.loads(_state(series).read_text()))
    except (OSError, ValueError, TypeError):  # missing, or of another version
        return None


def _write(series: Series, job: Job) -> None:
    with whole_file(_state(series)) as file:
        file.write(json.dumps(asdict(job)).encode())


def _lock(series: Series) -> Path:
    return folder() / f"{series}.lock"


def _held(held: ExitStack, paths: Iterable[Path]) -> int | None:
    """Lock the first free path until `held` closes and the child ends, if any."""
    for path in paths:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if take_lock(descriptor):
            held.callback(os.close, descriptor)
            return descriptor
        os.close(descriptor)
    return None


def _is_held(path: Path) -> bool:
    with suppress(FileNotFoundError), path.open("rb") as file:
        return not take_lock(file, shared=True)
    return False
