"""The tour: results across an organiser's events; nothing stored.

A `tournament.models.Player` links a person's entries; no matching across organisers.

    events    per event, cached by version
    kinds     per kind of contest
    rating    strength from finishing orders
    answers   `tour_of`: champions, seasons, histories

Scope of its pages (tournament/views/public/tour.py) is the organiser's uid; their version is the sum over all its
tournaments, so that hiding one raises it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.db.models import Sum

from scoring import SeasonStanding, score_season
from tournament.models import Organiser, Tournament
from tournament.queries.tour.events import Taken, TourEvent, tour_event
from tournament.queries.tour.rating import Finish, Rated, Rating, ratings
from tournament.results import grouped
from tournament.server.database import snapshot
from tournament.words.text import in_alphabet

HOME = "fi"  # fallback language for sorting names


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
    """An organiser's public events, newest first. `names`: each player's newest, by player uid as text."""

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
            score_season(line for event in events for line in event.lines),
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


@lru_cache(maxsize=20)  # tours
def _rated(finishes: tuple[Finish, ...]) -> dict[str, Rated]:
    return ratings(finishes)


def tour_of(organiser: UUID) -> Tour | None:
    """The organiser's tour; None if nothing is public."""
    with snapshot():
        owner = Organiser.objects.filter(uid=organiser).first()
        own = Tournament.objects.filter(organiser=owner)
        version = own.aggregate(total=Sum("version"))["total"] or 0
        rows = list(own.listed().order_by("-starts_on", "-pk"))
    events = tuple(event for row in rows if (event := tour_event(row)))
    if owner is None or not events:
        return None
    names = {taken.player: taken.name for event in reversed(events) for taken in event.taken}
    return Tour(owner.uid, owner.name, version, events, names)
