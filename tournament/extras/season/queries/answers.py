"""The tour: results across an organiser's events.

A `tournament.models.Player` links a person's entries; no matching across organisers.

What an event counts for in a season:

| rule | where |
| --- | --- |
| places of the last stage; who came no further than an earlier one shares the next place | `_places` |
| points and games of all contests that have points; heats have none | `_played` |
| disqualified: no place, the points stay | `_played` |

Ratings from finishing orders decide no place. Each contest, in order of play, updates `mu` and `sigma` by the
Plackett-Luce model of Weng and Lin (2011, openskill). Shown: 1000 + 20 mu (initially 1500) with a two-sigma band,
covering true strength in 19 of 20 cases. Sorted by lower bound, so one lucky game does not lead.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING
from uuid import UUID

from cachetools import LRUCache

from rulesets import RULESETS
from scoring import (
    SEASON_LEAST_GAMES,
    EveningResult,
    SeasonRule,
    SeasonStanding,
    SessionStanding,
    score_season,
)
from tournament.extras.season.queries.kinds import KINDS, Played, brought_in, lines_of
from tournament.models import Entry, Organiser, PastResult, Stage, Tournament
from tournament.queries.visible import freezing, shown, taking_part
from tournament.results import ContestResults, grouped, kind_of, lowest_wins
from tournament.server.database import snapshot
from tournament.words.text import in_alphabet

if TYPE_CHECKING:  # lazy import
    from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

ZERO = 1000  # points
POINTS = 20  # per unit of mu or sigma
SIGMAS = 2  # half width of the band

Order = tuple[tuple[str, ...], ...]  # players by place


@dataclass(frozen=True, slots=True)
class Finish:
    """Finishing order in `event`: players by place, best first, ties together."""

    event: str
    order: Order


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating after so many `contests`."""

    mu: float
    sigma: float
    contests: int

    @property
    def points(self) -> int:
        """Middle of the band."""
        return round(ZERO + POINTS * self.mu)

    @property
    def band(self) -> int:
        """Half the band's width, in points."""
        return round(POINTS * SIGMAS * self.sigma)

    @property
    def low(self) -> int:
        """Lower bound, the sort key."""
        return self.points - self.band

    @property
    def high(self) -> int:
        """Upper bound."""
        return self.points + self.band


BEGINNING = Rating(25.0, 25.0 / 3.0, 0)  # openskill's default


@dataclass(frozen=True, slots=True)
class Rated:
    """Current rating and history per event, oldest first."""

    now: Rating
    history: tuple[tuple[str, Rating], ...]


def ratings(finishes: Iterable[Finish]) -> dict[str, Rated]:
    """Ratings after contests in order of play; those under two players are skipped."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[str, PlackettLuceRating] = {}
    contests: dict[str, int] = {}
    history: dict[str, dict[str, Rating]] = {}
    for finish in finishes:
        # Sort ties: float sums depend on order.
        placed = [(player, place) for place, level in enumerate(finish.order, 1) for player in sorted(level)]
        if len(placed) < 2:
            continue
        before = [[known.get(player) or model.rating()] for player, _place in placed]
        for (player, _place), [rating] in zip(
            placed, model.rate(before, ranks=[float(place) for _player, place in placed]), strict=True
        ):
            known[player] = rating
            contests[player] = contests.get(player, 0) + 1
            history.setdefault(player, {})[finish.event] = Rating(rating.mu, rating.sigma, contests[player])
    return {
        player: Rated(now=list(by_event.values())[-1], history=tuple(by_event.items()))
        for player, by_event in history.items()
    }


# ---- Answers per event ----


CACHED_TOUR_EVENTS = 500  # events


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A player in an event, with finished contests, latest first."""

    player: str
    entry: UUID
    name: str
    club: str
    played: tuple[Played, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TourEvent:
    """An event in the tour; players are uids as text. `results`: what it counts for in a season; `lowest`: whether
    fewer points are better in it, None without points."""

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
    results: tuple[EveningResult, ...] = ()
    lowest: bool | None = None

    @property
    def players(self) -> int:
        """Players with a finished contest."""
        return sum(bool(taken.played) for taken in self.taken)


Kept = tuple[int, int, str]  # tournament key, last ledger row, its digest

_kept: LRUCache[Kept, TourEvent] = LRUCache(CACHED_TOUR_EVENTS)
_lock = Lock()


def tour_event(row: Tournament, *, unlisted: bool = False) -> TourEvent | None:
    """The event now, if listed, or with `unlisted` visible.

    One snapshot per event (`row` may be stale), so that writers never wait for a whole tour.
    """
    with _lock:
        event = _kept.get(_key(row))
    if event is not None:
        return event
    with snapshot():
        rows = Tournament.objects.visible() if unlisted else Tournament.objects.listed()
        now = rows.filter(pk=row.pk).first()
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
    orders = [KINDS[results.answer.kind].orders(results) for _stage, results in contests]
    orders.append(iter([places] if places else []))
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
                player=people[uid],
                entry=entry.uid,
                name=entry.public_name,
                club=entry.club,
                played=tuple(played.get(uid, ())),
            )
            for uid, entry in entries.items()
            if entry.state != Entry.State.NO_SHOW or uid in played
        ),
        champions=(_champions(contests, people) if finished else ())
        or tuple(people[entry] for entry, place in places.items() if place == 1 and entry in people),
        sessions=sum(kind_of(stage.kind).by_average for stage in over) + bool(sessions),
        lines=(
            *(
                replace(line, player=people[line.player])
                for _stage, results in contests
                for line in KINDS[results.answer.kind].lines(results.answer)
                if line.player in people
            ),
            *sessions,
        ),
        finishes=tuple(Finish(str(row.uid), _order(each, people)) for one in orders for each in one),
        results=results_of(contests, past, entries, people),
        lowest=kind == Stage.Kind.SESSION if past else lowest_in(contests),
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


HOME = "fi"  # fallback language for sorting names
YEAR = SeasonRule(lowest=True, least_games=SEASON_LEAST_GAMES)  # each session counts as an evening


@dataclass(frozen=True, slots=True)
class Title:
    """A finished event and its winners, who share the title."""

    event: TourEvent
    champions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Season:
    """Standings over a year's finished `sessions`."""

    year: int
    sessions: int
    standings: tuple[SeasonStanding, ...]


@dataclass(frozen=True, slots=True)
class Appearance:
    """A player in an event; `rating` after it, if rated there."""

    event: TourEvent
    taken: Taken
    champion: bool
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Tour:
    """An organiser's public events, newest first. `names`: each player's newest."""

    organiser: UUID
    name: str
    version: int
    events: tuple[TourEvent, ...]
    names: Mapping[str, str]

    @property
    def players(self) -> int:
        """Players with a finished contest."""
        return len({taken.player for event in self.events for taken in event.taken if taken.played})

    @property
    def played(self) -> int:
        """Events with a finished contest."""
        return sum(event.players > 0 for event in self.events)

    def hall(self) -> dict[int, list[Title]]:
        """Titles by year, newest first; within a year by ruleset."""
        years = grouped(
            (event.starts_on.year, Title(event, event.champions)) for event in self.events if event.champions
        )
        for titles in years.values():
            titles.sort(key=lambda title: title.event.ruleset)
        return years

    def seasons(self) -> list[int]:
        """Years with finished sessions, newest first."""
        return sorted({event.starts_on.year for event in self.events if event.sessions}, reverse=True)

    def season(self, year: int) -> Season:
        """That year's season, possibly empty."""
        events = [event for event in reversed(self.events) if event.starts_on.year == year]
        return Season(
            year,
            sum(event.sessions for event in events),
            score_season(
                [
                    [EveningResult(player=line.player, points=Fraction(line.points), games=line.games)]
                    for event in events
                    for line in event.lines
                    if line.games
                ],
                YEAR,
            ),
        )

    def ratings(self) -> dict[str, Rated]:
        """Rated players by lower bound, highest first."""
        return dict(
            sorted(
                _rated(tuple(finish for event in reversed(self.events) for finish in event.finishes)).items(),
                key=lambda item: (-item[1].now.low, in_alphabet(self.names[item[0]], HOME)),
            )
        )

    def appearances(self, player: str) -> Iterator[Appearance]:
        """The player's events, newest first."""
        rated = self.ratings().get(player)
        after = dict(rated.history) if rated else {}
        for event in self.events:
            for taken in event.taken:
                if taken.player == player:
                    yield Appearance(event, taken, player in event.champions, after.get(str(event.uid)))


_rated = lru_cache(maxsize=20)(ratings)  # tours


def tour_of(organiser: UUID) -> Tour | None:
    """The organiser's tour; None if nothing is public."""
    with snapshot():
        owner = Organiser.objects.filter(uid=organiser).first()
        own = Tournament.objects.filter(organiser=owner)
        version = own.version()
        rows = list(own.listed().order_by("-starts_on", "-pk"))
    events = tuple(event for row in rows if (event := tour_event(row)))
    if owner is None or not events:
        return None
    names = {taken.player: taken.name for event in reversed(events) for taken in event.taken}
    return Tour(owner.uid, owner.name, version, events, names)


Contests = Sequence[tuple[Stage, ContestResults]]  # finished ones, in order of play


def results_of(
    contests: Contests, past: Sequence[PastResult], entries: Mapping[str, Entry], people: Mapping[str, str]
) -> tuple[EveningResult, ...]:
    """Results by player, of a file (`past`) or of what was played."""
    found = _from_file(past) if past else _played(contests, entries)
    return tuple(replace(each, player=people[each.player]) for each in found if each.player in people)


def _played(contests: Contests, entries: Mapping[str, Entry]) -> Iterator[EveningResult]:
    played = grouped(
        (entry, how)
        for stage, results in contests
        for entry, how in KINDS[results.answer.kind].played(stage, results)
    )
    places = _places(contests)
    for player, mine in played.items():
        scored = [how for how in mine if how.total is not None]
        entry = entries.get(player)
        removed = entry is not None and entry.state == Entry.State.DISQUALIFIED
        place = None if removed else places[player]
        yield EveningResult(
            player=player,
            place=place,
            points=sum((how.total or Fraction(0) for how in scored), Fraction(0)) if scored else None,
            games=sum(how.plays for how in scored) if scored else None,
            unplaced=place is None,
        )


def _from_file(rows: Iterable[PastResult]) -> Iterator[EveningResult]:
    """Averages in files are rounded and points whole."""
    for row in rows:
        points = Fraction(row.points) if row.points else None
        if points is None and row.per_game is not None and row.games:
            points = Fraction(round(row.per_game * row.games))
        yield EveningResult(player=str(row.entry.uid), place=row.place, points=points, games=row.games)


def lowest_in(contests: Contests) -> bool | None:
    """Whether fewer points are better, by the last contest that has points; None: none has."""
    with_points = [results for _stage, results in contests if not kind_of(results.answer.kind).one_play]
    if not with_points:
        return None
    last = with_points[-1]
    return kind_of(last.answer.kind).by_average or lowest_wins(last.sheet.data)


def _places(contests: Contests) -> dict[str, int | None]:
    """Heats played alone have a place in each heat."""
    found: dict[str, int | None] = {}
    for _number, of_stage in groupby(reversed(contests), key=lambda each: each[0].number):
        rows = [
            (entry, how)
            for stage, results in of_stage
            for entry, how in KINDS[results.answer.kind].played(stage, results)
        ]
        following = len(found) + 1 if found else None
        for entry, how in rows:
            out = how.status == "disqualified"
            found.setdefault(entry, None if out else following or how.place)
    return found
