"""Long workbooks, each written by a process of its own, while the server goes on as usual.

    begin(series, slug)     a process that writes the workbook of now, unless one does already
    look(series)            how far it is, or why there is none

A job is the command `export_workbook SLUG --job`, nice to everything else. Its state is a file beside the workbooks,
`SERIES.json`, which is removed when the workbook is there; it is no row of the database. A job is alive while
`SERIES.lock` is locked. The server takes this lock and shares it with the process: the system releases it when both are
gone, however they end. So

| what happens | what follows |
| --- | --- |
| two ask at once, of one server or of two | one process; both see how far it is |
| the server is stopped or killed | the process goes on; the next server finds it by its lock |
| the process is killed, or fails | the server that began it says so in the file, then lets go |
| both are gone in the middle | a file that says "reading", and no lock: it is begun again, three times at most |
| the disk is full | no half workbook; the file says so, or where not even that fits, whoever begins is told |
"""

import errno
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Thread, Timer
from typing import Literal

from django.conf import settings
from django.db import connection

from tournament.files.workbook.cache import (
    ORGANISERS,
    Series,
    folder,
    program_digest,
    put,
    take_away_parts,
    wanted,
)
from tournament.files.workbook.event import read_event
from tournament.models import Play, Tournament
from tournament.server.database import snapshot
from tournament.server.machine import be_nice, take_lock
from tournament.server.sqlite import WAL, sqlite3

logger = logging.getLogger("tournament.exports.jobs")

AT_ONCE = 2  # jobs on this computer
MOST_TRIES = 3  # after so many interruptions somebody has to ask again
LONGEST_S = 3600  # a job that takes longer ends itself
TELL_S = 0.3  # seconds between two reports of progress
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FULL_SQLITE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR | 3 << 8}  # the second: a write failed
FULL_CODE = 28  # the exit code of a job that found the disk full

Why = Literal["full", "stopped", "fault"]


@dataclass(frozen=True, slots=True)
class Job:
    """The progress of a workbook: `done` of `rows` are written, 0 of 0 while results are read; or `why` it was not
    finished, "" while it still may be."""

    done: int = 0
    rows: int = 0
    why: Why | Literal[""] = ""
    tries: int = 1


class NotBegun(Exception):
    """No job could be begun; `why` as in Job."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


def is_big(tournament: Tournament) -> bool:
    """Tell whether the workbook takes too long to be written within a request."""
    results = Play.objects.filter(table__stage__tournament=tournament, results__isnull=False).order_by()
    return results.values("results")[settings.WORKBOOK_AT_ONCE :][:1].exists()


def look(series: Series) -> Job | None:
    """Find the job that is writing a workbook of this series, or failed to; None where none was begun, it is done, or
    it has to be begun again."""
    if _is_held(_lock(series)):
        return _read(series) or Job()
    job = _read(series)
    return job if job and job.why else None


def begin(
    series: Series, slug: str, allowed: Callable[[], bool] = lambda: True
) -> Literal["begun", "waits", "refused"]:
    """Begin a job that writes the workbook of now, for a series of the event at this address. "waits" if such a job
    runs already, or as many run as may at once; "refused" if one could begin but is not `allowed`.

    Raises NotBegun.
    """
    with ExitStack() as held:
        try:
            folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            own = _held(held, [_lock(series)])
            places = (folder() / f"job-{number}.lock" for number in range(AT_ONCE))
            place = _held(held, places) if own else None
            if own is None or place is None:
                return "waits"
            if not allowed():
                return "refused"
            before = _read(series)
            take_away_parts(series)
            if before and not before.why and before.tries >= MOST_TRIES:
                _write(series, replace(before, why="stopped"))
                raise NotBegun("stopped")
            _write(series, Job(tries=before.tries + 1 if before and not before.why else 1))
            process = _started(series, slug, [own, place])
        except OSError as error:
            logger.exception("no workbook of %s is written", slug)
            raise NotBegun("full" if error.errno in FULL else "fault") from error
        Thread(target=_watch, args=(process, series, held.pop_all()), daemon=True).start()
        return "begun"


def run(tournament: Tournament, audience: str, program: str) -> None:
    """Keep the workbook of this tournament as of now, for the server whose digest is `program`, and report the
    progress; runs in the job's process. Raises OSError."""
    from tournament.files.workbook.sheets import write_workbook  # and XlsxWriter

    _end_after(LONGEST_S)
    with _copied(Series(tournament.uid, audience)), snapshot():
        be_nice()  # not earlier, since saves wait for the end of the copying
        tournament.refresh_from_db()
        new = wanted(tournament, audience, program=program)
        event = read_event(tournament, everything=audience == ORGANISERS)
    put(new, event.read_at, lambda file: write_workbook(event, file, _Telling(new.series)))
    _state(new.series).unlink(missing_ok=True)


def _end_after(seconds: float) -> None:
    """Have this process end as if it were killed, unless it has ended by then."""
    end = Timer(seconds, os.kill, [os.getpid(), signal.SIGTERM])
    end.daemon = True
    end.start()


@contextmanager
def _copied(series: Series) -> Iterator[None]:
    """Let this process read a copy of an SQLite database with a rollback journal: saves wait for readers there, and
    copying the file takes a tenth of the time of reading an event's results. Raises OSError."""
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
    """Give the exit code of a job's process after this error, by which the server knows why it ended."""
    return FULL_CODE if error.errno in FULL else 1


class _Telling:
    """Writes the progress of a job to its file, not too often."""

    def __init__(self, series: Series) -> None:
        self._series, self._job = series, _read(series) or Job()
        self._last = 0.0

    def __call__(self, done: int, rows: int) -> None:
        if time.monotonic() - self._last >= TELL_S:
            self._last = time.monotonic()
            with suppress(OSError):  # nobody waits for this file
                _write(self._series, replace(self._job, done=done, rows=rows))


def _started(series: Series, slug: str, locks: list[int]) -> subprocess.Popen[bytes]:
    """Start the process, in a session of its own: when the server is stopped from a terminal, the job still
    finishes."""
    return subprocess.Popen(  # noqa: S603 - our own program; the slug is that of a tournament
        _command(series, slug),
        cwd=settings.CODE_DIR,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=locks if hasattr(os, "fork") else (),  # on Windows the server alone holds them
        start_new_session=True,
    )


def _command(series: Series, slug: str) -> list[str]:
    said = ["--as", series.audience, "--job", program_digest()]
    return [sys.executable, "-m", "tournament", "export_workbook", *said, "--", slug]


def _watch(process: subprocess.Popen[bytes], series: Series, held: ExitStack) -> None:
    """Wait for the end of a job, and note the reason if it failed; then release its locks."""
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
    except (OSError, ValueError, TypeError):  # not there, or of another version of the program
        return None


def _write(series: Series, job: Job) -> None:
    part = folder() / f"{series}.{os.getpid()}.json.part"
    try:
        part.write_text(json.dumps(asdict(job)))
        part.replace(_state(series))
    finally:
        part.unlink(missing_ok=True)


def _lock(series: Series) -> Path:
    return folder() / f"{series}.lock"


def _held(held: ExitStack, paths: Iterable[Path]) -> int | None:
    """Take the first of these locks that is free; it is held until `held` is closed and the process that inherits it
    has ended. None where all are taken."""
    for path in paths:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if take_lock(descriptor):
            held.callback(os.close, descriptor)
            return descriptor
        os.close(descriptor)
    return None


def _is_held(path: Path) -> bool:
    """Tell whether somebody holds this lock."""
    with suppress(FileNotFoundError), path.open("rb") as file:
        return not take_lock(file, shared=True)
    return False
