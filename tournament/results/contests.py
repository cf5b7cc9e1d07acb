"""Per-process cache of a stage's contests, read from rows once, then updated from the ledger.

Invariant: an entry equals the stage's rows after the ledger row of its sequence and digest. Later rows supply
changed plays; other changes (seats, players, settings) re-read those, a missing ledger row (restored backup)
everything. Rolled-back changes never reach the ledger; other processes' do. A command that has written is ahead of
it, so reads rows.

Contests and plays are immutable, with derived values cached: unchanged objects are never rescored.

Where a stage's players come from: the one reader of `Stage.source`, and its one door.

    {"parts": [{"stage": 1, "take": "first", "count": 2}], "division": "13 and over", "lives": 2}

| key | if absent | says |
| --- | --- | --- |
| `parts` | who goes through from heats just before, else who registered | players of other stages; [] who registered |
| `take` | | see TAKES |
| `count` | heats: as recorded there | how many, of each table where tables have standings of their own |
| `division` | everyone | only players of this division |
| `lives` | not counted | of who begins here: how often they may be out before they are out for good |
| `open` | seats are assigned | true: players sit down to games by the stage's own code, until it is closed again |
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter, is_
from threading import Lock
from typing import Any
from uuid import UUID

from cachetools import LRUCache
from django.db.models import Count

from tournament.models import LONGEST_DIVISION, LedgerRow, Seat, Stage, Table
from tournament.results.bridge import Contest, contest_of, contests_of
from tournament.results.facts import PlayFacts
from tournament.results.faults import Fault, Refused, or_refuse, refuse_if
from tournament.results.given import whole
from tournament.results.kinds import kind_of
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
        results = sum(sum(map(len, map(attrgetter("results"), contest.plays))) for contest in self.contests)
        return 1 + results + sum(len(contest.seats) for contest in self.contests)


# By primary key of the stage: re-imported events get new ones.
_kept: LRUCache[int, Known] = LRUCache(CACHED_ROWS, getsizeof=lambda known: min(known.size, CACHED_ROWS))
_lock = Lock()


def contests_now(stage: Stage, *, as_read: bool = False) -> tuple[Contest, ...]:
    """Contests as one snapshot: per table in match stages, else one. `as_read`: as of the row and its event."""
    return tuple(contests_of(stage)) if has_written() else _known(stage, as_read=as_read).contests


def contest_now(table: Table, *, as_read: bool = False) -> Contest:
    """Contest at the table; Refused `unknown_table` if since deleted."""
    for contest in [contest_of(table)] if has_written() else contests_now(table.stage, as_read=as_read):
        if table.uid in contest.table_numbers:
            return contest
    raise Refused(Fault("unknown_table", "/table"))


def forget() -> None:
    """Empty the cache."""
    with _lock:
        _kept.clear()


def _known(stage: Stage, *, as_read: bool) -> Known:
    with _lock:
        before = _kept.get(stage.pk)
    event = stage.tournament if as_read or has_written() is False else None  # since the command locked it
    if before and event and (event.version, event.ledger_head) == (before.sequence, before.digest):
        return before
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
    come = [play for play in written.values() if play and play.table in contest.table_numbers]
    changed = [*filter(None, map(contest.play, written)), *come]
    if not changed:
        return contest
    if any(row.entry not in contest.seated for play in changed for row in play.results):
        return None
    return contest.with_plays(written.keys(), come)


# ---- Where a stage's players come from ----


FIRST = "first"
NEXT = "next"  # the first, without players that stages above take
OUT = "out"  # all that no stage takes as first or next: a second chance
LEVEL = "level"  # who share the place at the cut: a tie-break hand
TAKES = (FIRST, NEXT, OUT, LEVEL)

MOST_PARTS = 4
MOST_THROUGH = 999
MOST_LIVES = 9


@dataclass(frozen=True, slots=True)
class Part:
    """Players of the stage with number `stage`; `count`: None for all, of heats as recorded."""

    stage: int
    take: str
    count: int | None = None

    def as_json(self) -> dict[str, Any]:
        said: dict[str, Any] = {"stage": self.stage, "take": self.take}
        return said if self.count is None else said | {"count": self.count}

    @property
    def goes_on(self) -> bool:
        """Whether its players go through, rather than lose or share a place."""
        return self.take in {FIRST, NEXT}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a stage's players come from; without `parts`, who registered."""

    parts: tuple[Part, ...] = ()
    division: str = ""
    lives: int | None = None
    open: bool = False


def source_of(stage: Stage, before: Stage | None) -> Source:
    """Source of a stage; `before`: the stage just before it."""
    said = stage.source
    parts = said.get("parts")
    if parts is None:
        follows = before and kind_of(before.kind).one_play and kind_of(stage.kind).filled
        parts = [{"stage": before.number, "take": FIRST}] if before and follows else []
    return Source(
        tuple(Part(**part) for part in parts), said.get("division", ""), said.get("lives"), "open" in said
    )


def sources_in(stages: Iterable[Stage]) -> dict[int, Source]:
    """Sources by number of an event's stages; in a circle (from an archive), none take from others."""
    read = _read(stages)
    return {
        number: Source() if number in stages_before(read, number) else source
        for number, source in read.items()
    }


def _read(stages: Iterable[Stage]) -> dict[int, Source]:
    there = {stage.number: stage for stage in stages}
    return {number: source_of(stage, there.get(number - 1)) for number, stage in there.items()}


def fed_by(sources: Mapping[int, Source], number: int) -> list[int]:
    """Numbers of the stages to which players go on from this one, in order."""
    return [
        to
        for to, source in sources.items()
        if any(part.stage == number and part.goes_on for part in source.parts)
    ]


def ends(stages: Sequence[Stage]) -> list[Stage]:
    """Stages that decide an event: the last, or those of its chains from which no player goes on."""
    sources = sources_in(stages)
    if not any(stage.source for stage in stages):
        return list(stages[-1:])
    return [stage for stage in stages if not fed_by(sources, stage.number)]


def stages_before(sources: Mapping[int, Source], number: int) -> frozenset[int]:
    """Numbers of all stages that feed this one, directly or through others; itself in a circle."""
    found: set[int] = set()
    ahead = [number]
    while ahead:
        new = {part.stage for part in sources.get(ahead.pop(), Source()).parts} - found
        found |= new
        ahead += new
    return frozenset(found)


def check_source(stage: Stage) -> None:
    """Validate `stage.source`, as planned or changed.

    Refused `malformed`, `unknown_stage`, `source_itself`, `source_twice` (same stage and `take`), `source_circle`,
    `source_count` (missing), `more_through` (than sit there), `lives_later` (with parts), `wrong_kind_of_stage` (open,
    but seats stay).
    """
    check_shape(stage.source)
    others = Stage.objects.filter(tournament=stage.tournament).exclude(uid=stage.uid)
    there = {each.number: each for each in others.order_by("number")}
    source = source_of(stage, None)
    for index, part in enumerate(source.parts):
        path = f"/source/parts/{index}"
        refuse_if(part.stage == stage.number, Fault("source_itself", f"{path}/stage"))
        fed_from = or_refuse(there.get(part.stage), Fault("unknown_stage", f"{path}/stage"))
        refuse_if(
            any((part.stage, part.take) == (other.stage, other.take) for other in source.parts[:index]),
            Fault("source_twice", f"{path}/stage", {"stage": str(fed_from)}),
        )
        _check_count(part, fed_from, f"{path}/count")
    circle = stage.number in stages_before(_read((*there.values(), stage)), stage.number)
    refuse_if(circle, Fault("source_circle", "/source/parts"))
    refuse_if(source.lives and source.parts, Fault("lives_later", "/source/lives"))
    stays = not kind_of(stage.kind).seats_change
    refuse_if(source.open and stays, Fault("wrong_kind_of_stage", "/source/open"))


def check_shape(said: object) -> None:
    """Refused `malformed` unless it can be read as a source."""
    if not isinstance(said, Mapping) or said.keys() - {"parts", "division", "lives", "open"}:
        raise Refused(Fault("malformed", "/source"))
    division, parts = said.get("division", ""), said.get("parts", [])
    fits = isinstance(division, str) and len(division) <= LONGEST_DIVISION
    refuse_if(not fits, Fault("malformed", "/source/division"))
    lives = whole(said.get("lives", 1), "/source/lives")
    refuse_if(not 1 <= lives <= MOST_LIVES, Fault("malformed", "/source/lives"))
    refuse_if(said.get("open", True) is not True, Fault("malformed", "/source/open"))
    if not isinstance(parts, list) or len(parts) > MOST_PARTS:
        raise Refused(Fault("malformed", "/source/parts"))
    for index, part in enumerate(parts):
        path = f"/source/parts/{index}"
        if not isinstance(part, Mapping) or part.keys() - {"stage", "take", "count"}:
            raise Refused(Fault("malformed", path))
        whole(part.get("stage"), f"{path}/stage")
        refuse_if(part.get("take") not in TAKES, Fault("malformed", f"{path}/take"))
        count = part.get("count")
        in_range = count is None or 1 <= whole(count, f"{path}/count") <= MOST_THROUGH
        refuse_if(not in_range, Fault("malformed", f"{path}/count"))


def _check_count(part: Part, stage: Stage, path: str) -> None:
    kind = kind_of(stage.kind)
    if part.count is None:
        unclear = part.goes_on and not kind.one_play
        refuse_if(unclear, Fault("source_count", path, {"stage": str(stage)}))
        return
    seats = Seat.objects.filter(table__stage=stage).order_by()
    sizes = seats.values("table").annotate(n=Count("pk")).values_list("n", flat=True)
    count = min if kind.one_play or kind.sheet_each_table else sum
    players = count(sizes) if sizes else part.count
    said = {"count": part.count, "players": players, "stage": str(stage)}
    refuse_if(part.count > players, Fault("more_through", path, said))
