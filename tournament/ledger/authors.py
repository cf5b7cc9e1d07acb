"""Who entered each play, and when.

The row of `Play.version` may be a mere state change (finish, accept, undo); tiles and four-eyes checks need the
last entry, correction or voiding.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F

from tournament.models import LedgerRow, Play, Stage, Tournament
from tournament.results import PlayFacts

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

# Actions without a play: a match ends, a player leaves or rejoins
RESULTS = ENTRIES | {"stop_match", "remove_player", "player_leaves", "no_show", "readmit_player"}


def last_entered(tournament: Tournament, stages: Sequence[Stage]) -> datetime | None:
    """Return when a result last changed, up to the first freeze of the `stages` (all of the tournament's)."""
    rows = LedgerRow.objects.filter(tournament=tournament, action__in=RESULTS)
    frozen = [stage.frozen_after for stage in stages if stage.frozen_after is not None]
    if frozen:
        rows = rows.filter(sequence__lte=min(frozen))
    return rows.order_by("-sequence").values_list("at", flat=True).first()


def entry_rows(
    plays: Iterable[tuple[int, UUID, int]], actions: Collection[str] = ENTRIES
) -> dict[UUID, LedgerRow]:
    """Return by play uid the last ledger row of these actions, with actor.

    `plays` are (tournament key, play uid, version); later rows are ignored. Takes two or three queries.
    """
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
    """Return by play uid the ledger row that wrote it last; no query for no plays."""
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
