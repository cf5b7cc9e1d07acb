"""Short ways to open registration, to register, and to do something with an own link."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from tests.support.factories import Event, event
from tournament import actions
from tournament.actions import Command, Receipt
from tournament.actions.people.roles import own_link_user
from tournament.links import token_for
from tournament.models import Entry


def opened(made: Event | None = None, **more: Any) -> Event:
    """An event with registration open, for any number of players; `more` are arguments of `set_registration`."""
    made = made or event()
    made.act(actions.set_registration, **{"opened": True, "most": None, **more})
    return made


def by_link(made: Event, action: Callable[..., Receipt], **arguments: Any) -> Receipt:
    """Call an action as the pages of links do."""
    return action(Command(uuid4(), own_link_user()), made.tournament.uid, **arguments)


def registered(made: Event, name: str, **more: Any) -> UUID:
    """Register somebody and give the entry's uid; `more` are arguments of `register`."""
    uid = uuid4()
    by_link(made, actions.register, entry=uid, **{"public_name": name, "terms": True, **more})
    return uid


def token_of(uid: UUID) -> str:
    """The own link that this player has now."""
    return token_for("player", uid, Entry.objects.get(uid=uid).link_number)


def own(made: Event, action: Callable[..., Receipt], uid: UUID, **more: Any) -> Receipt:
    """Call an action of the own link as this player."""
    return by_link(made, action, token=token_of(uid), **more)
