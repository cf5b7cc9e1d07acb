"""Facts after any ledger row, folded from payloads, without names; who entered each play, and when.

The row of `Play.version` may be a mere state change (finish, accept, undo); tiles and four-eyes checks need the last
entry, correction or voiding.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Any
from uuid import UUID

from cachetools import LRUCache
from django.db.models import F, QuerySet

from tournament.models import LedgerRow, Play, Seat, Stage, Table, Tournament
from tournament.results import (
    SHEET_KINDS,
    Contest,
    PlayerFacts,
    PlayFacts,
    SeatFacts,
    in_order,
    kind_of,
    parted,
    values_in,
)

Facts = dict[str, dict[str, dict[str, Any]]]  # kind -> uid -> facts

CACHED_PASTS = 20  # of 10,000 results, one takes 6 MB, 20 of one event 7 MB


@dataclass(frozen=True, slots=True)
class Past:
    """Facts after ledger row `sequence`, read-only. `written`: sequence of each play's last write."""

    sequence: int
    at: datetime
    digest: str
    facts: Facts = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)

    @classmethod
    def folded(cls, rows: QuerySet[LedgerRow], last: LedgerRow, before: "Past | None") -> "Past":
        """The past after row `last` of `rows`, from an earlier one."""
        past = cls(last.sequence, last.at, last.digest)
        if before:
            past.facts.update({kind: dict(known) for kind, known in before.facts.items()})
            past.written.update(before.written)
            rows = rows.filter(sequence__gt=before.sequence)
        for number, payload in rows.values_list("sequence", "payload").iterator():
            fold(past.facts, payload)
            past.written.update(dict.fromkeys(payload.get("play", {}), number))
        return past


_kept: LRUCache[tuple[UUID, int, str], Past] = LRUCache(CACHED_PASTS)
_lock = Lock()


def fold(facts: Facts, payload: dict[str, dict[str, Any]]) -> None:
    """Apply a ledger row's payload; None deletes a row."""
    for kind, changed in payload.items():
        known = facts.setdefault(kind, {})
        for uid, row in changed.items():
            if row is None:
                known.pop(uid, None)
            else:
                known[uid] = row


def past_of(tournament: Tournament, sequence: int) -> Past:
    """Facts after this ledger row; raises LedgerRow.DoesNotExist. An LRU cache, keyed with the digest since a restored
    backup may replace rows, folds on from the nearest earlier past."""
    rows = LedgerRow.objects.filter(tournament=tournament, sequence__lte=sequence).order_by("sequence")
    with _lock:
        keys = [key for key in _kept if key[0] == tournament.uid]
    asked = {sequence, *(number for _, number, _ in keys)}
    stored = {row.sequence: row for row in rows.filter(sequence__in=asked).only("sequence", "digest", "at")}
    if sequence not in stored:
        raise LedgerRow.DoesNotExist
    nearest = max((key for key in keys if (row := stored.get(key[1])) and row.digest == key[2]), default=None)
    with _lock:
        past = _kept.get(nearest) if nearest else None
    if past is None or past.sequence < sequence:
        past = Past.folded(rows, stored[sequence], past)
    with _lock:
        _kept[tournament.uid, sequence, past.digest] = past
    return past


def seated_then(table: Table, play: UUID) -> list[UUID]:
    """Players in at the table when the play was first entered, clockwise; empty if unknown."""
    rows = LedgerRow.objects.filter(tournament=table.stage.tournament, payload__play__has_key=str(play))
    first = rows.order_by("sequence").values_list("sequence", flat=True).first()
    if first is None:
        return []
    seats = past_of(table.stage.tournament, first).facts.get("seat", {}).values()
    here = [seat for seat in seats if seat["table"] == str(table.uid) and not seat["out_as"]]
    return [UUID(seat["entry"]) for seat in sorted(here, key=lambda seat: seat["position"])]


def contests_in(facts: Facts, stage: str, written: Mapping[str, int] | None = None) -> list[Contest]:
    """Contests of a stage from unordered facts, without names; play versions come from `written`."""
    kind = facts["stage"][stage]["kind"]
    tournament = next(iter(facts["tournament"].values()))
    numbers = {uid: row["number"] for uid, row in facts.get("table", {}).items() if row["stage"] == stage}
    per_table = kind_of(kind).sheet_each_table
    by_number = sorted(numbers, key=lambda uid: numbers[uid])
    seats_at, plays_at = _by_table(facts, "seat"), _by_table(facts, "play")
    contests = []
    for tables in [[uid] for uid in by_number] if per_table else [by_number]:
        table_numbers = {UUID(uid): numbers[uid] for uid in tables}
        seats = tuple(
            SeatFacts(**(values_in(Seat, row) | {"table": numbers[table]}))
            for table in tables
            for row in sorted(seats_at.get(table, {}).values(), key=lambda row: row["position"])
        )
        found = (
            replace(PlayFacts.from_json(uid, row), version=(written or {}).get(uid, 0))
            for table in tables
            for uid, row in plays_at.get(table, {}).items()
        )
        plays = in_order(found, table_numbers)
        named = {seat.entry for seat in seats} | {row.entry for play in plays for row in play.results}
        people = {uid: PlayerFacts(uid, "", facts["entry"][str(uid)]["start_number"]) for uid in named}
        players, others = parted(kind, people, seats, plays)
        contests.append(
            Contest(
                stage=UUID(stage),
                table=UUID(tables[0]) if per_table else None,
                kind=SHEET_KINDS[kind],
                ruleset=tournament["ruleset"],
                settings=facts["stage"][stage]["settings"],
                stopped=per_table and facts["table"][tables[0]]["stopped"],
                players=players,
                seats=seats,
                plays=plays,
                table_numbers=table_numbers,
                others=others,
            )
        )
    return contests


def _by_table(facts: Facts, kind: str) -> Facts:
    found: Facts = {}
    for uid, row in facts.get(kind, {}).items():
        found.setdefault(row["table"], {})[uid] = row
    return found


# ---- Who entered each play, and when ----


CHANGES = frozenset(
    {
        "correct_game",
        "correct_round",
        "correct_heat",
        "void_play",
        "leave_out_plays",
        "revert_play",
        "move_play",
    }
)
ENTRIES = CHANGES | frozenset(
    {
        "start_game",
        "set_game_start",
        "choose_start",
        "record_out",
        "record_give_up",
        "eject_player",
        "take_back",
        "join_game",
        "end_game",
        "record_game",
        "record_round",
        "record_heat",
        "accept_proposal",
    }
)

MAY_COUNT = frozenset({Play.State.ENTERED, Play.State.SET_ASIDE})

RESULTS = ENTRIES | {"stop_match", "remove_player", "player_leaves", "no_show", "readmit_player"}


def last_entered(tournament: Tournament, stages: Sequence[Stage]) -> datetime | None:
    """When a result last changed, up to the first freeze of `stages` (all of the tournament's)."""
    rows = LedgerRow.objects.filter(tournament=tournament, action__in=RESULTS)
    frozen = [stage.frozen_after for stage in stages if stage.frozen_after is not None]
    if frozen:
        rows = rows.filter(sequence__lte=min(frozen))
    return rows.order_by("-sequence").values_list("at", flat=True).first()


def entry_rows(
    plays: Iterable[tuple[int, UUID, int]], actions: Collection[str] = ENTRIES
) -> dict[UUID, LedgerRow]:
    """By play uid the last ledger row of these actions, with actor. `plays` are (tournament key, play uid, version);
    later rows are ignored. Two or three queries."""
    wanted = {uid: (tournament, version) for tournament, uid, version in plays}
    written = _rows(set(wanted.values()))
    found = {
        uid: place
        for uid, place in wanted.items()
        if place in written and written[place].action in actions and len(written[place].plays) == 1  # type: ignore[attr-defined]  # `_rows` adds it
    }
    missing = {str(uid): uid for uid in wanted.keys() - found.keys()}
    if not missing:
        return {uid: written[place] for uid, place in found.items()}
    rows = LedgerRow.objects.filter(
        tournament__in={wanted[uid][0] for uid in missing.values()}, payload__has_key="play"
    ).order_by("tournament", "sequence")
    last: dict[str, Mapping[str, Any]] = {}
    for tournament, sequence, action, payload in rows.values_list(
        "tournament", "sequence", "action", "payload"
    ):
        for text in payload["play"].keys() & missing.keys():
            before, after = last.get(text), payload["play"][text]
            if action in actions and sequence <= wanted[missing[text]][1] and not _moved(before, after):
                found[missing[text]] = tournament, sequence
            last[text] = after
    written |= _rows(set(found.values()) - written.keys())
    return {uid: written[place] for uid, place in found.items()}


def _moved(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> bool:
    """Setting aside or taking back in is a side effect of another play's entry."""
    if not before or not after or before["state"] == after["state"]:
        return False
    return {before["state"], after["state"]} <= MAY_COUNT and {**before, "state": after["state"]} == after


def entry_of(tournament: int, play: PlayFacts | Play) -> LedgerRow | None:
    """The ledger row that last entered, corrected or voided this play."""
    return entry_rows([(tournament, play.uid, play.version)]).get(play.uid)


def last_rows(tournament: int, plays: Iterable[PlayFacts | Play]) -> dict[UUID, LedgerRow]:
    """By play uid the ledger row that wrote it last."""
    versions = {play.uid: (tournament, play.version) for play in plays}
    rows = _rows(set(versions.values())) if versions else {}
    return {uid: rows[place] for uid, place in versions.items() if place in rows}


def _rows(places: set[tuple[int, int]]) -> dict[tuple[int, int], LedgerRow]:
    rows = LedgerRow.objects.filter(
        tournament__in={tournament for tournament, _sequence in places},
        sequence__in={sequence for _tournament, sequence in places},
    )
    rows = rows.select_related("actor").defer("payload").annotate(plays=F("payload__play"))
    found = {(row.tournament_id, row.sequence): row for row in rows}
    return {place: found[place] for place in places if place in found}
