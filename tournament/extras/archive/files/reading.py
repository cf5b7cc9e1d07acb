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
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import partial
from hashlib import sha256
from itertools import count
from typing import IO, Any, NoReturn
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import JSONField

from rulesets import RULESETS
from scoring import SheetInvalid
from tournament.extras.archive.files.schema import (
    ANSWERS,
    KINDS,
    MANIFEST,
    MODELS,
    VERSION,
    Field,
    NotImported,
    People,
    kinds_of,
    rows_file,
)
from tournament.extras.archive.files.stored import Played, bytes_of, contest_values
from tournament.ledger.past import Facts, contests_in
from tournament.ledger.verify import BROKEN, compared
from tournament.models import (
    GUEST,
    LEDGER_KINDS,
    LONGEST_CARD_TEXT,
    MOST_CARD_TEXTS,
    OWN_LINK,
    Announcement,
    HallClock,
    Invite,
    LedgerRow,
    Logo,
    Proposal,
    PublicModel,
    Result,
    Screen,
    Stage,
    Tournament,
    User,
)
from tournament.models.hall import LONGEST_ANNOUNCEMENT, LONGEST_PAGE_S, MOST_EXTRA, SHORTEST_PAGE_S
from tournament.queries.programme import COUNTS, Plan
from tournament.results import (
    PlayFacts,
    Refused,
    ResultFacts,
    check_settings,
    check_shape,
    facts_of,
    grouped,
    scored,
    sound_fields,
    values_of,
)
from tournament.server.pictures import is_stored
from tournament.words.text import ZONES, clean

MOST_BYTES = 1024**3  # unpacked; 10,000 results are about 50 MB
MOST_FILES = 20_000
# bytes of one JSON value, which may take 30 times as much memory
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
    try:
        yield
    except _BROKEN_ZIP:
        raise NotImported("damaged", name) from None


class Archive:
    """An archive in a seekable file; rows are validated on reading. Raises NotImported if invalid, damaged or larger
    than `most_bytes` unpacked."""

    def __init__(self, file: IO[bytes], *, most_bytes: int = MOST_BYTES) -> None:
        try:
            self._zip = ZipFile(file)
        except _BROKEN_ZIP:
            raise NotImported("no_archive") from None
        self._entries = _entries(self._zip, most_bytes)
        if MANIFEST not in self._entries:
            raise NotImported("no_archive")
        about = self._about = self.json(MANIFEST, LONGEST_MANIFEST)
        if not isinstance(about, dict) or type(about.get("archive")) is not int:
            raise NotImported("no_archive")
        if about["archive"] > VERSION:
            program = about.get("program")
            raise NotImported("newer", program=program[:30] if isinstance(program, str) else "?")
        self.manifest = _manifest(about)
        self._kinds = kinds_of(self.manifest.version)
        self._check_files()

    def rows(self, kind: str) -> Iterator[tuple[str, Row]]:
        """Yield (file:line, values for model fields); refs stay uids."""
        if kind not in self._kinds:
            return  # added in a later version
        name, fields = rows_file(kind), self._kinds[kind]
        later = {name: added for name, added in KINDS[kind].items() if name not in fields}
        with self._open(name) as lines:
            for number in count(1):
                where = f"{name}:{number}"
                with _unbroken(name):
                    text = lines.readline(LONGEST_LINE + 1)
                if len(text) > LONGEST_LINE:
                    raise NotImported("too_large", where)
                if not text:
                    return
                yield where, _row(text, fields, where) | {key: each.default() for key, each in later.items()}

    def json(self, name: str, most_bytes: int) -> Any:
        """Parse a whole file. Raises NotImported above `most_bytes`."""
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

    def _check_files(self) -> None:
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
    for name, kind in fields.items():
        value = read[name]
        try:
            row[name] = None if value is None and kind.null else READ[kind.type](value)
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


# ---- Model rows of an archive ----

# A sheet or answer may be longer than ours: whitespace, escapes.
LONGER, SLACK = 3, 100_000  # factor, bytes
SINGLE = frozenset({"organiser", "tournament"})  # exactly one row each


@dataclass(slots=True)
class Prepared:
    """Unsaved rows by kind and uid, in insertion order."""

    tournament: Tournament
    rows: dict[str, dict[UUID, Any]] = field(default_factory=dict)


def prepared(archive: Archive) -> Prepared:
    """Read and verify all rows, also the ledger. Raises NotImported."""
    found: dict[str, dict[UUID, Any]] = {}
    tournament: Tournament | None = None
    for kind in KINDS:
        rows = found[kind] = {}
        for where, row in _users(archive) if kind == "user" else _rows(archive, kind, found, tournament):
            if row.uid in rows or (kind == "tournament" and row.uid != archive.manifest.event):
                raise NotImported("wrong_value", f"{where} uid")
            rows[row.uid] = row
        if kind in SINGLE and len(rows) != 1:
            raise NotImported("wrong_count", rows_file(kind))
        if kind == "tournament":
            tournament = rows[archive.manifest.event]
    assert tournament is not None
    if bool(tournament.logo) != bool(found["logo"]):
        raise NotImported("wrong_count", rows_file("logo"))
    event = Prepared(tournament, found)
    try:
        _verify(archive, event)
    except (Refused, SheetInvalid, *BROKEN) as error:
        raise NotImported("not_verified", detail=line(error)) from error
    return event


def line(said: object) -> str:
    """First line of a message, at most 200 characters."""
    return (str(said).splitlines() or [""])[0][:200]


def _rows(
    archive: Archive, kind: str, found: Mapping[str, Mapping[UUID, Any]], tournament: Tournament | None
) -> Iterator[tuple[str, PublicModel]]:
    model, fields = MODELS[kind], KINDS[kind]
    refs = [(name, each.of) for name, each in fields.items() if each.type == "ref"]
    for where, values in archive.rows(kind):
        for name, of in refs:
            if values[name] is not None:
                values[name] = found[of].get(values[name])
                if values[name] is None:
                    raise NotImported("unknown_ref", f"{where} {name}")
        row = model(**values)
        check_imported(row, where, tournament)
        yield where, row


def _users(archive: Archive) -> Iterator[tuple[str, User]]:
    for where, row in archive.rows("user"):
        # Cannot be chosen at sign-up.
        username = f"{OWN_LINK}:{row['uid']}" if row["own_link"] else f"{GUEST}{row['uid'].hex}"
        user = User(uid=row["uid"], username=username, first_name=row["name"][:150], is_active=False)
        user.set_unusable_password()
        yield where, user


def _verify(archive: Archive, event: Prepared) -> None:
    results = grouped(
        (row.play.uid, ResultFacts(row.uid, **values_of(row))) for row in event.rows["result"].values()
    )
    facts = {
        kind: {str(uid): facts_of(row) for uid, row in event.rows[kind].items()}
        for kind in LEDGER_KINDS
        if kind != "play"
    }
    for uid, row in event.rows["play"].items():
        facts.setdefault("play", {})[str(uid)] = PlayFacts(
            uid, results=tuple(results.get(uid, ())), **values_of(row)
        ).as_json()
    versions = {str(uid): row.version for uid, row in event.rows["play"].items()}
    if findings := compared(event.tournament, list(event.rows["ledgerrow"].values()), facts, versions)[1]:
        raise NotImported("not_verified", detail=line(findings[0]))
    names = {uid: row.public_name for uid, row in event.rows["entry"].items()}
    left = set(archive.contests())
    for name, value in contest_values(_played(event, facts, versions), names):
        if name not in left:
            raise NotImported("other_standings", name)
        said = archive.json(name, LONGER * len(bytes_of(value, indent=1)) + SLACK)
        if not _says(value, said, more=name.startswith(ANSWERS)):
            raise NotImported("other_standings", name)
        left.discard(name)
    if left:
        raise NotImported("other_standings", min(left))


def _played(event: Prepared, facts: Facts, versions: Mapping[str, int]) -> Iterator[Played]:
    """Raises NotImported if rescoring changes a contest."""
    for stage in event.rows["stage"].values():
        for contest in contests_in(facts, str(stage.uid), versions):
            if stage.state != Stage.State.PLANNED:
                if scored(contest).contest is not contest:
                    raise NotImported("not_verified", detail=f"state_altered stage {stage.uid}")
                yield Played(stage.number, contest)


def _says(now: Any, then: Any, *, more: bool) -> bool:
    """Whether the values agree; `more` allows later versions' keys."""
    if isinstance(now, dict) and isinstance(then, dict):
        return (now.keys() >= then.keys() if more else now.keys() == then.keys()) and all(
            _says(now[key], then[key], more=more) for key in then
        )
    if isinstance(now, list) and isinstance(then, list):
        return len(now) == len(then) and all(_says(*pair, more=more) for pair in zip(now, then, strict=True))
    return type(now) is type(then) and bool(now == then)


def check_imported(row: PublicModel, where: str, tournament: Tournament | None) -> None:
    """Validate a row. Raises NotImported with `where`."""
    exclude = {
        column.name
        for column in type(row)._meta.concrete_fields
        if column.is_relation or isinstance(column, JSONField) or getattr(row, column.attname) is None
    }
    try:
        row.clean_fields(exclude=exclude)
    except ValidationError as error:
        raise NotImported("wrong_value", f"{where} {next(iter(error.error_dict))}") from None
    try:
        if not _is_sound(row, tournament):
            raise ValueError(where)
    except (Refused, LookupError, TypeError, ValueError, AttributeError, OverflowError):
        raise NotImported("wrong_value", where) from None


def _is_sound(row: PublicModel, tournament: Any) -> bool:
    """Checks beyond a row's fields, such as a logo encoded as this server stores images."""
    sound = True
    match row:
        case Tournament():
            ruleset = RULESETS.get(row.ruleset)
            if ruleset is None or ruleset.revision != row.ruleset_revision:
                raise NotImported("unknown_ruleset", ruleset=row.ruleset, revision=row.ruleset_revision)
            sound = row.time_zone in ZONES
        case Logo():
            sound = sha256(bytes(row.content)).hexdigest() == tournament.logo and is_stored(
                bytes(row.content)
            )
        case Stage():
            check_settings(row, whole=row.state != Stage.State.PLANNED)
            check_shape(row.source)
            sound = (
                row.version <= tournament.version
                and (row.frozen_after is None or 1 <= row.frozen_after <= tournament.version)
                and len(row.card_texts) <= MOST_CARD_TEXTS
                and all(isinstance(text, str) and len(text) <= LONGEST_CARD_TEXT for text in row.card_texts)
                and all(
                    type(plan[name]) is int and 0 <= plan[name] < 10**6
                    for plan in (row.plan, row.first_plan)
                    for name in COUNTS
                    if name in plan
                )
                and all(Plan.of(plan).as_json() == plan for plan in (row.plan, row.first_plan))
            )
        case Invite():
            sound = all(str(UUID(table)) == table for table in row.tables)
        case Screen():
            sound = (
                bool(row.scenes)
                and all(scene in Screen.Scene.values for scene in row.scenes)
                and SHORTEST_PAGE_S <= row.seconds <= LONGEST_PAGE_S
            )
        case Announcement():
            sound = all(
                code in dict(settings.LANGUAGES)
                and 0 < len(text) <= LONGEST_ANNOUNCEMENT
                and clean(text) == text
                for code, text in row.words.items()
            )
        case HallClock():
            sound = all(
                number.isascii() and number.isdigit() and type(minutes) is int and 0 < minutes <= MOST_EXTRA
                for number, minutes in row.extra.items()
            )
        case Proposal():
            sound = bool(sound_fields(row.fields) == row.fields)
        case Result():
            sound = all(type(held) is int for held in row.hand.values())
        case LedgerRow():
            sound = all(
                str(UUID(uid)) == uid and (facts is None or isinstance(facts, dict))
                for changed in row.payload.values()
                for uid, facts in changed.items()
            )
    return sound
