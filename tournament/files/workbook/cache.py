"""Workbooks of big events that are kept as files, so that nobody waits for one twice.

They lie in `exports/` of LASTCARD_DATA. A file's name holds everything that its content depends on:

    <the tournament's uid>.<audience>.<what is seen>-<version>-<head of the ledger>.xlsx

`what is seen` is a digest of the program's own files and, for the workbook of everybody, of which stages are frozen
since when and how far they are revealed: a file made before a freeze is not served during it, nor one from before a
reveal was undone. The head of the ledger tells one history from another after a backup was restored. A file's time is
the moment that it shows. Only this computer's owner may read them; files that are too old or too many are deleted.
"""

import hashlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import IO
from uuid import UUID

from django.conf import settings

from tournament.models import LedgerRow, Stage, Tournament

EVERYBODY, ORGANISERS = AUDIENCES = ("everybody", "organisers")
MOST_BYTES = 500 * 1024 * 1024
MOST_AGE_S = 7 * 24 * 3600
DIGITS = 12  # of a digest


@dataclass(frozen=True, slots=True)
class Series:
    """The workbooks of an event for one audience: each new one takes the place of those before."""

    tournament: UUID
    audience: str

    def __str__(self) -> str:
        return f"{self.tournament}.{self.audience}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The workbook of a series as of now: of this `version`, with this `head` of the ledger."""

    series: Series
    seen: str
    version: int
    head: str

    @property
    def file(self) -> Path:
        """Its path, whether or not the file exists."""
        return folder() / f"{self.series}.{self.seen}-{self.version}-{self.head[:DIGITS]}.xlsx"


@dataclass(frozen=True, slots=True)
class Kept:
    """A workbook that is there: the event's version, with the first digits of the ledger's head, and the moment that it
    shows."""

    file: Path
    version: int
    head: str
    at: datetime
    size: int  # bytes


def folder() -> Path:
    """Give the folder in which workbooks are kept."""
    return Path(settings.DATA_DIR) / "exports"


def wanted(tournament: Tournament, audience: str, *, program: str = "") -> Wanted:
    """The workbook of this tournament as it is now, of this program unless the digest of another is given. Call it
    inside the `snapshot()` in which the tournament was read."""
    series = Series(tournament.uid, audience)
    digest = hashlib.sha256((program or program_digest()).encode())
    if audience == EVERYBODY:
        frozen = Stage.objects.filter(tournament=tournament, frozen_after__isnull=False).order_by("number")
        digest.update(repr(list(frozen.values_list("uid", "frozen_after", "revealed"))).encode())
    return Wanted(series, digest.hexdigest()[:DIGITS], tournament.version, tournament.ledger_head)


def newest(wanted: Wanted, version: int | None = None) -> Kept | None:
    """Find the newest workbook that may replace the one wanted, or the one of this `version`: of the same history, and
    seen as now."""
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
    """Keep the output of `write` as the workbook wanted, which shows the moment `at`. The file appears once it is whole
    and on the disk; raises OSError, and then leaves no file."""
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
    """Delete workbooks that are too old, and the oldest while all together are too large; never the one that is
    `new`."""
    oldest, left = datetime.now(UTC).timestamp() - MOST_AGE_S, MOST_BYTES
    found = [(path, path.stat()) for path in folder().iterdir() if path.suffix != ".lock" and path.exists()]
    for path, stat in sorted(found, key=lambda each: (each[0] == new, each[1].st_mtime), reverse=True):
        left -= stat.st_size if path.suffix == ".xlsx" else 0
        if path != new and (stat.st_mtime < oldest or (left < 0 and path.suffix == ".xlsx")):
            path.unlink(missing_ok=True)


def take_away_all(tournament: UUID) -> None:
    """Delete every workbook of a tournament that is deleted."""
    for path in folder().glob(f"{tournament}.*"):
        path.unlink(missing_ok=True)


def take_away_parts(series: Series) -> None:
    """Delete files that a stopped process left half written."""
    for path in folder().glob(f"{series}.*.part"):
        path.unlink(missing_ok=True)


def _kept(wanted: Wanted) -> Iterator[Kept]:
    """List the kept workbooks of this series, seen as now, of any history."""
    named = re.compile(re.escape(f"{wanted.series}.{wanted.seen}-") + r"(\d{1,18})-([0-9a-f]*)\.xlsx")
    for path in folder().glob(f"{wanted.series}.*.xlsx"):
        found = named.fullmatch(path.name)
        with suppress(FileNotFoundError):  # another process may delete it just now
            if found:
                stat = path.stat()
                yield Kept(
                    path, int(found[1]), found[2], datetime.fromtimestamp(stat.st_mtime, UTC), stat.st_size
                )


@cache
def program_digest() -> str:
    """Compute the digest of everything that a workbook depends on beside the facts: the program, and its words."""
    digest = hashlib.sha256()
    root, words = Path(settings.CODE_DIR), Path(settings.BASE_DIR) / "locale"
    sources = (path for each in ("rulesets", "scoring", "tournament") for path in (root / each).rglob("*.py"))
    for path in sorted([*sources, *words.rglob("*.mo")]):
        digest.update(str(path.relative_to(root)).encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
