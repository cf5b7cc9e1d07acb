"""Incremental version of `verify`, run each minute.

Rows are read raw and hashed with `hash` (valid in this process only). Only rows with a changed hash, or named by
new ledger rows, are compared as facts. Cached digests reveal a ledger rewritten together with its facts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

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
)
from tournament.models import LedgerRow, Play, Result, Tournament
from tournament.results import columns, grouped, plays_in
from tournament.server.database import snapshot

MOST_NAMED = 500  # rows queried by key; if more, all are read

Key = tuple[str, int]  # kind, primary key


@dataclass(frozen=True, slots=True)
class Seen:
    """The end of a ledger as seen: number of rows, last digest."""

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
    """The findings, the ledger's end, and the cache for the next look (unchanged after findings)."""

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


def look(
    tournament: int, known: Known, seen: Iterable[Seen] = (), rest: Callable[[], object] = lambda: None
) -> Look:
    """Check the tournament with this key against `known`, and against ledger ends `seen` earlier. Calls `rest` to let
    others work. Raises Tournament.DoesNotExist."""
    with snapshot():
        read = _read(tournament, known)
    rest()
    findings = [] if read.guarded else [Finding("triggers_missing", "the ledger")]
    findings += _chain(read, known, rest)
    findings += _seen_before(read, seen)
    ledger, written = _folded(read, known, findings)
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


def _read(pk: int, known: Known) -> _Read:
    tournament = Tournament.objects.select_related("organiser").get(pk=pk)
    lines = _raw(_lines(tournament))
    doubtful = _first_other(lines, known.chain)
    rows = LedgerRow.objects.filter(tournament=tournament, sequence__gt=doubtful).select_related("actor")
    new = list(rows.order_by("sequence")) if doubtful < len(lines) else []
    for row in new:
        row.tournament = tournament
    prints = _prints(tournament)
    moved: dict[str, set[int]] = defaultdict(set)
    asked: dict[str, set[str]] = defaultdict(set)
    for key, (print_, uid) in prints.items():
        if known.prints.get(key, (None,))[0] != print_:
            moved[key[0]].add(key[1])
            asked[key[0]].add(_uid(uid))
    for kind, pk_ in known.prints.keys() - prints.keys():
        asked[kind].add(_uid(known.prints[kind, pk_][1]))
    for row in new:
        for kind, changed in _payload(row).items():
            asked[kind] |= changed.keys()
    stored, versions = _stored(tournament, asked, moved)
    return _Read(tournament, triggers.present(connection), lines, new, prints, asked, stored, versions)


def _lines(tournament: Tournament) -> QuerySet[LedgerRow, tuple[Any, ...]]:
    return (
        LedgerRow.objects.filter(tournament=tournament)
        .order_by("sequence")
        .values_list(
            "sequence", "at", "actor__uid", "device", "command", "action", "replaces", "payload", "content",
            "previous", "digest",
        )
    )  # fmt: skip


def _first_other(lines: Sequence[tuple[Any, ...]], chain: Sequence[tuple[int, str]]) -> int:
    for number, (line, (print_, _)) in enumerate(zip(lines, chain, strict=False)):
        if hash(line) != print_:
            return number
    return min(len(lines), len(chain))


def _prints(tournament: Tournament) -> dict[Key, tuple[int, Any]]:
    """A play's hash covers its results."""
    prints: dict[Key, tuple[int, Any]] = {
        (kind, row[0]): (hash(row), row[1])
        for kind, rows in rows_by_kind(tournament).items()
        for row in _raw(rows)
    }
    plays = Play.objects.filter(table__stage__tournament=tournament).order_by()
    results = Result.objects.filter(play__table__stage__tournament=tournament).order_by("pk")
    of_play = grouped(
        (row[0], hash(row)) for row in _raw(results.values_list("play_id", "uid", *columns(Result)))
    )
    for row in _raw(plays.values_list("pk", "uid", "version", *columns(Play))):
        prints["play", row[0]] = (hash((row, *of_play.get(row[0], ()))), row[1])
    return prints


def _stored(
    tournament: Tournament, asked: Mapping[str, set[str]], moved: Mapping[str, set[int]]
) -> tuple[Facts, dict[str, int]]:
    facts: Facts = {}
    querysets = {**rows_by_kind(tournament), "play": Play.objects.filter(table__stage__tournament=tournament)}
    versions = {}
    for kind, uids in asked.items():
        if kind not in querysets or not uids:
            continue
        rows: QuerySet[Any] = querysets[kind]
        if len(uids) <= MOST_NAMED:
            rows = rows.filter(
                Q(pk__in=moved.get(kind, set()))
                | Q(uid__in=[uid for uid in uids if _uid(uid) == uid and len(uid) == 36])
            )
        if kind == "play":
            plays = plays_in(rows)
            versions = {str(play.uid): play.version for play in plays}
            found = {str(play.uid): read_facts(play.as_json) for play in plays}
        else:
            found = facts_in(rows)
        facts[kind] = {uid: row for uid, row in found.items() if uid in uids}
    return facts, {uid: version for uid, version in versions.items() if uid in asked["play"]}


def _chain(read: _Read, known: Known, rest: Callable[[], object]) -> Iterator[Finding]:
    for expected, line in enumerate(read.lines, 1):
        if line[0] != expected:
            yield Finding("sequence_broken", f"ledger row {line[0]}", str(expected), str(line[0]))
            break
    digests = {line[0]: line[-1] for line in read.lines}
    for row in read.rows:
        follows = row.previous == digests.get(row.sequence - 1, "")
        before = known.chain[row.sequence - 1][1] if row.sequence <= len(known.chain) else row.digest
        if not follows or not row.digest == before == digest_of(row):
            yield Finding("chain_broken", f"ledger row {row.sequence}")
        if not row.sequence % 200:
            rest()
    end, rows = (read.lines[-1][-1] if read.lines else ""), len(read.lines)
    if (rows, end) != (read.tournament.version, read.tournament.ledger_head) or rows < len(known.chain):
        there = max(read.tournament.version, len(known.chain))
        yield Finding("ledger_cut", "the ledger's end", f"row {rows}", f"row {there}")


def _seen_before(read: _Read, seen: Iterable[Seen]) -> Iterator[Finding]:
    for end in seen:
        if end.rows > len(read.lines):
            yield Finding("ledger_cut", "the ledger's end", f"row {len(read.lines)}", f"row {end.rows}")
        elif end.rows and read.lines[end.rows - 1][-1] != end.head:
            yield Finding("chain_broken", f"ledger row {end.rows}")


def _folded(read: _Read, known: Known, findings: list[Finding]) -> tuple[Facts, dict[str, int]]:
    ledger = {kind: dict(rows) for kind, rows in known.ledger.items()}
    written = dict(known.written)
    for row in read.rows:
        if row.sequence > len(known.chain):
            payload = _payload(row)
            if payload != row.payload:
                findings.append(Finding("payload_broken", f"ledger row {row.sequence}"))
            fold(ledger, payload)
            written |= dict.fromkeys(payload.get("play", ()), row.sequence)
    return ledger, written


def _payload(row: LedgerRow) -> dict[str, dict[str, Any]]:
    try:
        return {kind: dict(changed) for kind, changed in row.payload.items()}
    except BROKEN:
        return {}


def _raw(rows: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
    sql, parameters = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows_: list[tuple[Any, ...]] = cursor.fetchall()
    return rows_


def _uid(raw: Any) -> str:
    try:
        return str(UUID(str(raw)))
    except ValueError:
        return str(raw)
