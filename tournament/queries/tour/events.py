"""One event's tour contribution: players, results, champions, rating orders.

Public data only: listed events, participants, finished unfrozen stages. Imported results (`PastResult`): first
place is a title, places are a rating order, games with points per game a session. Cached by ledger head, so a save
invalidates one event.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from threading import Lock
from uuid import UUID

from cachetools import LRUCache

from rulesets import RULESETS
from scoring import SessionStanding
from tournament.models import Entry, PastResult, Stage, Tournament
from tournament.queries.tour.kinds import KINDS, Played, brought_in, lines_of
from tournament.queries.tour.rating import Finish, Order
from tournament.queries.visible import freezing, shown, taking_part
from tournament.results import ContestResults, grouped, kind_of
from tournament.server.database import snapshot

KEPT = 500  # events


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A player in an event, with finished contests, latest first."""

    player: str
    entry: UUID
    name: str
    played: tuple[Played, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TourEvent:
    """An event in the tour; players are uids as text."""

    uid: UUID
    version: int
    slug: str
    name: str
    starts_on: date
    place: str
    ruleset: str
    state: str
    taken: tuple[Taken, ...]
    champions: tuple[str, ...] = ()
    sessions: int = 0
    lines: tuple[SessionStanding, ...] = ()
    finishes: tuple[Finish, ...] = ()

    @property
    def players(self) -> int:
        """Players with a finished contest."""
        return sum(bool(taken.played) for taken in self.taken)


Kept = tuple[int, int, str]  # tournament key, last ledger row, its digest

_kept: LRUCache[Kept, TourEvent] = LRUCache(KEPT)
_lock = Lock()


def tour_event(row: Tournament) -> TourEvent | None:
    """The event now; None if no longer listed.

    One snapshot per event (`row` may be stale), so that writers never wait for a whole tour.
    """
    with _lock:
        event = _kept.get(_key(row))
    if event is not None:
        return event
    with snapshot():
        now = Tournament.objects.listed().filter(pk=row.pk).first()
        if now is None:
            return None
        event = _read(now)
    with _lock:
        _kept[_key(now)] = event
    return event


def _key(row: Tournament) -> Kept:
    """The version alone is ambiguous: restored backups diverge, archives may rename."""
    return row.pk, row.version, row.ledger_head


def _read(row: Tournament) -> TourEvent:
    stages = list(Stage.objects.filter(tournament=row).order_by("number"))
    for stage in stages:
        stage.tournament = row
    entries = taking_part(row, stages)
    players = dict(Entry.objects.filter(tournament=row).values_list("pk", "player__uid"))
    people = {uid: str(players[entry.pk]) for uid, entry in entries.items()}
    over = [each for each in stages if each.state == Stage.State.FINISHED and freezing(each, stages) is None]
    contests = [(stage, each) for stage in over for each in shown(stage, stages).results]
    played: dict[str, list[Played]] = {}
    for stage, results in contests:
        for entry, how in KINDS[results.answer.kind].played(stage, results):
            played.setdefault(entry, []).insert(0, how)
    past = list(PastResult.objects.filter(entry__tournament=row).select_related("entry"))
    rules = RULESETS.get(row.ruleset)
    kind = Stage.Kind.SESSION if rules and "session" in rules.kinds else Stage.Kind.MATCH
    places = {str(each.entry.uid): each.place for each in past if each.place is not None}
    played |= {str(each.entry.uid): [brought_in(each, kind, len(places))] for each in past}
    sessions = lines_of(past, people) if kind == Stage.Kind.SESSION else []
    finished = row.state == Tournament.State.FINISHED and len(over) == len(stages)
    return TourEvent(
        uid=row.uid,
        version=row.version,
        slug=row.slug,
        name=row.name,
        starts_on=row.starts_on,
        place=row.place,
        ruleset=row.ruleset,
        state=row.state,
        taken=tuple(
            Taken(
                player=people[uid], entry=entry.uid, name=entry.public_name, played=tuple(played.get(uid, ()))
            )
            for uid, entry in entries.items()
            if entry.state != Entry.State.NO_SHOW or uid in played
        ),
        champions=(_champions(contests, people) if finished else ())
        or tuple(people[entry] for entry, place in places.items() if place == 1 and entry in people),
        sessions=sum(kind_of(stage.kind).seats_change for stage in over) + bool(sessions),
        lines=(
            *(
                replace(line, player=people[line.player])
                for _stage, results in contests
                for line in KINDS[results.answer.kind].lines(results.answer)
                if line.player in people
            ),
            *sessions,
        ),
        finishes=tuple(
            Finish(str(row.uid), _order(each, people))
            for orders in (
                *(KINDS[results.answer.kind].orders(results) for _stage, results in contests),
                [places] if places else [],
            )
            for each in orders
        ),
    )


def _champions(contests: list[tuple[Stage, ContestResults]], people: Mapping[str, str]) -> tuple[str, ...]:
    """Winners of the last stage, per table; heats have none."""
    last = max((stage.number for stage, _results in contests), default=0)
    return tuple(
        people[winner]
        for stage, results in contests
        if stage.number == last
        for winner in results.answer.winners
        if winner in people
    )


def _order(places: Mapping[str, int], people: Mapping[str, str]) -> Order:
    by_place = grouped((place, people[entry]) for entry, place in places.items() if entry in people)
    return tuple(tuple(by_place[place]) for place in sorted(by_place))
