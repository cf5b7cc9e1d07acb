"""The tour: results across the events of one organiser. Nothing here is stored, and nobody is matched across
organisers: a player is a `tournament.models.Player`, which links the entries that people declared to be one person's.

    events    the contribution of one event, cached by the event's version
    kinds     the contribution of each kind of contest to that
    rating    an estimate of the players' strength, from finishing orders
    answers   the hall of champions, seasons, histories: `tour_of` an organiser

The pages are tournament/views/public/tour.py; their scope is the organiser's uid, their version the sum of the versions
of the organiser's tournaments, hidden ones too, so that hiding one raises it like everything else.
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

HOME = "fi"  # for the alphabetical order of names if no event gives one


@dataclass(frozen=True, slots=True)
class Title:
    """A finished event and its winners; several share the title."""

    event: TourEvent
    champions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Season:
    """The standings over the `sessions` of a year that are finished."""

    year: int
    sessions: int
    standings: tuple[SeasonStanding, ...]


@dataclass(frozen=True, slots=True)
class Appearance:
    """A player in an event: how they took part, whether they won it, and their rating after it if it rated them."""

    event: TourEvent
    taken: Taken
    champion: bool
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Tour:
    """The events of one organiser that everybody may see, the newest first. `names` are of everybody who took part in
    one, each as in the newest of theirs; players are their uids as text."""

    organiser: UUID
    name: str
    version: int
    events: tuple[TourEvent, ...]
    names: Mapping[str, str]

    @property
    def players(self) -> int:
        """The number of people who have finished something in one of the events."""
        return len({taken.player for event in self.events for taken in event.taken if taken.played})

    @property
    def played(self) -> int:
        """The number of events in which something was finished."""
        return sum(event.players > 0 for event in self.events)

    def hall(self) -> dict[int, list[Title]]:
        """List the titles won by year, the newest first; in each year by ruleset, in each ruleset the newest first."""
        years = grouped(
            (event.starts_on.year, Title(event, event.champions)) for event in self.events if event.champions
        )
        for titles in years.values():
            titles.sort(key=lambda title: title.event.ruleset)
        return years

    def seasons(self) -> list[int]:
        """List the years with a finished session, the newest first."""
        return sorted({event.starts_on.year for event in self.events if event.sessions}, reverse=True)

    def season(self, year: int) -> Season:
        """Give that year's season; without sessions it is empty."""
        events = [event for event in reversed(self.events) if event.starts_on.year == year]
        return Season(
            year,
            sum(event.sessions for event in events),
            score_season(line for event in events for line in event.lines),
        )

    def ratings(self) -> dict[str, Rated]:
        """List everybody who was rated, by the lower end of the band, the highest first."""
        return dict(
            sorted(
                _rated(tuple(finish for event in reversed(self.events) for finish in event.finishes)).items(),
                key=lambda item: (-item[1].now.low, in_alphabet(self.names[item[0]], HOME)),
            )
        )

    def appearances(self, player: str) -> Iterator[Appearance]:
        """List the events in which a player took part, the newest first."""
        rated = self.ratings().get(player)
        after = dict(rated.history) if rated else {}
        for event in self.events:
            for taken in event.taken:
                if taken.player == player:
                    yield Appearance(event, taken, player in event.champions, after.get(str(event.uid)))


@lru_cache(maxsize=20)  # tours
def _rated(finishes: tuple[Finish, ...]) -> dict[str, Rated]:
    """Compute the ratings, cached by the orders themselves: only finishing something changes them."""
    return ratings(finishes)


def tour_of(organiser: UUID) -> Tour | None:
    """Give the organiser's tour; None if there is no such organiser, or nothing public."""
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
