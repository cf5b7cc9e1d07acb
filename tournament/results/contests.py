"""This process's cache of the contests of a stage: read from rows once, then kept up to date from the ledger.

The invariant: a cache entry carries the sequence and the digest of a ledger row, and equals what the stage's rows said
after that row. A ledger row holds the facts of all that it changed, so the plays in later ledger rows bring the entry
up to date; other changes of the stage (seats, players, settings) make those rows be read again. If that ledger row no
longer exists (a backup was restored), everything is read again. Rolled-back changes are in no ledger, and other
processes' commands are in it. A command that has written something is ahead of the ledger until it ends, so it reads
rows.

Contests and plays are immutable, and values derived from them are cached with them (a sheet's row, an answer): what a
command did not touch is the same object afterwards, and is not read, written or scored again.
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

# Results and seats, of all stages together, but always of the stage that was asked for last. With all that is made of
# it, a result of a session takes 1.2 kB and one with seven kinds of cards 2.2 kB: 130 MB at most.
KEPT = 60_000
FOLLOWED = 500  # rows of the ledger; an entry that is further behind is read again

Payload = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Known:
    """The contests of a stage after the ledger row of this sequence and digest."""

    sequence: int
    digest: str
    contests: tuple[Contest, ...]

    @cached_property
    def size(self) -> int:
        """The size in the units of `KEPT`."""
        results = sum(len(play.results) for contest in self.contests for play in contest.plays)
        return 1 + results + sum(len(contest.seats) for contest in self.contests)


# By the stage's key: an event that is deleted and imported again has other keys.
_kept: LRUCache[int, Known] = LRUCache(KEPT, getsizeof=lambda known: min(known.size, KEPT))
_lock = Lock()


def contests_now(stage: Stage) -> tuple[Contest, ...]:
    """List every contest of the stage as of one moment: one for each table in match stages, else one."""
    return tuple(contests_of(stage)) if has_written() else _known(stage).contests


def contest_now(table: Table) -> Contest:
    """Find the contest that is played at this table. Raises Refused `unknown_table` if the table was deleted after its
    row was read."""
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
            known = _read(stage)
    if known.digest:
        with _lock:
            _kept.pop(stage.pk, None)  # or its size would be counted twice
            _kept[stage.pk] = known
    return known


def _read(stage: Stage) -> Known:
    rows = LedgerRow.objects.filter(tournament=stage.tournament_id).order_by("-sequence")
    return Known(*(rows.values_list("sequence", "digest").first() or (0, "")), tuple(_stored(stage)))


def _stored(stage: Stage, plays: Iterable[PlayFacts] | None = None) -> list[Contest]:
    """Read the contests from rows, also the stage's own row again: the caller's may be from a moment before."""
    row = Stage.objects.select_related("tournament").filter(pk=stage.pk).first()
    return contests_of(row, plays) if row else []


def _after(stage: Stage, known: Known) -> Known | None:
    """Bring the cache entry up to the ledger's last row; None if it has to be read again."""
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
    """Give the contests after these ledger rows; those that they did not change are the same objects."""
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
        # The earlier object if it equals the one read now, with the same play objects.
        known if known and known == each and all(map(is_, known.plays, each.plays)) else each
        for each in read
        for known in [before.get(each.table)]
    )


def _changes_more(stage: Stage, contests: Sequence[Contest], payload: Payload) -> bool:
    """Tell whether a ledger row changed anything of the stage except its plays. A deleted row counts, since
    its stage is unknown."""
    tables = {str(table) for contest in contests for table in contest.table_numbers}
    return (
        "tournament" in payload
        or str(stage.uid) in payload.get("stage", ())
        or any(not row or row["stage"] == str(stage.uid) for row in payload.get("table", {}).values())
        or any(not row or row["table"] in tables for row in payload.get("seat", {}).values())
        or any(uid in contest.names for uid in payload.get("entry", ()) for contest in contests)
    )


def _with_plays(contest: Contest, written: Mapping[UUID, PlayFacts | None]) -> Contest | None:
    """Give the contest with those of these plays that are its own, None for a deleted one; None if the players may have
    changed, since somebody without a seat was in such a play, before or now."""
    gone = [play for play in contest.plays if play.uid in written]
    come = [play for play in written.values() if play and play.table in contest.table_numbers]
    if not gone and not come:
        return contest
    seated = {seat.entry for seat in contest.seats}
    if any(row.entry not in seated for play in (*gone, *come) for row in play.results):
        return None
    plays = (*(play for play in contest.plays if play.uid not in written), *come)
    return replace(contest, plays=in_order(plays, contest.table_numbers))
