"""Events that are played, an organiser, their browser and their events."""

from uuid import uuid4

import pytest

from tests.support.factories import Event, StaffFactory, event, running_heats, running_match, running_session
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import User


@pytest.fixture
def organiser(db: None) -> User:
    return StaffFactory(first_name="Outi", last_name="Organiser")


@pytest.fixture
def browser(organiser: User) -> Browser:
    client = Browser()
    client.force_login(organiser)
    return client


@pytest.fixture
def planned(organiser: User) -> Event:
    """An event of this organiser with seven players and nothing planned."""
    return event("tite-2022", players=7, user=organiser)


@pytest.fixture
def heats(organiser: User) -> Event:
    """Two running heats of three, of this organiser too."""
    made = running_heats(players=6, tables=2)
    made.act(actions.grant_role, membership=uuid4(), user=organiser.uid, role="organiser")
    made.user = organiser
    return made


@pytest.fixture
def session(db: None) -> Event:
    return running_session(players=3)


@pytest.fixture
def match(db: None) -> Event:
    return running_match(players=3)
