"""Incremental version of `verify`, run each minute.

Rows are read raw and hashed with `hash` (valid in this process only). Only rows with a changed hash, or named by new
ledger rows, are compared as facts. Cached digests reveal a ledger rewritten together with its facts.

Snapshots are short: the ledger first, up to an end, then the rows in pieces. Rows named by later ledger rows are left
to the next look.
"""

import gc
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from tournament.ledger import triggers
from tournament.ledger.chain import digest_of
from tournament.ledger.past import Facts, fold
from tournament.ledger.verify import (
    BROKEN,
    Finding,
    differences,
    facts_in,
    other_versions,
    read_facts,
    rows_by_kind,
    rows_of,
)
from tournament.models import LEDGER_KINDS, LedgerRow, Play, Result, Tournament
from tournament.results import columns, grouped, plays_in
from tournament.server.database import snapshot
from tournament.server.machine import whole_file

PIECE, PIECE_OF_PLAYS, PIECE_OF_FACTS = 500, 75, 30  # rows in one snapshot: tens of milliseconds

Key = tuple[str, int]  # kind, primary key
Row = TypeVar("Row")
Rest = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Seen:
    """A ledger's end as seen: number of rows, last digest."""

    rows: int
    head: str


@dataclass(frozen=True, slots=True)
class Known:
    """Cache from a look without findings: (hash, digest) per ledger row, (hash, uid) per other row, facts by the
    ledger. About 20 MB for 10,000 plays."""

    chain: Sequence[tuple[int, str]] = ()
    prints: Mapping[Key, tuple[int, Any]] = field(default_factory=dict)
    ledger: Facts = field(default_factory=dict)
    written: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Look:
    """Findings, the ledger's end, and the cache for the next look (unchanged after findings)."""

    findings: Sequence[Finding]
    end: Seen
    known: Known


@dataclass(frozen=True, slots=True)
class _Read:
    tournament: Tournament
    guarded: bool
    lines: Sequence[tuple[Any, ...]]
    rows: Sequence[LedgerRow]
    prints: Mapping[Key, tuple[int, Any]]
    asked: Mapping[str, set[str]]
    stored: Facts
    versions: Mapping[str, int]

    @classmethod
    def of(cls, pk: int, known: Known, rest: Rest) -> "_Read":
        tournament, lines = _lines(pk, rest)
        pairs = enumerate(zip(lines, known.chain, strict=False))
        others = (number for number, (line, (print_, _)) in pairs if hash(line) != print_)
        doubtful = next(others, min(len(lines), len(known.chain)))
        all_rows = LedgerRow.objects.select_related("actor").order_by("sequence")
        rows = all_rows.filter(tournament=tournament)
        end = lines[-1][0] if lines else 0
        added = _keys(rows.filter(sequence__gt=doubtful, sequence__lte=end))
        new = _in_moments(list, all_rows, added, rest, PIECE_OF_FACTS)
        prints = _prints(tournament, rest)
        asked: dict[str, set[str]] = defaultdict(set)
        for key, (print_, uid) in prints.items():
            if known.prints.get(key, (None,))[0] != print_:
                asked[key[0]].add(_uid(uid))
        for kind, pk_ in known.prints.keys() - prints.keys():
            asked[kind].add(_uid(known.prints[kind, pk_][1]))
        for row in new:
            row.tournament = tournament
            for kind, named in _payload(row).items():
                asked[kind] |= named.keys()
        stored, versions = _stored(asked, prints, rest)
        with _moment():
            guarded = triggers.present(connection)
            late = list(rows.filter(sequence__gt=end))
        for row in late:
            for kind, named in _payload(row).items():
                asked[kind] -= named.keys()
        stored = {
            kind: {uid: row for uid, row in facts.items() if uid in asked[kind]}
            for kind, facts in stored.items()
        }
        versions = {uid: version for uid, version in versions.items() if uid in asked["play"]}
        return cls(tournament, guarded, lines, new, prints, asked, stored, versions)

    def chain(self, known: Known, seen: Iterable[Seen], rest: Rest) -> Iterator[Finding]:
        for expected, line in enumerate(self.lines, 1):
            if line[0] != expected:
                yield Finding("sequence_broken", f"ledger row {line[0]}", str(expected), str(line[0]))
                break
        digests = {line[0]: line[-1] for line in self.lines}
        for row in self.rows:
            follows = row.previous == digests.get(row.sequence - 1, "")
            before = known.chain[row.sequence - 1][1] if row.sequence <= len(known.chain) else row.digest
            if not follows or not row.digest == before == digest_of(row):
                yield Finding("chain_broken", f"ledger row {row.sequence}")
            if not row.sequence % 200:
                rest()
        end, rows = (self.lines[-1][-1] if self.lines else ""), len(self.lines)
        if (rows, end) != (self.tournament.version, self.tournament.ledger_head) or rows < len(known.chain):
            there = max(self.tournament.version, len(known.chain))
            yield Finding("ledger_cut", "the ledger's end", f"row {rows}", f"row {there}")
        for earlier in seen:
            if earlier.rows > rows:
                yield Finding("ledger_cut", "the ledger's end", f"row {rows}", f"row {earlier.rows}")
            elif earlier.rows and self.lines[earlier.rows - 1][-1] != earlier.head:
                yield Finding("chain_broken", f"ledger row {earlier.rows}")

    def folded(self, known: Known, findings: list[Finding]) -> tuple[Facts, dict[str, int]]:
        ledger = {kind: dict(rows) for kind, rows in known.ledger.items()}
        written = dict(known.written)
        for row in self.rows:
            if row.sequence > len(known.chain):
                payload = _payload(row)
                if payload != row.payload:
                    findings.append(Finding("payload_broken", f"ledger row {row.sequence}"))
                fold(ledger, payload)
                written |= dict.fromkeys(payload.get("play", ()), row.sequence)
        return ledger, written


def look(tournament: int, known: Known, seen: Iterable[Seen] = (), rest: Rest = lambda: None) -> Look:
    """Check the tournament with this key against `known`, and against ledger ends `seen` earlier. Calls `rest` to let
    others work. Raises Tournament.DoesNotExist."""
    read = _Read.of(tournament, known, rest)
    findings = [] if read.guarded else [Finding("triggers_missing", "the ledger")]
    findings += read.chain(known, seen, rest)
    ledger, written = read.folded(known, findings)
    asked = {
        kind: {uid: said[uid] for uid in uids if uid in said}
        for kind, uids in read.asked.items()
        for said in [ledger.get(kind, {})]
    }
    findings += differences(asked, read.stored)
    findings += other_versions(read.versions, written)
    end = Seen(len(read.lines), read.lines[-1][-1] if read.lines else "")
    if findings:
        return Look(findings, end, known)
    return Look((), end, Known([(hash(line), line[-1]) for line in read.lines], read.prints, ledger, written))


@contextmanager
def _moment() -> Iterator[None]:
    """A snapshot without garbage collection, which takes 0.25 s with 100,000 results."""
    gc.disable()
    try:
        with snapshot():
            yield
    finally:
        gc.enable()


def _in_moments(
    read: Callable[[QuerySet[Any]], Iterable[Row]],
    rows: QuerySet[Any],
    keys: Sequence[int],
    rest: Rest,
    size: int = PIECE,
) -> list[Row]:
    """What `read` makes of the rows with these keys, a snapshot per piece. `rows` of all events: for a condition on
    the event SQLite would scan all its rows in each piece."""
    found: list[Row] = []
    for begun in range(0, len(keys), size):
        with _moment():
            found += read(rows.filter(pk__in=keys[begun : begun + size]))
        rest()
    return found


def _lines(pk: int, rest: Rest) -> tuple[Tournament, list[tuple[Any, ...]]]:
    """The ledger, which only grows meanwhile, and the tournament at its end."""
    lines: list[tuple[Any, ...]] = []
    while True:
        with _moment():
            tournament = Tournament.objects.select_related("organiser").get(pk=pk)
            rows = LedgerRow.objects.filter(tournament=tournament).order_by("sequence")
            piece = _raw(
                rows.values_list(
                    "sequence", "at", "actor__uid", "device", "command", "action", "replaces", "payload",
                    "content", "previous", "digest",
                )[len(lines) : len(lines) + PIECE]
            )  # fmt: skip
        lines += piece
        if len(piece) < PIECE:
            return tournament, lines
        rest()


def _prints(tournament: Tournament, rest: Rest) -> dict[Key, tuple[int, Any]]:
    prints: dict[Key, tuple[int, Any]] = {}
    plays = Play.objects.filter(table__stage__tournament=tournament).order_by()
    for kind, rows in {**rows_by_kind(tournament), "play": plays}.items():
        read, size = (_of_plays, PIECE_OF_PLAYS) if kind == "play" else (_of_rows, PIECE)
        found = _in_moments(read, rows_of(rows.model), _keys(rows), rest, size)
        prints |= {(kind, pk): print_ for pk, print_ in found}
    return prints


def _keys(rows: QuerySet[Any]) -> list[int]:
    return list(rows.values_list("pk", flat=True))


def _of_rows(rows: QuerySet[Any]) -> Iterator[tuple[int, tuple[int, Any]]]:
    for row in _raw(rows):
        yield row[0], (hash(row), row[1])


def _of_plays(plays: QuerySet[Any]) -> Iterator[tuple[int, tuple[int, Any]]]:
    """A play's hash covers its results."""
    rows = _raw(plays.values_list("pk", "uid", "version", *columns(Play)))
    results = Result.objects.filter(play_id__in=[row[0] for row in rows]).order_by("pk")
    of_play = grouped(
        (row[0], hash(row)) for row in _raw(results.values_list("play_id", "uid", *columns(Result)))
    )
    for row in rows:
        yield row[0], (hash((row, *of_play.get(row[0], ()))), row[1])


def _stored(
    asked: Mapping[str, set[str]], prints: Mapping[Key, tuple[int, Any]], rest: Rest
) -> tuple[Facts, dict[str, int]]:
    keys: dict[str, list[int]] = defaultdict(list)
    for (kind, pk), (_, uid) in prints.items():
        if _uid(uid) in asked.get(kind, ()):
            keys[kind].append(pk)
    found = {
        kind: _in_moments(_facts, rows_of(model), keys[kind], rest, PIECE_OF_FACTS)
        for kind, model in LEDGER_KINDS.items()
    }
    facts = {kind: {uid: one for uid, one, _ in rows} for kind, rows in found.items()}
    return facts, {uid: version for uid, _, version in found["play"]}


def _facts(rows: QuerySet[Any]) -> list[tuple[str, dict[str, Any], int]]:
    if rows.model is Play:
        return [(str(play.uid), read_facts(play.as_json), play.version) for play in plays_in(rows)]
    return [(uid, facts, 0) for uid, facts in facts_in(rows).items()]


def _payload(row: LedgerRow) -> dict[str, dict[str, Any]]:
    try:
        return {kind: dict(changed) for kind, changed in row.payload.items()}
    except BROKEN:
        return {}


def _raw(rows: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
    sql, parameters = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cast("list[tuple[Any, ...]]", cursor.fetchall())


def _uid(raw: Any) -> str:
    try:
        return str(UUID(str(raw)))
    except ValueError:
        return str(raw)


# ---- Ledger ends seen, in a file out of reach of an attacker with SQL; a restore deletes it ----


def heads_file() -> Path:
    """The file's path."""
    return Path(settings.DATA_DIR) / "ledger-heads.json"


def seen_heads() -> dict[UUID, Seen]:
    """Ends by tournament; {} without a valid file."""
    try:
        read = json.loads(heads_file().read_text())
        return {UUID(uid): Seen(int(end["rows"]), str(end["head"])) for uid, end in read.items()}
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return {}


def remember_heads(ends: Mapping[UUID, Seen]) -> None:
    """Add or replace these ends. Raises OSError."""
    known = seen_heads()
    if all(known.get(uid) == end for uid, end in ends.items()):
        return
    said = {str(uid): {"rows": end.rows, "head": end.head} for uid, end in (known | dict(ends)).items()}
    with whole_file(heads_file()) as out:
        out.write(json.dumps(said, indent=1).encode() + b"\n")


def forget_heads() -> None:
    """Delete the file."""
    with suppress(FileNotFoundError):
        heads_file().unlink()
