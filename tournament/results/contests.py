"""Per-process cache of a stage's contests, read from rows once, then updated from the ledger.

Invariant: an entry equals the stage's rows after the ledger row of its sequence and digest. Later rows supply
changed plays; other changes (seats, players, settings) re-read those, a missing ledger row (restored backup)
everything. Rolled-back changes never reach the ledger; other processes' do. A command that has written is ahead of
it, so reads rows.

Contests and plays are immutable, with derived values cached: unchanged objects are never rescored.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import is_
from threading import Lock
from typing import Any
from uuid import UUID

from cachetools import LRUCache

from tournament.models import LedgerRow, Stage, Table
from tournament.results.bridge import Contest, contest_of, contests_of
from tournament.results.facts import PlayFacts, in_order
from tournament.results.faults import Fault, Refused
from tournament.server.database import has_written, snapshot

# Results plus seats, always including the latest stage. 1.2 kB (session) to 2.2 kB (seven card kinds) per result: at
# most 130 MB.
CACHED_ROWS = 60_000
FOLLOWED = 500  # ledger rows; re-read if further behind

Payload = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Known:
    """Contests of a stage as of this ledger row."""

    sequence: int
    digest: str
    contests: tuple[Contest, ...]

    @cached_property
    def size(self) -> int:
        """Number of results and seats, plus 1."""
        results = sum(len(play.results) for contest in self.contests for play in contest.plays)
        return 1 + results + sum(len(contest.seats) for contest in self.contests)


# By primary key of the stage: re-imported events get new ones.
_kept: LRUCache[int, Known] = LRUCache(CACHED_ROWS, getsizeof=lambda known: min(known.size, CACHED_ROWS))
_lock = Lock()


def contests_now(stage: Stage) -> tuple[Contest, ...]:
    """Contests as one snapshot: per table in match stages, else one."""
    return tuple(contests_of(stage)) if has_written() else _known(stage).contests


def contest_now(table: Table) -> Contest:
    """Contest at the table; Refused `unknown_table` if since deleted."""
    for contest in [contest_of(table)] if has_written() else contests_now(table.stage):
        if table.uid in contest.table_numbers:
            return contest
    raise Refused(Fault("unknown_table", "/table"))


def forget() -> None:
    """Empty the cache."""
    with _lock:
        _kept.clear()


def _known(stage: Stage) -> Known:
    with _lock:
        before = _kept.get(stage.pk)
    with snapshot():
        known = _after(stage, before) if before else None
        if known is None:
            rows = LedgerRow.objects.filter(tournament=stage.tournament_id).order_by("-sequence")
            known = Known(*(rows.values_list("sequence", "digest").first() or (0, "")), tuple(_stored(stage)))
    if known.digest:
        with _lock:
            _kept.pop(stage.pk, None)  # or its size counts twice
            _kept[stage.pk] = known
    return known


def _stored(stage: Stage, plays: Iterable[PlayFacts] | None = None) -> list[Contest]:
    """Re-reads the stage: the caller's row may be stale."""
    row = Stage.objects.select_related("tournament").filter(pk=stage.pk).first()
    return contests_of(row, plays) if row else []


def _after(stage: Stage, known: Known) -> Known | None:
    """Update from the ledger; None if everything must be read again."""
    ledger = LedgerRow.objects.filter(tournament=stage.tournament_id).order_by("sequence")
    rows = ledger.filter(sequence__gte=known.sequence).values_list("sequence", "digest")[: FOLLOWED + 1]
    here, *since = rows or [(0, "")]
    if here != (known.sequence, known.digest) or len(since) == FOLLOWED:
        return None
    if not since:
        return known
    payloads = ledger.filter(sequence__gt=known.sequence).values_list("sequence", "payload")
    return Known(*since[-1], _followed(stage, known.contests, list(payloads)))


def _followed(
    stage: Stage, contests: tuple[Contest, ...], rows: Sequence[tuple[int, Payload]]
) -> tuple[Contest, ...]:
    """Unchanged contests stay the same objects."""
    written = {
        UUID(uid): None if facts is None else replace(PlayFacts.from_json(uid, facts), version=sequence)
        for sequence, payload in rows
        for uid, facts in payload.get("play", {}).items()
    }
    if not any(_changes_more(stage, contests, payload) for _, payload in rows):
        followed = [_with_plays(contest, written) for contest in contests]
        if None not in followed:
            return tuple(contest for contest in followed if contest)
    plays = {play.uid: play for contest in contests for play in contest.plays} | written
    before = {contest.table: contest for contest in contests}
    read = _stored(stage, filter(None, plays.values()))
    return tuple(
        # Reuse if equal, with identical plays.
        known if known and known == each and all(map(is_, known.plays, each.plays)) else each
        for each in read
        for known in [before.get(each.table)]
    )


def _changes_more(stage: Stage, contests: Sequence[Contest], payload: Payload) -> bool:
    """Deleted rows count: their stage is unknown."""
    tables = {str(table) for contest in contests for table in contest.table_numbers}
    return (
        "tournament" in payload
        or str(stage.uid) in payload.get("stage", ())
        or any(not row or row["stage"] == str(stage.uid) for row in payload.get("table", {}).values())
        or any(not row or row["table"] in tables for row in payload.get("seat", {}).values())
        or any(uid in contest.names for uid in payload.get("entry", ()) for contest in contests)
    )


def _with_plays(contest: Contest, written: Mapping[UUID, PlayFacts | None]) -> Contest | None:
    """None if players may have changed (unseated player in an old or new play)."""
    gone = [play for play in contest.plays if play.uid in written]
    come = [play for play in written.values() if play and play.table in contest.table_numbers]
    if not gone and not come:
        return contest
    seated = {seat.entry for seat in contest.seats}
    if any(row.entry not in seated for play in (*gone, *come) for row in play.results):
        return None
    plays = (*(play for play in contest.plays if play.uid not in written), *come)
    return replace(contest, plays=in_order(plays, contest.table_numbers))
