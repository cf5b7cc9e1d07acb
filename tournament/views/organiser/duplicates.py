"""Possible duplicates here and with earlier events, reviewed pair by pair; merging needs confirmation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from threading import Lock
from typing import Any
from uuid import UUID, uuid4

from cachetools import LRUCache, cached
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournament import actions
from tournament.models import Entry, Player, Result, Seat, Tournament
from tournament.pages.errors import errors_context
from tournament.queries.duplicates import (
    Pair,
    Somebody,
    among,
    between,
    in_the_way,
    pair_of,
    person_of,
    told_apart,
)
from tournament.results import Fault, uuid_or_none
from tournament.views import (
    Attempt,
    attempt_action,
    get_tournament,
    page,
    receipt_of,
    refused,
    saved,
    signed_in_form,
)
from tournament.words.faults import fault_text

State = Entry.State
MOST_SHOWN = 100  # pairs
KEPT = 50  # tournaments in cache


@dataclass(frozen=True, slots=True)
class Earlier:
    """A player of the organiser's other events: names, last event."""

    player: Player
    names: tuple[str, ...]
    event: str
    when: date


@signed_in_form
def duplicates(request: HttpRequest, slug: str) -> HttpResponse:
    """Suspected pairs, most alike first."""
    tournament = get_tournament(request, slug)
    url = reverse("organise-duplicates", args=[slug])
    attempt = _one(request, tournament)
    if attempt.receipt:
        return saved(url, attempt.receipt)
    entries = list(Entry.objects.filter(tournament=tournament).select_related("player"))
    pairs = _suspicions(tournament, entries)
    names = {str(entry.uid): entry.shown_name for entry in entries}
    return page(
        request,
        "organiser/duplicates.html",
        tournament,
        status=attempt.status,
        section="events",
        pairs=pairs[:MOST_SHOWN],
        more=max(0, len(pairs) - MOST_SHOWN),
        at=receipt_of(request, tournament),
        **errors_context(attempt.faults, names),
    )


def count_of(tournament: Tournament, entries: Sequence[Entry]) -> int:
    """Number of unreviewed pairs; cached until a name changes."""
    within, before = _counted(tournament, entries, _here(entries))
    return len(_not_told_apart(tournament, entries, [*within, *before]))


def _one(request: HttpRequest, tournament: Tournament) -> Attempt:
    if request.method != "POST":
        return Attempt()
    keep, other, player = (uuid_or_none(request.POST.get(name, "")) for name in ("keep", "other", "player"))
    if keep and "different" in request.POST:
        return attempt_action(
            request, actions.different_people, tournament.uid, entry=keep, other=other, player=player
        )
    if keep and player:
        return attempt_action(request, actions.same_person, tournament.uid, entry=keep, player=player)
    if keep and other:
        return attempt_action(request, actions.merge_entries, tournament.uid, keep=keep, other=other)
    return refused(Fault("nobody_chosen"))


def _suspicions(tournament: Tournament, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Each pair with `gone` (entry) or `earlier` (player); `swap`: either may stay; `refused`: why they cannot merge,
    with `play`."""
    within, before = _pairs(tournament, entries, _here(entries))
    by_uid = {str(entry.uid): entry for entry in entries}
    earlier = _earlier(tournament)
    used = {  # entries with a seat or result
        uid
        for model in (Seat, Result)
        for (uid,) in model.objects.filter(entry__tournament=tournament).values_list("entry__uid")
    }
    found = []
    pairs = _not_told_apart(tournament, entries, [*within, *before])
    for pair in sorted(pairs, key=lambda pair: -pair.likeness):
        suspicion: dict[str, Any] = {"kept": by_uid[str(pair.first)], "command": uuid4()}
        if pair in before:
            suspicion["earlier"] = earlier[UUID(str(pair.second))]
        else:
            kept, gone = sorted(
                [by_uid[str(pair.first)], by_uid[str(pair.second)]],
                key=lambda entry: (entry.state != State.DISQUALIFIED, entry.is_out, entry.uid not in used),
            )
            both = (kept.uid in used) == (gone.uid in used)
            fault = in_the_way(kept, gone) if both and gone.uid in used else None
            suspicion |= {
                "kept": kept,
                "gone": gone,
                "swap": both and kept.is_out == gone.is_out,
                "refused": fault and fault_text(fault),
                "play": fault and fault.path.split("/")[2],
            }
        found.append(suspicion)
    return found


def _here(entries: Sequence[Entry]) -> list[Somebody]:
    return [person_of(entry) for entry in entries if entry.state != State.CANCELLED]


def _not_told_apart(tournament: Tournament, entries: Sequence[Entry], pairs: Sequence[Pair]) -> list[Pair]:
    apart = told_apart(tournament)
    players = {str(entry.uid): entry.player.uid for entry in entries}
    return [
        pair
        for pair in pairs
        if pair_of(players[str(pair.first)], players.get(str(pair.second), pair.second)) not in apart
    ]


def _pairs(
    tournament: Tournament, entries: Sequence[Entry], here: Sequence[Somebody]
) -> tuple[list[Pair], list[Pair]]:
    earlier = _earlier(tournament)
    players = {str(entry.uid): entry.player.uid for entry in entries}
    taken = set(players.values())
    new = [one for one in here if players[str(one.key)] not in earlier]
    others = [
        Somebody(str(uid), known.names, known.player.birth_date)
        for uid, known in earlier.items()
        if uid not in taken
    ]
    return among(here), between(new, others)


def _names_here(
    tournament: Tournament, _entries: Sequence[Entry], here: Sequence[Somebody]
) -> tuple[UUID, int]:
    return tournament.uid, hash(tuple((one.key, one.names, one.born) for one in here))


_counted = cached(LRUCache(KEPT), key=_names_here, lock=Lock())(_pairs)


def _earlier(tournament: Tournament) -> dict[UUID, Earlier]:
    """Players of earlier events by uid, without rehearsals, whose players are copies."""
    if tournament.rehearsal:
        return {}
    entries = (
        Entry.objects.filter(player__organiser=tournament.organiser, tournament__rehearsal=False)
        .exclude(tournament=tournament)
        .exclude(state=State.CANCELLED)
        .select_related("player", "tournament")
        .order_by("tournament__starts_on", "id")
    )
    found: dict[UUID, Earlier] = {}
    for entry in entries:
        player, event = entry.player, entry.tournament
        before = found[player.uid].names if player.uid in found else (player.name,)
        found[player.uid] = Earlier(
            player, tuple(dict.fromkeys((*before, entry.public_name))), event.name, event.starts_on
        )
    return found
