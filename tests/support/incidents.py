"""Incidents as tests note and read them."""

from typing import Any
from uuid import uuid4

from tests.support.factories import (
    Event,
)
from tournament.actions import Command
from tournament.models import Incident, User


def by(user: User, action: Any, made: Event, **arguments: Any) -> None:
    action(Command(uuid4(), user), made.tournament.uid, **arguments)


def penalty(made: Event, **more: Any) -> dict[str, Any]:
    """The arguments of a penalty for the first player at the first table."""
    usual = {"incident": uuid4(), "table": made.table.uid, "code": "uno_not_said", "entry": made.uids[0]}
    return usual | more


def the(made: Event) -> Incident:
    return Incident.objects.get(tournament=made.tournament)
