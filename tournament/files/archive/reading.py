"""Untrusted archives: validated before use, never unpacked to disk.

| attack | defence |
| --- | --- |
| zip bomb, false sizes | total size checked first, reads limited |
| path traversal, duplicate or unknown names | refused |
| missing, changed or added file | manifest with sizes and digests |
| newer schema | refused, naming the required version |
| wrong fields or types, non-integers, texts that no database stores | refused with the line |
| unknown reference, duplicate row | refused with the line |

`prepared` verifies the ledger.
"""

import hashlib
import io
import json
import re
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import partial
from itertools import count
from typing import IO, Any, NoReturn
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from tournament.files.archive.schema import KINDS, MANIFEST, VERSION, Field, People, kinds_of, rows_file
from tournament.files.archive.words import NotImported

MOST_BYTES = 1024**3  # unpacked; 10,000 results are about 50 MB
MOST_FILES = 20_000
# Bytes of one JSON value, which may take 30 times as much memory. A ledger row seating 1000 players: 300 kB; a
# manifest of MOST_FILES: 3 MB.
LONGEST_LINE = LONGEST_MANIFEST = 8 * 1024**2
DEEPEST = 40  # JSON nesting; written archives have 8
CHUNK = 1024**2  # bytes
YEARS = range(1800, 3000)  # leaves room for time zone shifts

_CONTEST = re.compile(r"(sheets|answers)/stage-[0-9]{1,5}(-table-[0-9]{1,5})?\.json")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NOT_KEPT = re.compile("[\x00\ud800-\udfff]")  # not storable
_ENCRYPTED = 0x1  # zip flag
_BROKEN_ZIP = (
    BadZipFile,
    NotImplementedError,
    ValueError,
    struct.error,
    zlib.error,
    OSError,
    EOFError,
    RuntimeError,
)
_ROWS = {rows_file(kind) for kind in KINDS}

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest; `files` maps names to SHA-256 digests."""

    version: int
    event: UUID
    name: str
    slug: str
    program: str
    people: People
    ledger_rows: int
    files: Mapping[str, str]


@contextmanager
def _unbroken(name: str) -> Iterator[None]:
    """Raises NotImported if the zip is broken."""
    try:
        yield
    except _BROKEN_ZIP:
        raise NotImported("damaged", name) from None


class Archive:
    """An archive in a seekable file. Raises NotImported if it is invalid, damaged or larger than `most_bytes`
    unpacked; rows are validated on reading."""

    def __init__(self, file: IO[bytes], *, most_bytes: int = MOST_BYTES) -> None:
        try:
            self._zip = ZipFile(file)
        except _BROKEN_ZIP:
            raise NotImported("no_archive") from None
        self._entries = _entries(self._zip, most_bytes)
        self._about = self._read_about()
        self.manifest = _manifest(self._about)
        self._kinds = kinds_of(self.manifest.version)
        self._check_files()

    def rows(self, kind: str) -> Iterator[tuple[str, Row]]:
        """Yield (file:line, values as model fields take them). Refs stay uids; the caller resolves them."""
        if kind not in self._kinds:
            return  # added in a later version
        name, fields = rows_file(kind), self._kinds[kind]
        later = {name: field for name, field in KINDS[kind].items() if name not in fields}
        with self._open(name) as lines:
            for number in count(1):
                where = f"{name}:{number}"
                if not (line := self._line(lines, name, where)):
                    return
                yield where, _row(line, fields, where) | {key: each.default() for key, each in later.items()}

    def json(self, name: str, most_bytes: int) -> Any:
        """Parse a whole file; NotImported above `most_bytes`."""
        if self._entries[name].file_size > most_bytes:
            raise NotImported("too_large", name)
        with self._open(name) as file, _unbroken(name):
            content = file.read()
        return _json(content, name)

    def contests(self) -> Iterator[str]:
        """Names of the score sheet and answer files."""
        return (name for name in self.manifest.files if name not in _ROWS)

    def _open(self, name: str) -> io.BufferedReader:
        with _unbroken(name):
            return io.BufferedReader(self._zip.open(self._entries[name]), CHUNK)  # type: ignore[arg-type]  # it reads

    @staticmethod
    def _line(lines: IO[bytes], name: str, where: str) -> bytes:
        with _unbroken(name):
            line = lines.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise NotImported("too_large", where)
        return line

    def _read_about(self) -> Row:
        if MANIFEST not in self._entries:
            raise NotImported("no_archive")
        about = self.json(MANIFEST, LONGEST_MANIFEST)
        if not isinstance(about, dict) or type(about.get("archive")) is not int:
            raise NotImported("no_archive")
        if about["archive"] > VERSION:
            program = about.get("program")
            raise NotImported("newer", program=program[:30] if isinstance(program, str) else "?")
        return about

    def _check_files(self) -> None:
        """Check that the files are exactly the manifest's, with their sizes and digests."""
        named = self.manifest.files
        there = self._entries.keys() - {MANIFEST}
        if missing := sorted((named.keys() | set(map(rows_file, self._kinds))) - (there & named.keys())):
            raise NotImported("missing_file", missing[0])
        if added := sorted(there - named.keys()):
            raise NotImported("added_file", added[0])
        for name, digest in named.items():
            if self._about["files"][name].get("bytes") != self._entries[name].file_size:
                raise NotImported("changed_file", name)
            with self._open(name) as file, _unbroken(name):
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != digest:
                raise NotImported("changed_file", name)


def _entries(archive: ZipFile, most_bytes: int) -> dict[str, ZipInfo]:
    entries: dict[str, ZipInfo] = {}
    if len(archive.infolist()) > MOST_FILES:
        raise NotImported("too_large")
    for entry in archive.infolist():
        name = entry.orig_filename  # zipfile cuts names at NUL
        if name in entries or not (name == MANIFEST or name in _ROWS or _CONTEST.fullmatch(name)):
            raise NotImported("unknown_file", name[:100])
        if entry.flag_bits & _ENCRYPTED:
            raise NotImported("locked")
        if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise NotImported("damaged", name)
        entries[name] = entry
    if sum(entry.file_size for entry in entries.values()) > most_bytes:
        raise NotImported("too_large")
    return entries


def _manifest(about: Row) -> Manifest:
    try:
        event, ledger, files = (_is(dict, about.get(key)) for key in ("event", "ledger", "files"))
        return Manifest(
            version=about["archive"],
            event=_uid(event.get("uid")),
            name=_text(event.get("name")),
            slug=_text(event.get("slug")),
            program=_text(about.get("program")),
            people=People(_text(about.get("people"))),
            ledger_rows=_int(ledger.get("rows")),
            files={name: _digest(facts) for name, facts in files.items()},
        )
    except (ValueError, TypeError):
        raise NotImported("wrong_value", MANIFEST) from None


def _digest(facts: Any) -> str:
    digest = _text(_is(dict, facts).get("sha256"))
    if not _DIGEST.fullmatch(digest):
        raise ValueError(digest)
    return digest


def _json(text: bytes, where: str) -> Any:
    try:
        return _sound(json.loads(text.decode(), parse_float=_no_float, parse_constant=_no_float))
    except (ValueError, RecursionError):
        raise NotImported("no_json", where) from None


def _no_float(text: str) -> NoReturn:
    raise ValueError(text)


def _sound(value: Any, depth: int = 0) -> Any:
    """Raises ValueError for unstorable texts or deep nesting."""
    if depth > DEEPEST:
        raise ValueError(depth)
    if isinstance(value, str):
        _text(value)
    elif isinstance(value, list | dict):
        for each in value if isinstance(value, list) else (*value, *value.values()):
            _sound(each, depth + 1)
    return value


def _row(line: bytes, fields: Mapping[str, Field], where: str) -> Row:
    read = _json(line, where)
    if not isinstance(read, dict) or read.keys() != fields.keys():
        raise NotImported("wrong_fields", where)
    row = {}
    for name, field in fields.items():
        value = read[name]
        try:
            row[name] = None if value is None and field.null else READ[field.type](value)
        except (ValueError, TypeError, OverflowError):
            raise NotImported("wrong_value", f"{where} {name}") from None
    return row


def _text(value: Any) -> str:
    if not isinstance(value, str) or _NOT_KEPT.search(value):
        raise ValueError(value)
    return value


def _uid(value: Any) -> UUID:
    uid = UUID(_text(value))
    if str(uid) != value:
        raise ValueError(value)
    return uid


def _int(value: Any) -> int:
    if type(value) is not int or abs(value) >= 2**63:
        raise ValueError(value)
    return value


def _date(value: Any) -> date:
    day = date.fromisoformat(_text(value))
    if day.year not in YEARS:
        raise ValueError(value)
    return day


def _time(value: Any) -> time:
    at = time.fromisoformat(_text(value))
    if at.isoformat() != value or at.tzinfo is not None:
        raise ValueError(value)
    return at


def _bytes(value: Any) -> bytes:
    content = b64decode(_text(value), validate=True)
    if b64encode(content).decode() != value:
        raise ValueError(value)
    return content


def _moment(value: Any) -> datetime:
    at = datetime.fromisoformat(_text(value))
    if at.tzinfo is None or at.year not in YEARS:
        raise ValueError(value)
    return at.astimezone(UTC)


def _is(wanted: type[Any], value: Any) -> Any:
    if type(value) is not wanted:
        raise TypeError(value)
    return value


READ: Mapping[str, Callable[[Any], Any]] = {
    "uid": _uid,
    "ref": _uid,
    "text": _text,
    "int": _int,
    "bool": partial(_is, bool),
    "date": _date,
    "time": _time,
    "bytes": _bytes,
    "moment": _moment,
    "object": partial(_is, dict),
    "list": partial(_is, list),
}
