"""File cache for workbooks of big events, in `exports/` of LASTCARD_DATA. The name is the cache key:

    <tournament uid>.<audience>.<what is seen>-<version>-<ledger head>.xlsx

`what is seen` is a digest of the program and, for the public, the stages' freeze state: a freeze or undone reveal
invalidates the file. The ledger head detects a restored backup. The mtime is the moment shown. Files are private to
their owner; old and excess ones are deleted.
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
        """Its path, existing or not."""
        return folder() / f"{self.series}.{self.seen}-{self.version}-{self.head[:DIGITS]}.xlsx"


@dataclass(frozen=True, slots=True)
class Kept:
    """A cached workbook: `head` abbreviated, `at`: the moment shown."""

    file: Path
    version: int
    head: str
    at: datetime
    size: int  # bytes


def folder() -> Path:
    """Cache folder."""
    return Path(settings.DATA_DIR) / "exports"


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
    found = [(path, path.stat()) for path in folder().iterdir() if path.suffix != ".lock" and path.exists()]
    for path, stat in sorted(found, key=lambda each: (each[0] == new, each[1].st_mtime), reverse=True):
        left -= stat.st_size if path.suffix == ".xlsx" else 0
        if path != new and (stat.st_mtime < oldest or (left < 0 and path.suffix == ".xlsx")):
            path.unlink(missing_ok=True)


def take_away_all(tournament: UUID) -> None:
    """Delete all workbooks of a tournament."""
    for path in folder().glob(f"{tournament}.*"):
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


@cache
def program_digest() -> str:
    """Digest of sources and translations."""
    digest = hashlib.sha256()
    root, words = Path(settings.CODE_DIR), Path(settings.BASE_DIR) / "locale"
    sources = (path for each in ("rulesets", "scoring", "tournament") for path in (root / each).rglob("*.py"))
    for path in sorted([*sources, *words.rglob("*.mo")]):
        digest.update(str(path.relative_to(root)).encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
