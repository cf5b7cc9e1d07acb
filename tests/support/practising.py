"""A newcomer at practice, and what was there before they came."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.urls import reverse
from django.utils import timezone

from tests.ledger.test_purge import everything
from tests.support.factories import running_match
from tournament.actions.upkeep import begin_practice
from tournament.jobs.upkeep import end_practice
from tournament.links import token_for
from tournament.models import Tournament, User
from tournament.models.people import LASTS
from tournament.practice import events
from tournament.practice.events import events_of

TRY, END = "/en/try/", "/en/try/end/"


@dataclass
class Practice:
    """A newcomer and what was in the database before they came."""

    newcomer: User
    before: dict[str, list[dict[str, object]]]

    @property
    def match(self) -> Tournament:
        return events_of(self.newcomer)[0]

    @property
    def player(self) -> str:
        """The address of the player's own page."""
        return reverse("own", args=[token_for("player", events.player_in(self.newcomer.uid))])


def practised() -> Practice:
    """A newcomer with the events of practice, beside a match of others."""
    running_match()
    begin_practice(uuid4(), no_events)  # the first to come made the host
    end_practice(timezone.now() + LASTS)
    return Practice(before=everything(), newcomer=begin_practice(uuid4(), events.make))


def no_events(_visit: UUID, _host: User) -> list[UUID]:
    """Make no events: enough for tests that look at the newcomer alone."""
    return []


def newcomer() -> User:
    return begin_practice(uuid4(), no_events)
