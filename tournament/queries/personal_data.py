"""Export of personal data as JSON; erased people (docs/privacy.md)."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from tournament.ledger.undoing import History
from tournament.models import Entry, Incident, LedgerNote, LedgerRow, Player, Result, Seat, Stage, Tournament
from tournament.queries.registration import answers_of, questions_of
from tournament.queries.visible import freezing
from tournament.results.facts import json_of

Json = dict[str, Any]


def data_of(player: Player, *, all_results: bool) -> Json:
    """All stored data about the player at the organiser's events.

    Frozen stages only with `all_results`. Call in a `snapshot()`.
    """
    return {
        "format": "lastcard-person-1",
        "uid": str(player.uid),
        "organiser": player.organiser.name,
        **{name: json_of(getattr(player, name)) for name in Player.FIELDS.personal},
        "joined": [
            {name: json_of(getattr(one, name)) for name in Player.FIELDS.personal}
            for one in joined_players(player)
        ],
        "events": [_event(entry, all_results=all_results) for entry in entries_of(player)],
    }


def joined_players(player: Player) -> QuerySet[Player]:
    """Players whose entries went to this one (tournament/actions/people/people.py)."""
    return Player.objects.filter(organiser=player.organiser_id, joined_to=player.uid).order_by("pk")


def entries_of(player: Player) -> list[Entry]:
    """The person's entries, including joined and merged players' (from ledgers, unless undone)."""
    own = Entry.objects.filter(Q(player=player) | Q(player__in=joined_players(player)))
    uids = {str(uid) for uid in own.values_list("uid", flat=True)}
    for tournament in Tournament.objects.filter(
        entries__in=own, pk__in=LedgerRow.objects.filter(action="merge_entries").values("tournament")
    ):
        history = History(tournament)
        merged = [
            _merged_in(one.payload)
            for one in history.done.values()
            if one.action == "merge_entries" and one.sequence not in history.undone
        ]
        for pair in (*merged, *reversed(merged)):  # to the survivor, then to all merged
            uids |= pair if uids & pair else set()
    return list(
        Entry.objects.filter(player__in=Entry.objects.filter(uid__in=uids).values("player"))
        .select_related("tournament", "player")
        .order_by("pk")
    )


def _merged_in(payload: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Uids of the two merged entries.

    If the row holds others (now marked distinct), the survivor is the one that received rows, or unknown.
    """
    gone = {uid for uid, facts in payload["entry"].items() if facts["state"] == Entry.State.CANCELLED}
    stay = payload["entry"].keys() - gone
    others = (row for kind, rows in payload.items() if kind != "entry" for row in rows.values() if row)
    return gone | (stay if len(stay) == 1 else stay & {row.get("entry") for row in others})


def erased_among(tournament: Tournament, entries: Iterable[Entry]) -> list[str]:
    """Uids of erased entries, for phones to forget."""
    ended = [str(entry.uid) for entry in entries if entry.link_number]  # erasure raises link_number
    if not ended:
        return []
    rows = LedgerRow.objects.filter(tournament=tournament, action__in=("erase_person", "erase_self"))
    erased = {uid for payload in rows.values_list("payload", flat=True) for uid in payload["entry"]}
    return [uid for uid in ended if uid in erased]


def _event(entry: Entry, *, all_results: bool) -> Json:
    stages = list(Stage.objects.filter(tournament=entry.tournament).order_by("number"))
    frozen = [] if all_results else [stage.pk for stage in stages if freezing(stage, stages)]
    seats = Seat.objects.filter(entry=entry).exclude(table__stage__in=frozen).order_by("pk")
    results = Result.objects.filter(entry=entry).exclude(play__table__stage__in=frozen).order_by("pk")
    incidents = Incident.objects.filter(entry=entry)
    if frozen:
        incidents = incidents.exclude(table__stage__in=frozen)
    notes = LedgerNote.objects.filter(row__tournament=entry.tournament).select_related("row").order_by("pk")
    return {
        "event": entry.tournament.name,
        "date": entry.tournament.starts_on.isoformat(),
        "uid": str(entry.uid),
        **{name: json_of(getattr(entry, name)) for name in Entry.FIELDS.personal if name != "answers"},
        "answers": [
            {"question": question.label, "answer": answer}
            for question, answer in answers_of(entry, questions_of(entry.tournament))
            if answer
        ],
        "division": entry.division,
        "fee_paid": entry.paid,
        "start_number": entry.start_number,
        "state": str(entry.state) if all_results or not frozen else None,
        "guardian_agreed": entry.guardian,
        "terms_accepted": json_of(entry.accepted_at),
        "seats": [
            {"stage": str(seat.table.stage), "table": seat.table.number, "seat": seat.position}
            for seat in seats.select_related("table__stage")
        ],
        "results": [_result(result) for result in results.select_related("play__table__stage")],
        "past_results": list(
            entry.past_results.values("place", "points", "average", "games", "wins", "note")
        ),
        "incidents": [
            {
                "kind": str(row.kind),
                "what": row.code,
                "text": row.text,
                "ruling": row.ruling,
                "at": json_of(row.at),
                "withdrawn": row.withdrawn,
            }
            for row in incidents.order_by("pk")
        ],
        "notes": [
            {"at": json_of(note.row.at), "text": note.text}
            for note in notes
            if not frozen and str(entry.uid) in note.row.payload.get("entry", {})
        ],
        "frozen": bool(frozen),
    }


def _result(row: Result) -> Json:
    play = row.play
    return {
        "stage": str(play.table.stage),
        "table": play.table.number,
        "number": play.number,
        "state": str(play.state),
        "outcome": str(row.outcome),
        "seconds": row.elapsed_s,
        "hand": row.hand,
        "finish": row.finish,
    }
